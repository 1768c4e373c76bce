package dev.tenure.jdbc;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of one store: for opening connections, which may hang, and for listening. All are daemons; none is kept
 * for long when idle.
 */
final class DaemonThreads {
    private final ThreadPoolExecutor pool;

    DaemonThreads(String name, int most) {
        this.pool = new ThreadPoolExecutor(0, most, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * @throws RejectedExecutionException if all are busy, or it is closed
     */
    void run(Runnable task) {
        pool.execute(task);
    }

    void close() {
        pool.shutdownNow();
    }
}
