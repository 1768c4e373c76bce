package dev.tenure.test;

import java.util.ArrayList;
import java.util.List;

/**
 * The threads that are in work of one term, which an interrupt reaches only while they are: the leader's work, and
 * scheduled tasks. One piece may be called from within another.
 */
final class FakeRuns {
    private final List<Thread> threads = new ArrayList<>();
    private boolean interrupted;

    /**
     * False if work of the term was interrupted already.
     */
    synchronized boolean enter() {
        return !interrupted && threads.add(Thread.currentThread());
    }

    /**
     * Clears the interrupt status if it was meant for this work, and for none around it.
     *
     * @return whether it was interrupted
     */
    synchronized boolean leave() {
        threads.remove(threads.lastIndexOf(Thread.currentThread()));
        if (interrupted && !isHere()) {
            Thread.interrupted();
        }
        return interrupted;
    }

    synchronized boolean isRunning() {
        return !threads.isEmpty();
    }

    private boolean isHere() {
        return threads.contains(Thread.currentThread());
    }

    /**
     * All but the calling thread; no more work begins.
     */
    synchronized void interruptOthers() {
        interrupted = true;
        threads.stream()
                .filter(thread -> !thread.equals(Thread.currentThread()))
                .forEach(Thread::interrupt);
    }

    synchronized void interrupt() {
        interrupted = true;
        threads.forEach(Thread::interrupt);
    }
}
