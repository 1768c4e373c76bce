package dev.tenure.jdbc;

import dev.tenure.StoreUnavailableException;
import java.time.Duration;

/**
 * The end of a call, on the monotonic clock.
 */
final class Deadline {
    private final long end;
    private final Duration limit;

    private Deadline(Duration limit) {
        this.limit = limit;
        this.end = System.nanoTime() + limit.toNanos();
    }

    static Deadline in(Duration limit) {
        return new Deadline(limit);
    }

    /**
     * The whole time, of which some may be used up.
     */
    Duration limit() {
        return limit;
    }

    long nanosLeft() {
        return end - System.nanoTime();
    }

    boolean passed() {
        return nanosLeft() <= 0;
    }

    /**
     * For drivers, to which 0 means no limit: at least 1.
     */
    int millisLeft() {
        long millis = nanosLeft() / 1_000_000;
        return (int) Math.max(1, Math.min(millis, Integer.MAX_VALUE));
    }

    StoreUnavailableException exceeded(String what) {
        return new StoreUnavailableException(what + " within " + limit.toMillis() + " ms", null);
    }
}
