package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreUnavailableException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.ElectionMonitor;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TermEventsTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final List<String> people = new ArrayList<>();
    private final TermEvents events = new TermEvents(people::add);

    private List<Map<String, String>> lines() {
        return written.toString(StandardCharsets.UTF_8)
                .lines()
                .map(Json::readFlat)
                .toList();
    }

    private List<String> names() {
        return lines().stream().map(line -> line.get("event")).toList();
    }

    private void open() {
        events.to(new EventLog(written, "role", "web-1", people::add));
    }

    @Test
    void linesHaveAllFields() {
        open();
        TestLease lease = new TestLease(3);
        long before = System.nanoTime();
        events.lost(lease, LossReason.TAKEN_OVER);
        assertThat(written.toString(StandardCharsets.UTF_8)).endsWith("}\n").contains("\"reason\":null");
        Map<String, String> line = lines().get(1);
        assertThat(line.keySet()).containsExactly("t", "mono_ns", "role", "event", "token", "term", "name", "reason");
        assertThat(line)
                .containsEntry("event", "lost")
                .containsEntry("token", "1003")
                .containsEntry("term", "3")
                .containsEntry("role", "role")
                .containsEntry("name", "web-1")
                .containsEntry("reason", "TAKEN_OVER");
        assertThat(Instant.parse(line.get("t"))).isBetween(Instant.now().minusSeconds(60), Instant.now());
        assertThat(Long.parseLong(line.get("mono_ns"))).isBetween(before, System.nanoTime());
    }

    @Test
    void beginningAndEndAreWrittenOnceATermWhoeverNotices() {
        open();
        TestLease first = new TestLease(1);
        events.standing("role");
        events.elected(first);
        events.elected(first);
        first.end(LossReason.DEADLINE_EXCEEDED);
        events.lost(first);
        events.lost(first, LossReason.DEADLINE_EXCEEDED, Duration.ofSeconds(1));
        events.lapsed(first);
        events.lapsed(first);
        TestLease second = new TestLease(2);
        events.lost(second, LossReason.RELEASED);
        events.elected(second);
        events.released(second, ReleaseOutcome.RELEASED, Duration.ZERO);
        events.stopped("role");
        assertThat(names())
                .containsExactly(
                        "campaigning",
                        "elected",
                        "lost",
                        "lapsed",
                        "campaigning",
                        "elected",
                        "lost",
                        "released",
                        "stopped");
        assertThat(people).containsExactly("no longer leads role: DEADLINE_EXCEEDED");
    }

    @Test
    void anOutageIsToldOnce() {
        open();
        events.storeFailing("role", new StoreUnavailableException("refused\nby\u001b[1m db", null));
        events.storeRecovered("role", Duration.ofSeconds(12));
        events.acquireFinished("role", ElectionMonitor.Outcome.REFUSED, Duration.ZERO);
        assertThat(lines().get(0)).containsEntry("event", "store_unavailable");
        assertThat(names()).containsExactly("store_unavailable", "store_recovered");
        assertThat(people)
                .containsExactly(
                        "the store gives no usable answer, tries on: refused\\u000aby\\u001b[1m db",
                        "the store answers again, after 12.0s");
    }

    @Test
    void aStopIsNoRecovery() {
        open();
        events.storeFailing("role", new StoreUnavailableException("refused", null));
        events.storeRecovered("role", Duration.ofSeconds(12));
        events.stopped("role");
        events.storeRecovered("role", Duration.ofSeconds(12));
        assertThat(names()).containsExactly("store_unavailable", "stopped");
        assertThat(people).hasSize(1);
    }

    @Test
    void anImplausibleTokenIsNoOutage() {
        open();
        TokenImplausibleException implausible = new TokenImplausibleException("key", 9, 1);
        events.storeFailing("role", implausible);
        events.storeRecovered("role", Duration.ofSeconds(12));
        assertThat(names()).isEmpty();
        assertThat(people).containsExactly("fencing regressed: " + implausible.getMessage());
    }

    @Test
    void aFullDiskIsToldOnceAndEndsNothing() {
        boolean[] full = {true};
        OutputStream disk = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                if (full[0]) {
                    throw new IOException("No space left on device");
                }
                written.write(b);
            }
        };
        EventLog log = new EventLog(disk, "role", "web-1", people::add);
        log.write(EventLog.Event.of("campaigning", null));
        log.write(EventLog.Event.of("elected", null));
        full[0] = false;
        log.write(EventLog.Event.of("lost", null));
        log.write(EventLog.Event.of("stopped", null));
        assertThat(people).containsExactly("events cannot be written: No space left on device");
        assertThat(written.toString(StandardCharsets.UTF_8).lines().filter(line -> !line.isEmpty()))
                .hasSize(2);
    }

    @Test
    void withoutALogNothingIsWritten() {
        events.standing("role");
        assertThat(written.size()).isZero();
    }
}
