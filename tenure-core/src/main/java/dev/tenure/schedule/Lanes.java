package dev.tenure.schedule;

import dev.tenure.engine.ScheduleHost;
import dev.tenure.engine.Time;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.Slots.SlotsUnknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs what calls the functions of calendars on callback threads, at most four at a time, however many are due at once.
 * One that hangs is told, and its thread does not count any more: those that wait are held up for half a minute at most by
 * each four that hang, and there are never more threads than four and one for each that hangs. A task has one call at a
 * time.
 */
final class Lanes {
    private static final int MOST = 4;
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(30);

    private final ScheduleHost host;
    private final Queue<Asked> waiting = new ConcurrentLinkedQueue<>();
    private final Set<Asked> asking = ConcurrentHashMap.newKeySet(); // those whose lane counts
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicBoolean watched = new AtomicBoolean();
    private final ScheduleHost.Alarm watch;

    /**
     * Throws nothing.
     */
    interface Call {
        /**
         * Calls the functions.
         */
        void ask();

        /**
         * Follows, and may take any time.
         */
        void answered();
    }

    /**
     * A call, and since when it goes on.
     */
    private static final class Asked {
        private final String task;
        private final Call call;
        private volatile long since;

        Asked(String task, Call call) {
            this.task = task;
            this.call = call;
        }
    }

    Lanes(ScheduleHost host) {
        this.host = host;
        watch = host.alarm(this::look);
    }

    void run(String task, Call call) {
        waiting.add(new Asked(task, call));
        open();
    }

    /**
     * Tells of none any more.
     */
    void close() {
        watch.cancel();
    }

    private void open() {
        if (!waiting.isEmpty() && enter()) {
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
            for (Asked next = waiting.poll(); next != null; next = waiting.poll()) {
                boolean counts = ask(next);
                next.call.answered();
                if (!counts) {
                    return;
                }
            }
            open.decrementAndGet();
        } while (!waiting.isEmpty() && enter());
    }

    /**
     * False if it took so long that its lane does not count any more.
     */
    private boolean ask(Asked next) {
        next.since = host.time().now();
        asking.add(next);
        watch(next.since + PATIENCE);
        next.call.ask();
        return asking.remove(next);
    }

    private void watch(long until) {
        if (watched.compareAndSet(false, true)) {
            watch.set(until);
        }
    }

    private void look() {
        long now = host.time().now();
        long next = Time.NEVER;
        List<Asked> hanging = new ArrayList<>(0);
        for (Asked each : List.copyOf(asking)) {
            if (each.since + PATIENCE > now) {
                next = Math.min(next, each.since + PATIENCE);
            } else if (asking.remove(each)) {
                hanging.add(each);
            }
        }
        watched.set(next != Time.NEVER);
        if (next != Time.NEVER) {
            watch.set(next);
        } else if (!asking.isEmpty()) { // one that came meanwhile
            watch(now + PATIENCE);
        }
        open.addAndGet(-hanging.size());
        hanging.forEach(each -> open());
        hanging.forEach(this::tell);
    }

    private void tell(Asked hanging) {
        String where = "calendar of task " + hanging.task;
        host.fault(
                CoreEvent.CALENDAR_FAILED,
                where,
                new SlotsUnknown("the calendar's function has not answered for 30 s", null),
                true);
    }
}
