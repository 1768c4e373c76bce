package dev.tenure.engine;

import org.jspecify.annotations.Nullable;

/**
 * The thread that a piece of work is on, which an interrupt reaches only while the work runs.
 */
public final class WorkThread {
    private @Nullable Thread thread;
    private boolean interrupted;

    /**
     * Runs it on the calling thread, unless it was interrupted before; tells it how it ended.
     */
    public void carry(ScheduleHost.Run run) {
        if (!enter()) {
            run.ended(false, false, null);
            return;
        }
        Throwable thrown = null;
        try {
            run.begin();
        } catch (Throwable any) {
            thrown = any;
        }
        run.ended(true, leave(), thrown);
    }

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
     *
     * @return whether the work was interrupted
     */
    synchronized boolean leave() {
        thread = null;
        Thread.interrupted();
        return interrupted;
    }

    public synchronized void interrupt() {
        interrupted = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
