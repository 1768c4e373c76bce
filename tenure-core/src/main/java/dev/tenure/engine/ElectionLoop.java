package dev.tenure.engine;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The event loop: takes what was posted, ticks what is due. Does no I/O and runs no user code. It has no thread of its
 * own; whoever drives it calls {@link #turn()} from one thread at a time.
 */
public final class ElectionLoop {
    private static final Logger LOG = LoggerFactory.getLogger(ElectionLoop.class);

    private static final int MOST_AT_ONCE = 256;

    private final Time time;
    private final Queue<Runnable> posted = new ConcurrentLinkedQueue<>();
    private final TreeSet<Timed> timers = new TreeSet<>();
    private Runnable wake = () -> {};
    private Runnable flush = () -> {};
    private boolean batching;
    private volatile boolean ended;
    private volatile @Nullable Thread driver;
    private volatile long turnBeganAt = Time.NEVER;
    private volatile long nextAt = Time.NEVER;

    ElectionLoop(Time time) {
        this.time = time;
    }

    /**
     * @param wake called on any thread when something was posted
     */
    void onPost(Runnable wake) {
        this.wake = wake;
    }

    /**
     * @param flush sends the renewals that a turn has collected
     */
    void onFlush(Runnable flush) {
        this.flush = flush;
    }

    Time time() {
        return time;
    }

    /**
     * From any thread.
     */
    void post(Runnable task) {
        posted.add(task);
        wake.run();
    }

    /**
     * Takes what was posted last; no turn follows. To be called when nobody drives it any more.
     */
    void end() {
        ended = true;
        while (!posted.isEmpty()) {
            takePosted();
        }
    }

    /**
     * The one thread that drives it from now on.
     */
    void drivenBy(Thread thread) {
        driver = thread;
    }

    /**
     * Whether the calling thread is one on which nothing else may run.
     */
    @SuppressWarnings("ReferenceEquality") // threads are the same or not
    boolean isDrivenHere() {
        return Thread.currentThread() == driver;
    }

    /**
     * Whether what is posted now may never be taken.
     */
    boolean isEnded() {
        return ended;
    }

    /**
     * A renewal was collected in this turn: others that are due soon are to join it.
     */
    void batching() {
        batching = true;
    }

    void schedule(Timed timed, long at) {
        if (timed.at() == at) {
            return;
        }
        if (timed.at() != Time.NEVER) {
            timers.remove(timed);
        }
        timed.at(at);
        if (at != Time.NEVER) {
            timers.add(timed);
        }
    }

    boolean hasPosted() {
        return !posted.isEmpty();
    }

    /**
     * Does all that is to be done now.
     *
     * @return when there is more to do, if nothing is posted before
     */
    public long turn() {
        turnBeganAt = time.now();
        do {
            takePosted();
            tickDue();
            if (batching) {
                batching = false;
                joinBatch();
                guarded(flush);
            }
        } while (!posted.isEmpty());
        long next = timers.isEmpty() ? Time.NEVER : timers.first().at();
        nextAt = next;
        turnBeganAt = Time.NEVER;
        return next;
    }

    /**
     * Before time is judged, so that an answer that is here already does not count as missing; not without end, so that
     * a flood of events does not delay a deadline.
     */
    private void takePosted() {
        Runnable task;
        for (int taken = 0; taken < MOST_AT_ONCE && (task = posted.poll()) != null; taken++) {
            guarded(task);
        }
    }

    private void tickDue() {
        while (!timers.isEmpty() && timers.first().at() <= time.now()) {
            Timed due = timers.first();
            schedule(due, Time.NEVER);
            guarded(due::tick);
        }
    }

    private void joinBatch() {
        long until = time.now() + Timing.BATCH_WINDOW;
        List<Timed> soon = new ArrayList<>();
        for (Timed timed : timers) {
            if (timed.at() > until) {
                break;
            }
            soon.add(timed);
        }
        soon.forEach(timed -> guarded(timed::batch));
        batching = false;
    }

    /**
     * Nothing ends the loop.
     */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (Throwable survived) {
            try {
                LogLine.of(LOG, CoreEvent.LOOP_FAULTED).cause(survived).write();
            } catch (Throwable unheard) {
                survived.addSuppressed(unheard); // no log either
            }
        }
    }

    /**
     * How long the loop has not moved although it should; 0 if it does.
     */
    public long stalledFor() {
        long now = time.now();
        long began = turnBeganAt;
        if (began != Time.NEVER) {
            return Math.max(0, now - began);
        }
        return Math.max(0, now - Math.min(now, nextAt));
    }
}
