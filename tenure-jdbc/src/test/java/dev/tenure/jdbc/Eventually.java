package dev.tenure.jdbc;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for conditions.
 */
final class Eventually {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private Eventually() {}

    static void becomes(String what, Callable<Boolean> condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
        try {
            while (!condition.call()) {
                if (System.nanoTime() > end) {
                    throw new AssertionError("not within " + LONGEST + ": " + what);
                }
                LockSupport.parkNanos(5_000_000);
            }
        } catch (Exception failed) {
            throw new AssertionError(what, failed);
        }
    }
}
