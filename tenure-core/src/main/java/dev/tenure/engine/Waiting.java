package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.AcquireResult.Granted;

/**
 * Stands, and waits until it asks.
 *
 * @param incarnation under which it asks; kept until a grant, so that a lost answer is resolved by asking again
 * @param doubtUntil until when an unanswered request of this incarnation may take effect
 * @param notBefore wake-ups do not shorten the wait below this
 */
public record Waiting(String incarnation, long doubtUntil, long askAt, long notBefore) implements Phase {

    @Override
    public void on(Turn turn, Event event) {
        if (event instanceof Event.Woken) {
            long soon = Math.max(notBefore, turn.now + turn.draw(turn.timing().spread()));
            if (soon < askAt) {
                turn.phase = new Waiting(incarnation, doubtUntil, soon, notBefore);
            }
        } else if (event instanceof Event.End end) {
            end(turn, end.reason());
        } else if (event instanceof Event.Acquired answer
                && answer.call().incarnation().equals(incarnation)) {
            late(turn, answer);
        } else {
            turn.takeStray(event);
        }
    }

    private void late(Turn turn, Event.Acquired answer) {
        if (answer.result() instanceof Granted granted) {
            turn.granted(answer.call(), granted);
        } else {
            turn.observe(answer.result());
        }
    }

    private void end(Turn turn, LossReason reason) {
        if (reason == LossReason.STOPPED) {
            turn.abandon(incarnation, doubtUntil);
            turn.stop();
        }
        turn.settle(null, ReleaseOutcome.NOT_HOLDER, turn.now);
    }

    @Override
    public void due(Turn turn) {
        if (turn.isOverdue()) {
            turn.abandon(incarnation, doubtUntil);
            turn.giveUp();
        } else if (turn.now >= askAt) {
            turn.ask(incarnation, doubtUntil);
        }
    }

    @Override
    public long wakeAt() {
        return askAt;
    }
}
