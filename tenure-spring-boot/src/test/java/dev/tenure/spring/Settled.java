package dev.tenure.spring;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits for conditions.
 */
final class Settled {
    static final Duration LONGEST = Duration.ofMinutes(2);

    private Settled() {}

    static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + LONGEST + ": " + what);
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
