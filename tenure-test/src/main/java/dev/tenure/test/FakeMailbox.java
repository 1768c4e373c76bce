package dev.tenure.test;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what it is given one after another, on the threads that let it; while one runs, what others let it run, or that one
 * itself, is left to its thread.
 */
final class FakeMailbox {
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger calls = new AtomicInteger();

    /**
     * Runs nothing.
     *
     * @param task throws nothing
     */
    void add(Runnable task) {
        waiting.add(task);
    }

    void run() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        do {
            for (Runnable next = waiting.poll(); next != null; next = waiting.poll()) {
                next.run();
            }
            seen = calls.addAndGet(-seen);
        } while (seen > 0);
    }
}
