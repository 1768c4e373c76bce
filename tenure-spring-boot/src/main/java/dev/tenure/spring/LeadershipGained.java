package dev.tenure.spring;

import dev.tenure.Lease;

/**
 * Application event: this instance was elected. Published on a callback thread, in order per role; what a listener throws
 * ends the term as {@link dev.tenure.LossReason#WORK_FAILED}. A term that ended before its turn is not told.
 */
public record LeadershipGained(Lease lease) {
    public String role() {
        return lease.role();
    }
}
