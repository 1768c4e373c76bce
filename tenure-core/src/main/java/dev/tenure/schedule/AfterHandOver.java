package dev.tenure.schedule;

/**
 * What becomes of the slots around a change of the leader. Neither is "exactly once", which nothing can promise: a
 * leader may act and be gone before anybody knows that it did.
 */
public enum AfterHandOver {
    /**
     * A term runs no slot that was due before it began. A slot that the leader before did not finish, and one that came
     * due while nobody led, is not run.
     */
    AT_MOST_ONCE,
    /**
     * A term begins with the newest slot that was due before it, once, unless this very instance completed that slot. So
     * a slot that the leader before completed is run again, with a higher token; of several that nobody ran only the
     * newest is. No effect on {@link Schedule#fixedDelay}, whose first run is at the begin of each term.
     */
    AT_LEAST_ONCE
}
