package dev.tenure.engine;

/**
 * Where an election stands on this side. Each phase says how it takes events, what is due, and when to look again.
 */
public sealed interface Phase permits Idle, Waiting, Asking, Leading, Draining, Releasing, Leaving {

    /**
     * Takes an event. The deadline, if there is one, has not passed.
     */
    void on(Turn turn, Event event);

    /**
     * Does what time demands, once; called until nothing changes.
     */
    void due(Turn turn);

    /**
     * When {@link #due} has something to do next.
     */
    long wakeAt();

    /**
     * Until when this side may act on the grant; {@link Time#NEVER} if there is none.
     */
    default long deadline() {
        return Time.NEVER;
    }

    /**
     * The deadline has passed: whatever the event is, this comes first.
     */
    default void expire(Turn turn) {}
}
