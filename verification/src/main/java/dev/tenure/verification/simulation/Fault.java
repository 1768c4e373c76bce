package dev.tenure.verification.simulation;

/**
 * A fault that can be planted, to see that it is found. None is in shipped code.
 */
public enum Fault {
    NONE,
    /**
     * The deadline counts from the answer, not from the sending of the request.
     */
    DEADLINE_FROM_REPLY,
    /**
     * The fenced resource compares no tokens.
     */
    NO_TOKEN_COMPARE,
    /**
     * The store frees a record whose holder has the asker's name.
     */
    RELEASE_BY_NAME,
    /**
     * The work goes by a flag that listeners set and clear, not by the lease.
     */
    FLAG_INSTEAD_OF_DEADLINE,
    /**
     * After a refused renewal the record is acquired again and the term goes on.
     */
    LOST_TERM_CONTINUED,
    /**
     * The engine takes an answer that comes after the deadline.
     */
    LATE_ANSWER_PROLONGS,
    /**
     * A handle that was seen as not held is held again when a late answer says so.
     */
    LATE_ANSWER_REVIVES,
    /**
     * What an abandoned acquisition may be granted is not released.
     */
    ABANDONED_NOT_RELEASED,
    /**
     * It is released once, and forgotten if nothing was there yet: the acquisition may be delivered after its release.
     */
    ACQUIRE_AFTER_RELEASE,
    /**
     * A refused renewal does not cut a drain.
     */
    DRAIN_NOT_CUT,
    /**
     * The candidate stands again while work of its last term runs.
     */
    SECOND_WORK
}
