package dev.tenure.consul;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When keys that are closed by a lock delay may open: nothing tells, so it is guessed from when it was first seen.
 */
final class LockDelays {
    /**
     * The delay may have begun long before it was seen.
     */
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private static final Duration SHORTEST = Duration.ofMillis(250);

    private final Duration delay;
    private final Map<String, Long> seen = new ConcurrentHashMap<>();

    LockDelays(Duration delay) {
        this.delay = delay;
    }

    /**
     * How long to wait before asking again.
     */
    Duration closed(String key) {
        long now = System.nanoTime();
        long since = seen.merge(key, now, (first, again) -> again - first > 60_000_000_000L ? again : first);
        Duration left = delay.minusNanos(now - since).plusMillis(10);
        if (left.compareTo(SHORTEST) < 0) {
            return SHORTEST; // another's delay may be longer
        }
        return left.compareTo(LONGEST) > 0 ? LONGEST : left;
    }

    void opened(String key) {
        seen.remove(key);
    }
}
