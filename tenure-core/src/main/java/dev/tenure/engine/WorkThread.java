package dev.tenure.engine;

import org.jspecify.annotations.Nullable;

/**
 * The thread that a piece of work is on, which an interrupt reaches only while the work runs.
 */
final class WorkThread {
    private @Nullable Thread thread;
    private boolean interrupted;

    /**
     * False if it was interrupted before it began.
     */
    synchronized boolean enter() {
        if (interrupted) {
            return false;
        }
        thread = Thread.currentThread();
        return true;
    }

    /**
     * Clears the thread's interrupt status: it was meant for the work.
     */
    synchronized void leave() {
        thread = null;
        Thread.interrupted();
    }

    synchronized void interrupt() {
        interrupted = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
