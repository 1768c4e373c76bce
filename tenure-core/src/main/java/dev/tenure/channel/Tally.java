package dev.tenure.channel;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts drops of one kind. Says when it is time to look at the clock: at each drop while they are rare, at every 64th
 * while they are frequent, for the look costs more than the drop.
 */
final class Tally {
    private static final int LONGEST_STEP = 64;

    private final AtomicLong total = new AtomicLong();
    private final AtomicLong told = new AtomicLong();
    private volatile long lookAt;
    private volatile int step = 1;

    long total() {
        return total.get();
    }

    /**
     * True if the clock is to be looked at.
     */
    boolean add(long count) {
        return total.addAndGet(count) >= lookAt;
    }

    /**
     * Counts what is told otherwise.
     */
    void addTold(long count) {
        told.addAndGet(count); // first, so that it never looks new
        total.addAndGet(count);
    }

    /**
     * The clock was looked at. Writers may race here: then the next look comes a little sooner or later.
     */
    void looked(boolean soonAfterTheLast) {
        int next = soonAfterTheLast ? Math.min(2 * step, LONGEST_STEP) : 1;
        step = next;
        lookAt = total.get() + next;
    }

    /**
     * What came since this was asked last.
     */
    long takeNew() {
        long now = total.get();
        return Math.max(0, now - told.getAndAccumulate(now, Math::max));
    }
}
