package dev.tenure.verification.simulation;

import dev.tenure.Lease;
import java.util.HashMap;
import java.util.Map;

/**
 * I8: no unit of work begins past the deadline, as counted from what was seen on the wire. And within one process at
 * most one leader work of a role runs at a time.
 */
final class WorkCheck {
    private final World world;
    private final Map<String, Lease> running = new HashMap<>();

    WorkCheck(World world) {
        this.world = world;
    }

    void begins(Instance instance, String role, Lease lease) {
        Lease other = running.put(instance.name() + " " + role, lease);
        if (other != null) {
            world.violated("second work", instance.name() + " runs work of " + lease + " beside that of " + other);
        }
        unit(instance, role, lease);
    }

    void ends(Instance instance, String role) {
        running.remove(instance.name() + " " + role);
    }

    void unit(Instance instance, String role, Lease lease) {
        long now = instance.clock().now();
        long until = instance.beliefs().allowedUntil(role, lease.fencingToken().value());
        if (now >= until) {
            world.violated("I8", instance.name() + " begins a unit of " + lease + " at its " + now + ", not " + until);
        }
        granted(instance, role, lease);
        world.tally().count("units of work");
    }

    /**
     * Some of the lease is said to remain, as while work drains.
     */
    void remains(Instance instance, Lease lease) {
        granted(instance, lease.role(), lease);
    }

    /**
     * I3 as user code sees it.
     */
    private void granted(Instance instance, String role, Lease lease) {
        long token = lease.fencingToken().value();
        Grant grant = world.server().ledger().live(role);
        if ((grant == null || grant.token() != token)
                && !world.server().ledger().isAssumptionBroken(role, token)
                && !instance.beliefs().hasSlept(role, token)) {
            world.violated("I3", instance.name() + " acts on " + lease + ", the store has " + grant);
        }
    }
}
