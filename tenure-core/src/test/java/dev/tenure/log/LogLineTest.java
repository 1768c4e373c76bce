package dev.tenure.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Lines as a logger prints them that knows no pairs: the one of these tests, and of the command.
 */
class LogLineTest {
    private static final Logger LOG = LoggerFactory.getLogger("dev.tenure.channel.lines");

    private static String printed(LogLine line) {
        PrintStream before = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            line.write();
        } finally {
            System.setErr(before);
        }
        String text = written.toString(StandardCharsets.UTF_8);
        return text.contains(" - ") ? text.substring(text.indexOf(" - ") + 3) : text;
    }

    @Test
    void B46_theTextHasAllDataOnceAndTheIdAtItsEnd() {
        LogLine line = LogLine.of(LOG, CoreEvent.LEADERSHIP_LOST)
                .with("role", "billing")
                .with("token", 1767)
                .with("term", 2)
                .with("reason", "taken_over")
                .with("held_ms", Duration.ofMillis(62_500));
        assertThat(printed(line).strip())
                .isEqualTo("leadership lost: billing token=1767 term=2 reason=taken_over held=1m2.5s"
                        + " [leadership_lost]");
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        LogLine line = LogLine.of(LOG, CoreEvent.CALLBACK_FAILED)
                .with("where", "stage of a release")
                .with("role", (String) null);
        assertThat(printed(line).strip()).isEqualTo("stage of a release threw [callback_failed]");
        assertThat(printed(LogLine.of(LOG, CoreEvent.STORE_CLOSE_FAILED)).strip())
                .isEqualTo("closing the store failed: none [store_close_failed]");
    }

    @Test
    void aValueStaysOneValueOnOneLine() {
        LogLine line = LogLine.of(LOG, CoreEvent.STORE_STILL_FAILING)
                .with("store", "redis\nERROR forged")
                .with("outage_ms", Duration.ofSeconds(30))
                .with("error", "no \"answer\"\r\nfrom {} a=b");
        assertThat(printed(line).lines())
                .containsExactly("store still fails: redis ERROR forged for 30s error=\"no 'answer' from {} a=b\""
                        + " [store_still_failing]");
    }

    @Test
    void theTraceOfWhatWasThrownFollows() {
        LogLine line = LogLine.of(LOG, CoreEvent.CLOSE_FAULTED).cause(new IllegalStateException("at the end {}"));
        assertThat(printed(line).lines().limit(2))
                .containsExactly(
                        "closing met a fault [close_faulted]", "java.lang.IllegalStateException: at the end {}");
    }

    @Test
    void aLineWhoseLevelIsOffIsNotMade() {
        LogLine off = LogLine.of(LOG, CoreEvent.CANDIDATE_STARTED, Level.DEBUG);
        assertThat(off.isOn()).isFalse();
        assertThat(off.with("role", "billing").with("term", 1).cause(new IllegalStateException("none")))
                .isSameAs(off)
                .isSameAs(LogLine.of(LOG, CoreEvent.CLOSE_LATE));
        assertThat(printed(off)).isEmpty();
        assertThat(LogLine.of(LOG, CoreEvent.CANDIDATE_STARTED).isOn()).isTrue();
    }

    @Test
    void B46_levelsAreThoseOfTheOlderPackage() {
        assertThat(at(Level.ERROR))
                .containsExactlyInAnyOrder(
                        "token_regressed", "election_faulted", "loop_faulted", "schedule_faulted", "close_faulted");
        assertThat(at(Level.INFO))
                .containsExactlyInAnyOrder(
                        "candidate_started",
                        "candidate_stopped",
                        "leadership_acquired",
                        "leadership_ended",
                        "lease_released",
                        "store_recovered",
                        "channel_dropped",
                        "channel_discarded");
        assertThat(at(Level.WARN))
                .contains(
                        "leadership_lost",
                        "store_unavailable",
                        "listener_failed",
                        "callback_failed",
                        "channel_full",
                        "uncoordinated_follows",
                        "uncoordinated_leads");
    }

    private static Set<String> at(Level level) {
        Set<String> ids = new TreeSet<>();
        for (CoreEvent event : CoreEvent.values()) {
            if (event.level() == level) {
                ids.add(event.id());
            }
        }
        return ids;
    }
}
