package dev.tenure.consul;

import java.time.Duration;

/**
 * How often a query may be asked again: a number of times at once, then at a rate. Not for several threads.
 */
final class Pace {
    private final int burst;
    private final long interval;
    private double left;
    private long at;

    /**
     * @param interval between two, once the burst is used up
     */
    Pace(int burst, Duration interval, long now) {
        this.burst = burst;
        this.interval = interval.toNanos();
        left = burst;
        at = now;
    }

    /**
     * Counts one, and tells how long it has to wait.
     */
    Duration next(long now) {
        left = Math.min(burst, left + (double) (now - at) / interval) - 1;
        at = now;
        return left >= 0 ? Duration.ZERO : Duration.ofNanos((long) (-left * interval));
    }
}
