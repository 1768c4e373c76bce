package dev.tenure.engine;

import dev.tenure.FencedOutException;
import dev.tenure.LossReason;
import dev.tenure.spi.ElectionMonitor.Outcome;
import dev.tenure.spi.RenewResult;

/**
 * Leads.
 *
 * @param workAt when the leader work starts; {@link Time#NEVER} once it has
 */
public record Leading(Term term, long deadline, Renewal renewal, Health health, long workAt) implements Phase {

    @Override
    public void on(Turn turn, Event event) {
        if (event instanceof Event.Renewed answer && term.owns(answer.call())) {
            renewed(turn, answer);
        } else if (event instanceof Event.Acquired answer && term.owns(answer.call())) {
            acquiredAgain(turn, answer);
        } else if (event instanceof Event.Failed failed && renewal.isAsked(failed.call())) {
            turn.phase = with(turn.renewalFailed(term, deadline, renewal, failed.error()));
        } else if (event instanceof Event.End end && (end.term() == 0 || end.term() == term.number())) {
            turn.drain(this, end.reason());
        } else if (event instanceof Event.WorkReturned returned && returned.term() == term.number()) {
            turn.drain(this, LossReason.RELEASED);
        } else if (event instanceof Event.UserCodeFailed failed && failed.term() == term.number()) {
            boolean fenced = failed.error() instanceof FencedOutException;
            turn.lose(this, fenced ? LossReason.TAKEN_OVER : LossReason.WORK_FAILED);
        } else if (event instanceof Event.Sealed sealed && sealed.term() == term.number()) {
            turn.lose(this, LossReason.DEADLINE_EXCEEDED);
        } else if (event instanceof Event.Suspended) {
            turn.lose(this, LossReason.DEADLINE_EXCEEDED);
        } else if (event instanceof Event.Woken || event instanceof Event.WallClockJumped) {
            turn.phase = with(renewal.hinted(turn.now, turn.timing().shortestHint()));
        } else if (event instanceof Event.Closed) {
            turn.drain(this, LossReason.STOPPED);
            turn.phase.on(turn, event);
        } else if (event instanceof Event.Batch) {
            joinBatch(turn);
        } else if (event instanceof Event.HealthAnswered answer && answer.term() == term.number()) {
            turn.phase = new Leading(term, deadline, renewal, health.answered(answer.healthy()), workAt);
        } else {
            turn.takeStray(event);
        }
    }

    private void renewed(Turn turn, Event.Renewed answer) {
        if (answer.result() == RenewResult.RENEWED) {
            confirmed(turn, answer.call(), true);
            return;
        }
        turn.storeAnswered();
        turn.effect(new Effect.RenewFinished(term, Outcome.REFUSED, answer.call(), deadline - turn.now));
        turn.lose(
                this, answer.result() == RenewResult.SESSION_GONE ? LossReason.SESSION_EXPIRED : LossReason.TAKEN_OVER);
    }

    /**
     * A request of the acquisition, sent twice, is answered once more.
     */
    private void acquiredAgain(Turn turn, Event.Acquired answer) {
        turn.sortGrant(answer, term);
        if (TurnState.grants(answer, term)) {
            confirmed(turn, answer.call(), false);
        } else {
            turn.phase = with(renewal.hinted(turn.now, turn.timing().shortestHint()));
        }
    }

    private void confirmed(Turn turn, Call call, boolean renewing) {
        if (renewing) {
            turn.effect(new Effect.RenewFinished(term, Outcome.SUCCEEDED, call, deadline - turn.now));
        }
        long extended = turn.extend(term, deadline, call);
        turn.phase = new Leading(term, extended, turn.afterConfirmed(renewal, call, extended), health, workAt);
    }

    private void joinBatch(Turn turn) {
        if (renewal.dueAt() - turn.timing().batchWindow() <= turn.now) {
            renew(turn);
        }
    }

    private void renew(Turn turn) {
        Health asked = health;
        if (turn.timing().healthGrace() > 0 && !health.isAsked()) {
            turn.effect(new Effect.AskHealth(term));
            asked = health.asking(turn.now);
        }
        turn.phase = new Leading(term, deadline, turn.renew(term), asked, workAt);
    }

    @Override
    public void due(Turn turn) {
        if (turn.now >= workAt) {
            turn.effect(new Effect.StartWork(term));
            turn.phase = new Leading(term, deadline, renewal, health, Time.NEVER);
        } else if (turn.now >= health.endsAt(turn.timing().healthGrace())) {
            turn.effect(new Effect.Unhealthy(term));
            turn.lose(this, LossReason.WORK_FAILED);
        } else if (turn.now >= renewal.limitAt()) {
            turn.phase = with(turn.renewalFailed(term, deadline, renewal, turn.noAnswer()));
        } else if (turn.now >= renewal.dueAt()) {
            renew(turn);
        }
    }

    private Leading with(Renewal changed) {
        return new Leading(term, deadline, changed, health, workAt);
    }

    @Override
    public void expire(Turn turn) {
        turn.lose(this, LossReason.DEADLINE_EXCEEDED);
    }

    @Override
    public long wakeAt() {
        return Math.min(Math.min(deadline, workAt), renewal.wakeAt());
    }
}
