package dev.tenure.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The one thread that drives a loop; a daemon.
 */
final class LoopThread {
    private static final long AFTER_FAULT = TimeUnit.MILLISECONDS.toNanos(100);

    private final ElectionLoop loop;
    private final Thread thread;
    private volatile boolean closed;

    private LoopThread(ElectionLoop loop) {
        this.loop = loop;
        thread = new Thread(this::run, "tenure-loop");
        thread.setDaemon(true);
    }

    static LoopThread start(ElectionLoop loop) {
        LoopThread driver = new LoopThread(loop);
        loop.onPost(driver::wake);
        driver.thread.start();
        return driver;
    }

    private void wake() {
        LockSupport.unpark(thread);
    }

    private void run() {
        loop.drivenBy(Thread.currentThread());
        while (!closed) {
            long next;
            try {
                next = loop.turn();
            } catch (Throwable survived) { // no memory, for instance
                next = loop.time().now() + AFTER_FAULT;
            }
            long wait = next - loop.time().now();
            if (!loop.hasPosted() && wait > 0 && !closed) {
                LockSupport.parkNanos(this, Math.min(wait, TimeUnit.HOURS.toNanos(1)));
            }
            Thread.interrupted(); // nobody's interrupt ends an election, or makes this spin
        }
    }

    /**
     * Ends the thread after the turn that it is in, and waits for that unless it is called there.
     */
    void close() {
        closed = true;
        wake();
        boolean interrupted = false;
        while (thread != Thread.currentThread() && thread.isAlive()) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(5));
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
