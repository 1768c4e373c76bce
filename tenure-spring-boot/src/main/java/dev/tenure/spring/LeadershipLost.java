package dev.tenure.spring;

import dev.tenure.Lease;
import dev.tenure.LossReason;

/**
 * Application event: a term of this instance ended. Published on a callback thread, once for each
 * {@link LeadershipGained}; at a voluntary end the lease is released only after all listeners have returned.
 */
public record LeadershipLost(Lease lease, LossReason reason) {
    public String role() {
        return lease.role();
    }
}
