package dev.tenure.engine;

import dev.tenure.ReleaseOutcome;

/**
 * Does not stand.
 */
public record Idle() implements Phase {
    static final Idle INSTANCE = new Idle();

    @Override
    public void on(Turn turn, Event event) {
        if (event instanceof Event.Stand stand) {
            if (stand.highest() > 0) {
                turn.highest = stand.highest();
                turn.acceptedMark = stand.mark();
            }
            turn.standing = true;
            turn.effect(new Effect.Standing());
            turn.standFrom(turn.now);
        } else if (event instanceof Event.End) {
            turn.settle(null, ReleaseOutcome.NOT_HOLDER, turn.now);
        } else {
            turn.takeStray(event);
        }
    }

    @Override
    public void due(Turn turn) {}

    @Override
    public long wakeAt() {
        return Time.NEVER;
    }
}
