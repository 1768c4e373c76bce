package dev.tenure.schedule;

import dev.tenure.engine.ScheduleHost;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.Slots.Passed;
import dev.tenure.schedule.Slots.SlotsUnknown;
import dev.tenure.schedule.Terms.Term;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A task with slots on the wall clock. What is not marked otherwise belongs to the look.
 */
final class SlotTask extends Task {
    private static final Duration RECHECK_SPAN = Duration.ofNanos(RECHECK);

    private final Slots slots;
    private final WallClock clock;
    private final Judged judged = new Judged();
    private Instant from;
    private volatile @Nullable Instant next; // read from anywhere
    private boolean follows; // next is the first one after the last that was judged
    private @Nullable Term begun; // the last one that its catch-up is done for
    private boolean told;

    private long now;
    private Instant wall;
    private boolean setBack;
    private @Nullable Term term;

    SlotTask(Plan plan, Slots slots, ScheduleHost host, Terms terms, Lanes lanes, Leaving leaving) {
        super(plan, host, terms, lanes, leaving);
        this.slots = slots;
        clock = new WallClock(host.time());
        from = clock.wall();
        wall = from;
    }

    @Override
    void glance() {
        now = host().time().now();
        wall = clock.wall();
        setBack = clock.isSetBack();
        term = term();
    }

    @Override
    boolean callsUser() {
        Instant due = next;
        return slots.callsUser() && (due == null || setBack || !due.isAfter(wall) || catchesUp());
    }

    private boolean catchesUp() {
        Term present = term;
        return present != null && !present.equals(begun) && plan().afterHandOver() == AfterHandOver.AT_LEAST_ONCE;
    }

    @Override
    @Nullable
    TaskRun look() {
        clock.look();
        boolean catchUp = catchesUp();
        Instant due = next;
        if (due == null || (setBack && due.isAfter(wall))) {
            find(due == null && !setBack ? from : wall);
            due = next;
        }
        TaskRun run = null;
        if (due != null && !due.isAfter(wall)) {
            run = due(due);
        } else if (catchUp) {
            run = catchUp();
        }
        setAlarm();
        return run;
    }

    /**
     * The first slot after a time that was not judged yet.
     */
    private void find(Instant after) {
        try {
            Instant found = slots.next(after);
            for (Instant end = judged.endOfSpan(found); end != null; end = judged.endOfSpan(found)) {
                found = slots.next(end);
            }
            next = found;
            follows = false;
            told = false;
        } catch (SlotsUnknown unknown) {
            unknown(unknown, wall);
        }
    }

    private @Nullable TaskRun due(Instant first) {
        Instant slot = first;
        try {
            Passed passed = slots.passed(first, wall);
            if (passed.older() > 0) {
                skip(first, SlotOutcome.MISSED, passed.older());
            }
            slot = passed.newest();
            judged.add(slot, follows && passed.older() == 0);
            next = passed.next();
            follows = true;
            if (judged.endOfSpan(passed.next()) != null) {
                find(slot);
            }
        } catch (SlotsUnknown unknown) {
            judged.add(slot, follows);
            unknown(unknown, wall);
            return decide(slot, isBefore(slot, term) ? null : term); // a newer one may be to catch up with yet
        }
        begun = term != null ? term : begun;
        return decide(slot, isBefore(slot, term) ? null : term);
    }

    /**
     * Whether a slot is no matter of a term, for it was due before that began.
     */
    private boolean isBefore(Instant slot, @Nullable Term present) {
        return present != null
                && plan().afterHandOver() == AfterHandOver.AT_MOST_ONCE
                && clock.dueAt(slot) < present.beganAt();
    }

    /**
     * To be tried again while the term goes on, if the newest slot is not known now.
     */
    private @Nullable TaskRun catchUp() {
        try {
            Instant newest = slots.newest(wall);
            begun = term;
            told = false;
            if (newest != null && !isCompleted(newest)) {
                judged.add(newest, false);
                return decide(newest, term);
            }
        } catch (SlotsUnknown unknown) {
            tell(unknown);
        }
        return null;
    }

    /**
     * It waits, and asks again from a later time.
     */
    private void unknown(SlotsUnknown why, Instant askAgainFrom) {
        next = null;
        from = askAgainFrom;
        tell(why);
    }

    private void tell(SlotsUnknown why) {
        if (!told) {
            told = true;
            host().fault(CoreEvent.CALENDAR_FAILED, "calendar of task " + plan().name(), why, true);
        }
    }

    private void setAlarm() {
        Instant due = next;
        Duration wait = due == null ? RECHECK_SPAN : Duration.between(wall, due);
        alarmAt(now + (wait.compareTo(RECHECK_SPAN) > 0 ? RECHECK : wait.toNanos()));
    }

    @Override
    void termBegan() {
        if (plan().afterHandOver() == AfterHandOver.AT_LEAST_ONCE) {
            wake();
        }
    }

    @Override
    void runEnded() {}

    @Override
    @Nullable
    Instant next() {
        return next;
    }
}
