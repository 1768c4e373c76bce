package dev.tenure.micrometer;

import dev.tenure.Lease;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the gauges of a role show: asked of the lease each time, so that it is right when nobody tells anything any more.
 * Keeps leases that run, and none that has ended.
 */
final class LeaseGauges {
    private final Set<Lease> running = ConcurrentHashMap.newKeySet();
    private volatile double token;

    void elected(Lease lease) {
        running.add(lease);
        token = tokenOf(lease);
    }

    void lost(Lease lease) {
        running.remove(lease);
    }

    private static double tokenOf(Lease lease) {
        try {
            return (double) lease.fencingToken().value();
        } catch (IllegalStateException uncoordinated) {
            return 0;
        }
    }

    double leads() {
        running.removeIf(lease -> !lease.isHeld());
        return running.isEmpty() ? 0 : 1;
    }

    double token() {
        return token;
    }

    /**
     * How many leases it keeps.
     */
    int size() {
        return running.size();
    }

    void clear() {
        running.clear();
    }
}
