package dev.tenure.test.virtual;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Real time for threads that were just let go and have not shown it yet. How much a busy machine needs is measured by a
 * thread that is let go after them, several times.
 */
final class Glance {
    private static final long LEAST = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int TURNS = 4;

    private final ExecutorService other = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "virtual-glance");
        thread.setDaemon(true);
        return thread;
    });

    void take() {
        for (int i = 0; i < TURNS; i++) {
            Future<?> turn = other.submit(() -> {});
            while (!turn.isDone()) {
                LockSupport.parkNanos(LEAST / TURNS);
            }
        }
    }

    void end() {
        other.shutdown();
    }
}
