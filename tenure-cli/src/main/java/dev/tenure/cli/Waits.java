package dev.tenure.cli;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits that an interrupt does not end; it is kept for later.
 */
final class Waits {
    private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(50);

    private Waits() {}

    static int exitCode(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * Asks again and again, at first often.
     *
     * @return whether it came true within the time
     */
    static boolean until(Duration most, BooleanSupplier condition) {
        long end = System.nanoTime() + most.toNanos();
        long pause = SHORT;
        boolean interrupted = false;
        try {
            while (!condition.getAsBoolean()) {
                long left = end - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                interrupted |= Thread.interrupted(); // else the next line would not wait
                LockSupport.parkNanos(Math.min(pause, left));
                pause = Math.min(LONG, pause * 2);
            }
            return true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
