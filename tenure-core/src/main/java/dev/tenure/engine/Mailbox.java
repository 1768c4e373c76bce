package dev.tenure.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what it is given one after another, in order, on callback threads.
 */
final class Mailbox implements Runnable {
    private final Users users;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();

    Mailbox(Users users) {
        this.users = users;
    }

    void add(Runnable task) {
        waiting.add(task);
        if (size.getAndIncrement() == 0) {
            users.execute(this);
        }
    }

    /**
     * Takes one, so that a long queue does not keep others from the executor.
     */
    @Override
    public void run() {
        Runnable task = waiting.poll();
        try {
            if (task != null) {
                task.run();
            }
        } finally {
            if (size.decrementAndGet() > 0) {
                users.execute(this);
            }
        }
    }
}
