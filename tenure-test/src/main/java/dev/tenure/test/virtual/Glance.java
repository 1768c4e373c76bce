package dev.tenure.test.virtual;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Real time for threads that were just let go and have not shown it yet. How much a busy machine needs is measured by a
 * thread that is let go after them, several times, and by what the operating system says of them where it says that.
 */
final class Glance {
    private static final long LEAST = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int TURNS = 4;
    private static final long LONGEST = TimeUnit.SECONDS.toNanos(60);

    private final ExecutorService other = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "virtual-glance");
        thread.setDaemon(true);
        return thread;
    });

    /**
     * @param runnable whether one of them is known to be on its way
     */
    void take(BooleanSupplier runnable) {
        for (int i = 0; i < TURNS; i++) {
            Future<?> turn = other.submit(() -> {});
            while (!turn.isDone()) {
                LockSupport.parkNanos(LEAST / TURNS);
            }
        }
        long from = System.nanoTime();
        while (runnable.getAsBoolean() && System.nanoTime() - from < LONGEST) {
            LockSupport.parkNanos(LEAST / TURNS);
        }
    }

    void end() {
        other.shutdown();
    }
}
