package dev.tenure.schedule;

/**
 * What became of a slot on this instance. Constants may be added.
 */
public enum SlotOutcome {
    /**
     * It ran, and returned.
     */
    RAN(true),
    /**
     * It ran, and threw.
     */
    FAILED(true),
    /**
     * It ran, and the end of its term cut it short.
     */
    INTERRUPTED(true),
    /**
     * Skipped: this instance did not lead when it was due, or its term began only after that.
     */
    FOLLOWER(false),
    /**
     * Skipped: less was left of the lease than the task {@linkplain TaskOptions#needs needs}.
     */
    LEASE_TOO_SHORT(false),
    /**
     * Skipped: the run before was still going on, or one of a removed task of the same name.
     */
    STILL_RUNNING(false),
    /**
     * Skipped: seen so late, after a pause of the process or because the clock was set forward, that a newer slot of the
     * task was due as well, which stands for all of them.
     */
    MISSED(false);

    private final boolean run;

    SlotOutcome(boolean run) {
        this.run = run;
    }

    /**
     * Whether the task was begun.
     */
    public boolean isRun() {
        return run;
    }
}
