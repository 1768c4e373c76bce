package dev.tenure.test;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what it is given one after another, on the thread that gave it; while one runs, what others give, or that one
 * itself, is left to its thread.
 */
final class FakeMailbox {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    /**
     * @param task throws nothing
     */
    void add(Runnable task) {
        waiting.add(task);
        if (size.getAndIncrement() > 0) {
            return;
        }
        do {
            Runnable next = waiting.poll();
            if (next != null) {
                next.run();
            }
        } while (size.decrementAndGet() > 0);
    }
}
