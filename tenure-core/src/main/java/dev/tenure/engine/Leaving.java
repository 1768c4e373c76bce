package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;

/**
 * The term is over; its user code may still run. Until that has returned, this instance does not stand again.
 *
 * @param since when the term ended
 * @param lapseAt when the grant is over of which nothing is renewed; {@link Time#NEVER} if it is
 * @param releasable whether the record is freed if user code ends before {@code deadlineOfGrant}
 * @param codeEnded whether user code has returned
 * @param settleAt when whoever asked for an end is told; {@link Time#NEVER} if nobody did
 */
public record Leaving(
        Term term,
        LossReason reason,
        long since,
        long lapseAt,
        boolean releasable,
        long deadlineOfGrant,
        boolean codeEnded,
        long settleAt)
        implements Phase {

    static Leaving lost(Term term, LossReason reason, long now, long deadline) {
        boolean releasable = reason == LossReason.WORK_FAILED && term.isCoordinated();
        return new Leaving(term, reason, now, Time.NEVER, releasable, deadline, false, Time.NEVER);
    }

    static Leaving cut(Draining from) {
        return new Leaving(
                from.term(), from.reason(), from.since(), Time.NEVER, false, from.deadline(), false, Time.NEVER);
    }

    static Leaving leftToExpire(Draining from) {
        return new Leaving(
                from.term(), from.reason(), from.since(), from.deadline(), false, from.deadline(), false, Time.NEVER);
    }

    /**
     * Whether it is user code that this instance waits for, and not the end of the grant.
     */
    public boolean isStuck() {
        return !codeEnded;
    }

    @Override
    public void on(Turn turn, Event event) {
        if (event instanceof Event.UserCodeEnded ended && ended.term() == term.number()) {
            codeEnded(turn);
        } else if (event instanceof Event.End end) {
            end(turn, end.reason());
        } else if (event instanceof Event.Closed) {
            closed(turn);
        } else if (event instanceof Event.Renewed answer && term.owns(answer.call())) {
            turn.storeAnswered();
            if (!reason.isVoluntary() && !releasable) {
                turn.releaseLate(answer);
            }
        } else if (event instanceof Event.Acquired answer && term.owns(answer.call())) {
            turn.sortGrant(answer, reason.isVoluntary() || releasable ? term : null);
        } else {
            turn.takeStray(event);
        }
    }

    private void codeEnded(Turn turn) {
        if (releasable && turn.now < deadlineOfGrant) {
            turn.release(
                    term,
                    deadlineOfGrant,
                    reason,
                    since,
                    turn.now + turn.timing().call());
        } else {
            turn.phase = new Leaving(term, reason, since, lapseAt, releasable, deadlineOfGrant, true, settleAt);
        }
    }

    private void closed(Turn turn) {
        if (lapseAt != Time.NEVER) {
            lapse(turn);
        }
        if (settleAt != Time.NEVER) {
            turn.settle(null, ReleaseOutcome.LEFT_TO_EXPIRE, turn.now);
        }
        turn.phase = new Leaving(term, reason, since, Time.NEVER, releasable, deadlineOfGrant, codeEnded, Time.NEVER);
    }

    private void lapse(Turn turn) {
        turn.effect(new Effect.Seal(term));
        turn.effect(new Effect.Lapse(term));
    }

    private void end(Turn turn, LossReason asked) {
        turn.joinEnd(asked);
        if (asked != LossReason.STOPPED && settleAt == Time.NEVER) {
            turn.settle(null, ReleaseOutcome.NOT_HOLDER, turn.now);
        } else if (settleAt == Time.NEVER) {
            long at = turn.now + turn.timing().drain();
            turn.phase = new Leaving(term, reason, since, lapseAt, releasable, deadlineOfGrant, codeEnded, at);
        }
    }

    @Override
    public void due(Turn turn) {
        if (turn.now >= lapseAt) {
            lapse(turn);
            turn.phase = new Leaving(term, reason, since, Time.NEVER, releasable, deadlineOfGrant, codeEnded, settleAt);
        } else if (codeEnded && lapseAt == Time.NEVER) {
            if (settleAt != Time.NEVER) {
                turn.settle(null, ReleaseOutcome.NOT_HOLDER, turn.now);
            }
            turn.afterTerm(reason);
        } else if (turn.now >= settleAt) {
            turn.settle(null, ReleaseOutcome.LEFT_TO_EXPIRE, turn.now);
            turn.phase = new Leaving(term, reason, since, lapseAt, releasable, deadlineOfGrant, codeEnded, Time.NEVER);
        }
    }

    @Override
    public long wakeAt() {
        return Math.min(lapseAt, settleAt);
    }
}
