package dev.tenure.redis;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for conditions.
 */
final class Eventually {
    /**
     * Sentinels that a busy machine held up for two seconds do nothing for half a minute, perhaps twice.
     */
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private Eventually() {}

    /**
     * A condition that throws counts as not yet there: servers refuse and hang up while they change.
     */
    static void becomes(String what, Callable<Boolean> condition) {
        long end = System.nanoTime() + LONGEST.toNanos();
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
                throw new AssertionError("not within " + LONGEST + ": " + what, last);
            }
            LockSupport.parkNanos(5_000_000);
        }
    }
}
