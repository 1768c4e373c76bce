package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.ElectionMonitor.Outcome;
import dev.tenure.spi.RenewResult;

/**
 * Has given leadership up, and renews the lease until user code has ended.
 *
 * @param since when the term ended
 * @param endsAt when it waits no longer
 * @param interruptAt when work is interrupted; {@link Time#NEVER} once it was
 */
public record Draining(
        Term term, long deadline, Renewal renewal, LossReason reason, long since, long endsAt, long interruptAt)
        implements Phase {

    @Override
    public void on(Turn turn, Event event) {
        if (event instanceof Event.UserCodeEnded ended && ended.term() == term.number()) {
            turn.release(
                    term,
                    deadline,
                    reason,
                    since,
                    Math.max(endsAt, turn.now + turn.timing().call()));
        } else if (event instanceof Event.Renewed answer && term.owns(answer.call())) {
            renewed(turn, answer);
        } else if (event instanceof Event.Acquired answer && term.owns(answer.call())) {
            turn.sortGrant(answer, term);
            if (TurnState.grants(answer, term)) {
                confirmed(turn, answer.call());
            }
        } else if (event instanceof Event.Failed failed && renewal.isAsked(failed.call())) {
            turn.phase = with(turn.renewalFailed(term, deadline, renewal, failed.error()));
        } else if (event instanceof Event.End end) {
            turn.joinEnd(end.reason());
        } else if (event instanceof Event.Sealed sealed && sealed.term() == term.number()) {
            turn.cut(this, ReleaseOutcome.LEFT_TO_EXPIRE);
        } else if (event instanceof Event.Suspended || event instanceof Event.Closed) {
            turn.cut(this, ReleaseOutcome.LEFT_TO_EXPIRE);
        } else if (event instanceof Event.Woken || event instanceof Event.WallClockJumped) {
            turn.phase = with(renewal.hinted(turn.now, turn.timing().shortestHint()));
        } else if (event instanceof Event.Batch) {
            if (renewal.dueAt() - turn.timing().batchWindow() <= turn.now) {
                turn.phase = with(turn.renew(term));
            }
        } else {
            turn.takeStray(event);
        }
    }

    private void renewed(Turn turn, Event.Renewed answer) {
        if (answer.result() == RenewResult.RENEWED) {
            turn.effect(new Effect.RenewFinished(term, Outcome.SUCCEEDED, answer.call(), deadline - turn.now));
            confirmed(turn, answer.call());
            return;
        }
        turn.storeAnswered();
        turn.effect(new Effect.RenewFinished(term, Outcome.REFUSED, answer.call(), deadline - turn.now));
        turn.cut(this, ReleaseOutcome.NOT_HOLDER);
    }

    private void confirmed(Turn turn, Call call) {
        long extended = turn.extend(term, deadline, call);
        Renewal next = turn.afterConfirmed(renewal, call, extended);
        turn.phase = new Draining(term, extended, next, reason, since, endsAt, interruptAt);
    }

    @Override
    public void due(Turn turn) {
        if (turn.now >= interruptAt) {
            turn.effect(new Effect.Interrupt(term));
            turn.phase = new Draining(term, deadline, renewal, reason, since, endsAt, Time.NEVER);
        } else if (turn.now >= endsAt) {
            turn.leaveToExpire(this);
        } else if (turn.now >= renewal.limitAt()) {
            turn.phase = with(turn.renewalFailed(term, deadline, renewal, turn.noAnswer()));
        } else if (turn.now >= renewal.dueAt()) {
            turn.phase = with(turn.renew(term));
        }
    }

    private Draining with(Renewal changed) {
        return new Draining(term, deadline, changed, reason, since, endsAt, interruptAt);
    }

    @Override
    public void expire(Turn turn) {
        turn.cut(this, ReleaseOutcome.LEFT_TO_EXPIRE);
    }

    @Override
    public long wakeAt() {
        return Math.min(Math.min(deadline, endsAt), Math.min(interruptAt, renewal.wakeAt()));
    }
}
