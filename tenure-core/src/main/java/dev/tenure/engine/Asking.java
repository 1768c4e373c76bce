package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;

/**
 * Has asked for the key.
 *
 * @param doubtUntil until when an earlier unanswered request of this incarnation may take effect
 * @param limitAt when the request counts as unanswered
 * @param hinted whether something changed since it was sent, so that a denial is old
 */
public record Asking(Call call, long doubtUntil, long limitAt, boolean hinted) implements Phase {

    @Override
    public void on(Turn turn, Event event) {
        if (event instanceof Event.Acquired answer
                && answer.call().incarnation().equals(call.incarnation())) {
            answered(turn, answer);
        } else if (event instanceof Event.Failed failed && failed.call().id() == call.id()) {
            turn.acquireFailed(this, failed.error(), failed.everAnswered());
        } else if (event instanceof Event.Woken) {
            turn.phase = new Asking(call, doubtUntil, limitAt, true);
        } else if (event instanceof Event.End end) {
            end(turn, end.reason());
        } else {
            turn.takeStray(event);
        }
    }

    private void answered(Turn turn, Event.Acquired answer) {
        if (answer.result() instanceof Granted granted) {
            turn.granted(answer.call(), granted);
        } else if (answer.call().id() == call.id()) {
            turn.denied(this, (Denied) answer.result());
        } else {
            turn.observe(answer.result());
        }
    }

    private void end(Turn turn, LossReason reason) {
        if (reason == LossReason.STOPPED) {
            turn.abandon(this);
            turn.stop();
        }
        turn.settle(null, ReleaseOutcome.NOT_HOLDER, turn.now);
    }

    @Override
    public void due(Turn turn) {
        if (turn.isOverdue()) {
            turn.abandon(this);
            turn.giveUp();
        } else if (turn.now >= limitAt) {
            turn.acquireFailed(this, turn.noAnswer(), turn.everAnswered);
        }
    }

    @Override
    public long wakeAt() {
        return limitAt;
    }
}
