package dev.tenure;

import java.util.Locale;

/**
 * Why a term ended. Constants may be added.
 */
public enum LossReason {
    /**
     * The store ended the session or the record that the lease rests on.
     */
    SESSION_EXPIRED(Decision.STORE),
    /**
     * The record is gone or belongs to another holder.
     */
    TAKEN_OVER(Decision.STORE),
    /**
     * The store confirmed nothing in time: an outage, a partition or a pause, seen from inside.
     */
    DEADLINE_EXCEEDED(Decision.NODE),
    /**
     * The leader work or an {@code elected} listener threw, or the health check failed.
     */
    WORK_FAILED(Decision.NODE),
    /**
     * {@link LeaderElector#resign()}.
     */
    RESIGNED(Decision.APPLICATION),
    /**
     * The owner released the lease, or the leader work returned.
     */
    RELEASED(Decision.APPLICATION),
    /**
     * The elector or the Tenure was stopped.
     */
    STOPPED(Decision.APPLICATION);

    /**
     * Who decided.
     */
    public enum Decision {
        STORE,
        NODE,
        APPLICATION
    }

    private final Decision decidedBy;

    LossReason(Decision decidedBy) {
        this.decidedBy = decidedBy;
    }

    /**
     * As metrics and traces show it: the name in lower case.
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Decision decidedBy() {
        return decidedBy;
    }

    /**
     * Whether the application wanted it: then the lease is still renewed while work drains.
     */
    public boolean isVoluntary() {
        return decidedBy == Decision.APPLICATION;
    }
}
