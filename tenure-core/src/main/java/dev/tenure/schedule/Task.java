package dev.tenure.schedule;

import dev.tenure.FencedOutException;
import dev.tenure.Lease;
import dev.tenure.engine.FaultRow;
import dev.tenure.engine.ScheduleHost;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.Terms.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A task of a scheduler. It looks whether something is due whenever it is woken, by one thread at a time, without a lock:
 * what wakes it meanwhile makes that thread look again.
 */
abstract class Task {
    /**
     * Nothing is waited for longer than this without a look at the wall clock.
     */
    static final long RECHECK = TimeUnit.SECONDS.toNanos(30);

    private final Plan plan;
    private final ScheduleHost host;
    private final Terms terms;
    private final Lanes lanes;
    private final Leaving leaving;
    private final ScheduleHost.Alarm alarm;
    private final Tally tally = new Tally();
    private final FaultRow failures;
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicReference<@Nullable TaskRun> current = new AtomicReference<>();
    private volatile @Nullable Instant completed;
    private volatile boolean ended;

    /**
     * What is to be done.
     */
    record Plan(String name, Schedule schedule, Duration needs, AfterHandOver afterHandOver, SlotWork work) {}

    Task(Plan plan, ScheduleHost host, Terms terms, Lanes lanes, Leaving leaving) {
        this.plan = plan;
        this.host = host;
        this.terms = terms;
        this.lanes = lanes;
        this.leaving = leaving;
        failures = new FaultRow(
                "task " + plan.name(),
                host.time(),
                (where, thrown, log) -> host.fault(CoreEvent.TASK_FAILED, where, thrown, log));
        alarm = host.alarm(this::wake);
    }

    static Task of(Plan plan, ScheduleHost host, Terms terms, Lanes lanes, Leaving leaving) {
        Slots slots = plan.schedule().slots();
        return slots == null
                ? new DelayTask(plan, host, terms, lanes, leaving)
                : new SlotTask(plan, slots, host, terms, lanes, leaving);
    }

    // each kind's

    /**
     * Reads clocks and leadership, for the look that follows.
     */
    abstract void glance();

    /**
     * Whether a look at what was seen calls user code.
     */
    abstract boolean callsUser();

    /**
     * Decides what is due; gives the run to start, and sets the alarm.
     */
    abstract @Nullable TaskRun look();

    abstract void termBegan();

    abstract void runEnded();

    abstract @Nullable Instant next();

    // looking

    final void wake() {
        if (wakes.getAndIncrement() == 0) {
            begin();
        }
    }

    private void begin() {
        Turn turn = new Turn();
        boolean seen = glanced();
        if (seen && callsUser()) {
            lanes.run(plan.name(), turn);
        } else {
            turn.look(seen);
            turn.answered();
        }
    }

    private boolean glanced() {
        try {
            glance();
            return true;
        } catch (RuntimeException | Error survived) { // of a leadership that is not Tenure's
            survived(survived);
            return false;
        }
    }

    /**
     * One look, and what follows from it.
     */
    private final class Turn implements Lanes.Call {
        private int taken;
        private @Nullable TaskRun start;

        @Override
        public void ask() {
            look(glanced());
        }

        void look(boolean seen) {
            taken = wakes.get();
            try {
                start = seen && !ended ? Task.this.look() : null;
            } catch (RuntimeException | Error survived) {
                survived(survived);
            }
        }

        @Override
        public void answered() {
            boolean again = wakes.addAndGet(-taken) > 0;
            if (start != null) {
                start(start);
            }
            if (again) {
                begin();
            }
        }
    }

    private void start(TaskRun run) {
        try {
            host.run(run.lease(), run);
        } catch (RuntimeException | Error refused) {
            failures.add(refused);
            run.ended(false, false, null);
        }
    }

    private void survived(Throwable thrown) {
        failures.add(thrown);
        alarm.set(host.time().now() + RECHECK);
    }

    final void alarmAt(long time) {
        alarm.set(time);
    }

    final @Nullable Term term() {
        return terms.current();
    }

    final ScheduleHost host() {
        return host;
    }

    final Plan plan() {
        return plan;
    }

    /**
     * Also while a run of a removed task of this name goes on.
     */
    final boolean isRunning() {
        return current.get() != null || leaving.has(plan.name());
    }

    final boolean isCompleted(Instant slot) {
        Instant newest = completed;
        return newest != null && !slot.isAfter(newest);
    }

    /**
     * Starts a run if a lease is held that is long enough; else records why not.
     *
     * @param term null if this instance does not lead
     */
    final @Nullable TaskRun decide(Instant slot, @Nullable Term term) {
        if (term == null) {
            skip(slot, SlotOutcome.FOLLOWER, 1);
        } else if (isRunning()) {
            skip(slot, SlotOutcome.STILL_RUNNING, 1);
        } else if (isTooShort(term.lease())) {
            skip(slot, SlotOutcome.LEASE_TOO_SHORT, 1);
        } else {
            TaskRun run = new TaskRun(this, term.lease(), slot);
            current.set(run);
            if (!ended) {
                return run;
            }
            current.set(null);
        }
        return null;
    }

    final void skip(Instant slot, SlotOutcome why, long count) {
        tally.add(slot, why, count, Duration.ZERO);
        host.scheduleSkipped(plan.name(), slot, why, count);
    }

    private boolean isTooShort(Lease lease) {
        return lease.remaining().compareTo(plan.needs()) < 0;
    }

    // running

    /**
     * Asked again when a thread is there.
     */
    final @Nullable SlotOutcome whyNot(Lease lease) {
        if (!lease.isHeld()) {
            return SlotOutcome.FOLLOWER;
        }
        return isTooShort(lease) ? SlotOutcome.LEASE_TOO_SHORT : null;
    }

    final void ended(TaskRun run, SlotOutcome outcome, Duration took) {
        try {
            if (outcome == SlotOutcome.RAN) {
                if (!isCompleted(run.slot())) {
                    completed = run.slot();
                }
                failures.over();
            }
            if (outcome.isRun()) {
                tally.add(run.slot(), outcome, 1, took);
                host.scheduleRun(plan.name(), run.slot(), outcome, took);
            } else if (!ended) {
                skip(run.slot(), outcome, 1);
            }
        } finally {
            current.set(null);
        }
        if (!ended) {
            runEnded();
        }
    }

    final void threw(Lease lease, Throwable thrown) {
        failures.add(thrown);
        if (thrown instanceof FencedOutException fenced) {
            host.fencedOut(lease, fenced);
        }
    }

    // from outside

    final Optional<TaskRun> running() {
        return Optional.ofNullable(current.get());
    }

    final boolean isEnded() {
        return ended;
    }

    /**
     * No run begins any more.
     */
    final void end() {
        ended = true;
        alarm.cancel();
    }

    final TaskStatus status() {
        return new TaskStatus(
                plan.name(),
                plan.schedule().toString(),
                ended ? Optional.empty() : Optional.ofNullable(next()),
                current.get() != null,
                tally.last(),
                tally.lastRun(),
                tally.counts());
    }
}
