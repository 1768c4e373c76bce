package dev.tenure.spring;

import dev.tenure.LossReason;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One call of a method on its thread, which the end of its term waits for and interrupts.
 */
final class LeaderRun {
    private final Thread thread = Thread.currentThread();
    private final long patience;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private boolean ended;
    private boolean interrupted;

    /**
     * @param interruptAfter how long a voluntary end lets it run
     */
    LeaderRun(Duration interruptAfter) {
        this.patience = interruptAfter.toNanos();
    }

    /**
     * The term has ended: returns when the run has. Called on a callback thread, which counts as user code of the term,
     * so that the release waits for it.
     */
    void end(LossReason reason) {
        lock.lock();
        try {
            for (long left = reason.isVoluntary() ? patience : 0; left > 0 && !ended; ) {
                left = over.awaitNanos(left);
            }
            if (!ended) {
                interrupted = true;
                thread.interrupt();
            }
            while (!ended) {
                over.await();
            }
        } catch (InterruptedException giveUp) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /**
     * To be called on the run's thread; takes back an interrupt that nobody has seen. True if there was one.
     */
    boolean ended() {
        lock.lock();
        try {
            ended = true;
            over.signalAll();
            if (interrupted) {
                Thread.interrupted();
            }
            return interrupted;
        } finally {
            lock.unlock();
        }
    }
}
