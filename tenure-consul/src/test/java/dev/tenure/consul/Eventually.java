package dev.tenure.consul;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for conditions.
 */
final class Eventually {
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private Eventually() {}

    /**
     * A condition that throws counts as not yet there: servers refuse and hang up while they change.
     */
    static void becomes(String what, Callable<Boolean> condition) {
        becomes(what, LONGEST, condition);
    }

    static void becomes(String what, Duration longest, Callable<Boolean> condition) {
        long end = System.nanoTime() + longest.toNanos();
        while (true) {
            Exception last = null;
            try {
                if (condition.call()) {
                    return;
                }
            } catch (Exception failed) {
                last = failed;
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + longest + ": " + what, last);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
