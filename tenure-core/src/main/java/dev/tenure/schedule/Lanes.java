package dev.tenure.schedule;

import dev.tenure.engine.ScheduleHost;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what calls the functions of calendars on callback threads, at most four at a time: however many are due at once
 * take no more threads, and one that hangs does not stop the others.
 */
final class Lanes {
    private static final int MOST = 4;

    private final ScheduleHost host;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger open = new AtomicInteger();

    Lanes(ScheduleHost host) {
        this.host = host;
    }

    /**
     * @param task throws nothing
     */
    void run(Runnable task) {
        waiting.add(task);
        if (enter()) {
            host.call("calendar of a schedule", this::drain);
        }
    }

    private boolean enter() {
        int lanes = open.get();
        while (lanes < MOST) {
            if (open.compareAndSet(lanes, lanes + 1)) {
                return true;
            }
            lanes = open.get();
        }
        return false;
    }

    private void drain() {
        do {
            for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
                task.run();
            }
            open.decrementAndGet();
        } while (!waiting.isEmpty() && enter());
    }
}
