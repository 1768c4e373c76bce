package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * When to ask again for a key that a lock delay keeps closed.
 */
class LockDelaysTest {
    private static final long SECOND = 1_000_000_000L;

    private final LockDelays delays = new LockDelays(Duration.ofSeconds(15));

    @Test
    void atItsEndIfTheKeyWasSeenToBecomeFree() {
        delays.freed("k", 0);
        assertThat(delays.closed("k", SECOND)).isEqualTo(Duration.ofMillis(14_010));
        assertThat(delays.closed("k", 11 * SECOND)).isEqualTo(Duration.ofMillis(4_010));
    }

    @Test
    void everyTwoSecondsIfItMayHaveBegunEarlier() {
        assertThat(delays.closed("k", 0)).isEqualTo(Duration.ofSeconds(2));
        assertThat(delays.closed("k", 14 * SECOND)).isEqualTo(Duration.ofMillis(1_010));
    }

    @Test
    void oftenIfAnothersIsLonger() {
        delays.freed("k", 0);
        assertThat(delays.closed("k", 15 * SECOND)).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void afreshOnceItWasOpen() {
        delays.freed("k", 0);
        delays.opened("k");
        assertThat(delays.closed("k", 14 * SECOND)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void afreshAfterTheLongestThereIs() {
        delays.closed("k", 0);
        assertThat(delays.closed("k", 61 * SECOND)).isEqualTo(Duration.ofSeconds(2));
    }
}
