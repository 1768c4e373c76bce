package dev.tenure.test;

import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import org.jspecify.annotations.Nullable;

/**
 * The leader work of one term, on the thread that elects.
 */
final class FakeWork {
    private final @Nullable LeaderWork work;
    private @Nullable Thread thread;
    private boolean interrupted;

    /**
     * @param work none if the leader has nothing to do
     */
    FakeWork(@Nullable LeaderWork work) {
        this.work = work;
    }

    boolean isGiven() {
        return work != null;
    }

    void lead(Lease lease) throws Exception {
        if (work == null || !enter()) {
            return;
        }
        try {
            work.lead(lease);
        } finally {
            leave();
        }
    }

    private synchronized boolean enter() {
        thread = interrupted ? null : Thread.currentThread();
        return thread != null;
    }

    private synchronized void leave() {
        thread = null;
        if (interrupted) {
            Thread.interrupted(); // it was meant for the work
        }
    }

    synchronized boolean isRunning() {
        return thread != null;
    }

    synchronized boolean isOn(Thread other) {
        return other.equals(thread);
    }

    synchronized void interrupt() {
        interrupted = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}
