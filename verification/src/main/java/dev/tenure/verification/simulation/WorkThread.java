package dev.tenure.verification.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The stack of one leader work. It runs only while the simulation's thread waits for it, so that there is one thread at
 * a time; an interrupt is told to the work, and wakes nothing.
 */
final class WorkThread extends Thread {
    private final Pool pool;
    private final Semaphore go = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private @Nullable Runnable task;
    private Runnable onInterrupt = () -> {};

    private WorkThread(Pool pool) {
        super("simulated-work");
        this.pool = pool;
        setDaemon(true);
    }

    /**
     * Those that wait for work.
     */
    static final class Pool {
        private final Deque<WorkThread> idle = new ArrayDeque<>();

        /**
         * Runs a task until it parks or ends.
         */
        void run(Runnable task) {
            WorkThread thread = idle.poll();
            if (thread == null) {
                thread = new WorkThread(this);
                thread.start();
            }
            thread.task = task;
            thread.handOver();
        }

        /**
         * Ends those that wait.
         */
        void close() {
            WorkThread thread;
            while ((thread = idle.poll()) != null) {
                thread.go.release();
            }
        }
    }

    @Override
    public void run() {
        while (true) {
            go.acquireUninterruptibly();
            Runnable next = task;
            if (next == null) {
                return;
            }
            next.run();
            task = null;
            onInterrupt = () -> {};
            pool.idle.push(this);
            back.release();
        }
    }

    /**
     * Lets it run until it parks or ends.
     */
    void handOver() {
        go.release();
        back.acquireUninterruptibly();
    }

    /**
     * Called on it: waits for {@link #handOver}.
     */
    void park() {
        back.release();
        go.acquireUninterruptibly();
    }

    void onInterrupt(Runnable told) {
        onInterrupt = told;
    }

    @Override
    public void interrupt() {
        onInterrupt.run();
    }
}
