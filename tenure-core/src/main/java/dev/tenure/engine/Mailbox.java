package dev.tenure.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what it is given one after another, in order, on callback threads.
 */
final class Mailbox implements Runnable {
    private final Users users;
    private final Queue<UserTask> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private volatile boolean detached;

    Mailbox(Users users) {
        this.users = users;
    }

    void add(UserTask task) {
        task.queuedIn(this);
        waiting.add(task);
        if (detached) {
            task.finish();
        }
        if (size.getAndIncrement() == 0) {
            users.execute(this);
        }
    }

    /**
     * The task that runs waits for the end of its term, so that nothing waits for it; nor for what stands behind it.
     */
    void detach() {
        detached = true;
        waiting.forEach(UserTask::finish);
    }

    /**
     * Takes one, so that a long queue does not keep others from the executor.
     */
    @Override
    public void run() {
        UserTask task = waiting.poll();
        try {
            if (task != null) {
                task.run();
            }
        } finally {
            detached = false;
            if (size.decrementAndGet() > 0) {
                users.execute(this);
            }
        }
    }
}
