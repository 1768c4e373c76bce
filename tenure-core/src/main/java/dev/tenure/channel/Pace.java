package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.engine.Time;
import java.util.concurrent.TimeUnit;

/**
 * Which writes look at the clock: each while they are rare, one of {@value #LONGEST_STEP} while they are frequent, for
 * the look costs as much as the write. Used under the lock of the queue, so that its count is exact.
 */
final class Pace {
    private static final int LONGEST_STEP = 16;
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(1);

    private final Time time;
    private int step = 1;
    private int unlooked;
    private long lastLook = Long.MIN_VALUE / 2;

    Pace(Time time) {
        this.time = time;
    }

    /**
     * False if this write looks at the clock, and the lease is not held any more.
     */
    boolean admits(Lease lease) {
        if (++unlooked < step) {
            return true;
        }
        unlooked = 0;
        long now = time.now();
        step = now - lastLook < SOON ? Math.min(2 * step, LONGEST_STEP) : 1;
        lastLook = now;
        return lease.isHeld();
    }
}
