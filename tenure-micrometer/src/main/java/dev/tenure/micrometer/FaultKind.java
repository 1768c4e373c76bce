package dev.tenure.micrometer;

import java.util.Locale;

/**
 * What {@link TenureMeters#FAULTS} counts.
 */
enum FaultKind {
    /**
     * A listener, leader work or the loop threw, or a health check failed for its grace.
     */
    SURVIVED,
    /**
     * An outage of the store began for this candidate.
     */
    STORE_FAILING,
    TOKEN_REGRESSED,
    WALL_CLOCK_JUMPED;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
