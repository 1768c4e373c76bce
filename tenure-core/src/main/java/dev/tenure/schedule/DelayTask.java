package dev.tenure.schedule;

import dev.tenure.engine.ScheduleHost;
import dev.tenure.engine.Time;
import dev.tenure.schedule.Terms.Term;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task that is due at the begin of each term, and some time after the end of each run. What is not marked otherwise
 * belongs to the look.
 */
final class DelayTask extends Task {
    private final long delay;
    private long dueAt = Time.NEVER;
    private @Nullable Term begun;
    private volatile long endedAt = Time.NEVER; // set by the run
    private volatile @Nullable Instant next; // read from anywhere

    private long now;
    private @Nullable Term term;

    DelayTask(Plan plan, ScheduleHost host, Terms terms, Lanes lanes, Leaving leaving) {
        super(plan, host, terms, lanes, leaving);
        delay = plan.schedule().delay().toNanos();
    }

    @Override
    void glance() {
        now = host().time().now();
        term = term();
    }

    @Override
    boolean callsUser() {
        return false;
    }

    @Override
    @Nullable
    TaskRun look() {
        Term present = term;
        if (present != null && !present.equals(begun)) {
            begun = present;
            dueAt = isRunning() ? Time.NEVER : now;
        }
        if (endedAt != Time.NEVER) {
            dueAt = present == null ? Time.NEVER : endedAt + delay;
            endedAt = Time.NEVER;
        }
        TaskRun run = null;
        if (dueAt <= now) {
            run = decide(wall(now), present);
            dueAt = run == null && present != null ? now + delay : Time.NEVER;
        }
        next = dueAt == Time.NEVER ? null : wall(dueAt);
        alarmAt(Math.min(dueAt, now + RECHECK));
        return run;
    }

    private Instant wall(long at) {
        return Instant.ofEpochMilli(host().time().wallMillis()).plusNanos(at - now);
    }

    @Override
    void termBegan() {
        wake();
    }

    @Override
    void runEnded() {
        endedAt = host().time().now();
        wake();
    }

    @Override
    @Nullable
    Instant next() {
        return next;
    }
}
