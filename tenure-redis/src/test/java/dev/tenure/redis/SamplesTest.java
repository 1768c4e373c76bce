package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.redis.Samples.Sample;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Finding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/**
 * Latency and clocks of servers that cannot be had here.
 */
class SamplesTest {
    private static final long MILLI = 1_000_000;
    private static final long NOW = 1_800_000_000_000_000L;

    private final List<Sample> samples = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - 30 * MILLI; // it may overflow
    private long localMicros = NOW;
    private long serverMicros = NOW;

    /**
     * A round trip of {@code there} and {@code back}, in ms, and a pause of 25 ms.
     */
    private void ask(long there, long back) {
        long sent = nanos;
        pass(there);
        OptionalLong server = OptionalLong.of(serverMicros);
        pass(back);
        samples.add(new Sample(sent, nanos, localMicros, server));
        pass(25);
    }

    private void pass(long millis) {
        nanos += millis * MILLI;
        localMicros += millis * 1_000;
        serverMicros += millis * 1_000;
    }

    private Finding clock() {
        return new Samples(samples).clock(false);
    }

    @Test
    void aQuickServerIsWell() {
        ask(1, 1);
        ask(2, 3);
        ask(1, 2);
        Finding finding = new Samples(samples).latency();
        assertThat(finding.severity()).isEqualTo(Severity.OK);
        assertThat(finding.seen()).isEqualTo("median 3.0 ms, worst 5.0 ms of 3 round trips");
    }

    @Test
    void aSlowServerNeedsLongerLeases() {
        ask(1, 1);
        ask(1, 999);
        Finding finding = new Samples(samples).latency();
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.toDo()).endsWith("or a lease of 40 s or more");
    }

    @Test
    void unevenLatencyIsNoStepOfTheClock() {
        ask(300, 0);
        ask(0, 300);
        ask(0, 0);
        ask(500, 500);
        ask(0, 1);
        assertThat(clock().severity()).isEqualTo(Severity.OK);
        assertThat(clock().seen())
                .isEqualTo("the server's is 0.0 ms ahead of this machine's, to 0.0 ms; not set while looking");
    }

    @Test
    void aStepForwardIsAProblem() {
        ask(1, 1);
        serverMicros += 3_000_000;
        ask(1, 1);
        assertThat(clock().severity()).isEqualTo(Severity.PROBLEM);
        assertThat(clock().seen()).isEqualTo("the server's was set by 3.0 s while looking");
    }

    @Test
    void aStepBackIsAProblem() {
        ask(1, 1);
        ask(1, 1);
        serverMicros -= 500_000;
        ask(1, 1);
        assertThat(clock().severity()).isEqualTo(Severity.PROBLEM);
        assertThat(clock().seen()).startsWith("the server's was set by -");
    }

    @Test
    void aClockFarAwayMattersToTokensMadeFromIt() {
        serverMicros += 7_200_000_000L;
        ask(1, 1);
        ask(1, 1);
        assertThat(clock().severity()).isEqualTo(Severity.ADVICE);
        assertThat(clock().seen()).startsWith("the server's is 7200.0 s ahead of this machine's");
        assertThat(new Samples(samples).clock(true).severity()).isEqualTo(Severity.OK);
    }

    @Test
    void aServerThatMayNotBeAskedForTheTimeIsUnknown() {
        samples.add(new Sample(0, MILLI, NOW, OptionalLong.empty()));
        assertThat(clock().severity()).isEqualTo(Severity.UNKNOWN);
        assertThat(new Samples(samples).latency().severity()).isEqualTo(Severity.OK);
    }
}
