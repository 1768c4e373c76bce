package dev.tenure;

/**
 * How a voluntary end of a term came out at the store.
 */
public enum ReleaseOutcome {
    /**
     * The record is free: a candidate that is woken leads at once, one that polls within its retry interval.
     */
    RELEASED,
    /**
     * There was nothing to release: not leading, or lost before.
     */
    NOT_HOLDER,
    /**
     * The store did not answer or work still runs; the record is left to expire.
     */
    LEFT_TO_EXPIRE
}
