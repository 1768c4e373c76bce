package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * User code has ended; the record is being freed. Nothing is renewed.
 *
 * @param since when the term ended
 * @param deadline when this side counts the grant as over
 * @param giveUpAt when whoever waits is told that it was left to expire
 * @param asked the request under way
 * @param limitAt when it counts as unanswered
 * @param dueAt when to ask again
 */
public record Releasing(
        Term term,
        long deadline,
        LossReason reason,
        long since,
        long giveUpAt,
        @Nullable Call asked,
        long limitAt,
        long dueAt)
        implements Phase {

    @Override
    public void on(Turn turn, Event event) {
        if (event instanceof Event.Released answer && term.owns(answer.call())) {
            turn.storeAnswered();
            finish(turn, answer.freed() ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HOLDER);
        } else if (event instanceof Event.Failed failed
                && asked != null
                && failed.call().id() == asked.id()) {
            failed(turn, failed.error());
        } else if (event instanceof Event.Acquired answer && term.owns(answer.call())) {
            turn.sortGrant(answer, term);
        } else if (event instanceof Event.Renewed answer && term.owns(answer.call())) {
            turn.storeAnswered(); // the release decides, whatever a renewal says
        } else if (event instanceof Event.Closed) {
            leave(turn);
        } else if (event instanceof Event.End end) {
            turn.joinEnd(end.reason());
        } else {
            turn.takeStray(event);
        }
    }

    private void failed(Turn turn, Throwable error) {
        turn.storeFailed(error);
        turn.phase = new Releasing(
                term, deadline, reason, since, giveUpAt, null, Time.NEVER, turn.now + turn.releaseRetry());
    }

    private void finish(Turn turn, ReleaseOutcome outcome) {
        if (reason.isVoluntary()) { // at a loss it was told then
            turn.effect(new Effect.Lapse(term));
        }
        turn.settle(term, outcome, since);
        turn.afterTerm(reason);
    }

    @Override
    public void due(Turn turn) {
        if (turn.now >= giveUpAt) {
            leave(turn);
        } else if (turn.now >= limitAt) {
            failed(turn, turn.noAnswer());
        } else if (turn.now >= dueAt) {
            Call call = turn.call(Call.Kind.RELEASE, term.incarnation(), term.token());
            turn.phase = new Releasing(
                    term,
                    deadline,
                    reason,
                    since,
                    giveUpAt,
                    call,
                    turn.now + turn.timing().call(),
                    Time.NEVER);
        }
    }

    /**
     * Whoever waits is told; the releases go on beside.
     */
    private void leave(Turn turn) {
        turn.orphan(
                Orphan.granted(term.incarnation(), term.token(), turn.expiry(deadline), turn.now, turn.releaseRetry()));
        finish(turn, ReleaseOutcome.LEFT_TO_EXPIRE);
    }

    @Override
    public void expire(Turn turn) {
        leave(turn);
    }

    @Override
    public long wakeAt() {
        return Math.min(Math.min(deadline, giveUpAt), Math.min(limitAt, dueAt));
    }
}
