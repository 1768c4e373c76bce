package dev.tenure.test.virtual;

/**
 * What holds in every election, under its assumptions.
 */
public enum Invariant {
    /**
     * The store grants a key to one holder at a time, and no two processes that run believe in it.
     */
    ONE_LEADER,
    /**
     * Tokens rise from grant to grant and stay within a term.
     */
    TOKENS_RISE,
    /**
     * A process that runs and believes that it leads has the store's grant.
     */
    HELD_IS_GRANTED,
    /**
     * A renewal or release that does not match changes nothing.
     */
    STALE_CHANGES_NOTHING,
    /**
     * Nobody leads past the deadline, and the loss is told by then.
     */
    LOST_BY_DEADLINE,
    /**
     * A registration is told {@code lost} once after each {@code elected}, and nothing else.
     */
    SIGNALS_IN_ORDER,
    /**
     * What was once not held never is again.
     */
    NEVER_HELD_AGAIN,
    /**
     * No request is waited for without limit.
     */
    CALL_LIMITED,
    /**
     * A closed Tenure leaves no watch, no election and asks nothing.
     */
    NOTHING_LEFT
}
