package dev.tenure.consul;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When keys that are closed by a lock delay may open. Consul tells neither that nor the opening: it is reckoned from when
 * the key was seen to become free, or else from the first refusal.
 */
final class LockDelays {
    /**
     * The delay may have begun long before the first refusal.
     */
    private static final Duration LONGEST_GUESS = Duration.ofSeconds(2);

    /**
     * Another's delay may be longer than ours.
     */
    private static final Duration SHORTEST = Duration.ofMillis(250);

    private static final Duration SLACK = Duration.ofMillis(10);
    private static final long LONGEST_DELAY = Duration.ofSeconds(60).toNanos();

    /**
     * @param exact whether it was seen to happen
     */
    private record Since(long at, boolean exact) {}

    private final Duration delay;
    private final Map<String, Since> closed = new ConcurrentHashMap<>();

    LockDelays(Duration delay) {
        this.delay = delay;
    }

    /**
     * It has just become free: by a release, or by the end of a session.
     */
    void freed(String key, long now) {
        closed.put(key, new Since(now, true));
    }

    /**
     * It is refused: how long to wait before asking again.
     */
    Duration closed(String key, long now) {
        Since since = closed.merge(
                key, new Since(now, false), (first, again) -> now - first.at() > LONGEST_DELAY ? again : first);
        Duration left = delay.minusNanos(now - since.at()).plus(SLACK);
        if (left.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return !since.exact() && left.compareTo(LONGEST_GUESS) > 0 ? LONGEST_GUESS : left;
    }

    void opened(String key) {
        closed.remove(key);
    }
}
