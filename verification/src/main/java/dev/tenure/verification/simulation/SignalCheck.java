package dev.tenure.verification.simulation;

import dev.tenure.Lease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * I6 on the side of listeners: {@code lost} once and only after {@code elected}, soon after the end of the term. And a
 * lease that was seen as not held is never held again.
 */
final class SignalCheck {
    private static final long SOON = TimeUnit.SECONDS.toNanos(1);
    private static final int KEPT = 64;

    private final World world;
    private final Map<String, Told> open = new HashMap<>();
    private final List<Told> recent = new ArrayList<>();

    /**
     * One term of one elector, to its listener.
     */
    private static final class Told {
        private final Instance instance;
        private final String term;
        private final Lease lease;
        private long endedAt = -1;
        private boolean lostToListener;
        private boolean lostToLease;
        private boolean wasFalse;

        Told(Instance instance, String term, Lease lease) {
            this.instance = instance;
            this.term = term;
            this.lease = lease;
        }
    }

    SignalCheck(World world) {
        this.world = world;
    }

    private static String name(Instance instance, String role, long term) {
        return instance.name() + " " + role + " term " + term;
    }

    void elected(Instance instance, String role, Lease lease) {
        Told told = new Told(instance, name(instance, role, lease.term()), lease);
        if (open.put(told.term, told) != null) {
            world.violated("signals", "elected was told twice: " + told.term);
        }
        recent.add(told);
        if (recent.size() > KEPT) {
            recent.remove(0);
        }
    }

    /**
     * @param byLease whether a callback of the lease was told, or else the elector's listener
     */
    void lost(Instance instance, String role, Lease lease, boolean byLease) {
        String term = name(instance, role, lease.term());
        Told told = open.get(term);
        if (told == null || (byLease ? told.lostToLease : told.lostToListener)) {
            world.violated("signals", "lost was told without elected, or twice: " + term);
            return;
        }
        told.lostToLease |= byLease;
        told.lostToListener |= !byLease;
        if (told.lostToLease && told.lostToListener) {
            open.remove(term);
        }
        if (lease.isHeld()) {
            world.violated("signals", "lost was told and it is held: " + term);
        }
    }

    /**
     * The engine ended a term.
     */
    void ended(Instance instance, String role, long term) {
        Told told = open.get(name(instance, role, term));
        if (told != null) {
            told.endedAt = world.agenda().now();
        }
    }

    /**
     * User code looked.
     */
    void looked(Lease lease, boolean held) {
        for (int i = recent.size() - 1; i >= 0; i--) {
            Told told = recent.get(i);
            if (told.lease == lease) {
                if (held && told.wasFalse) {
                    world.violated("revived", "held again: " + told.term);
                }
                told.wasFalse |= !held;
            }
        }
    }

    /**
     * Somebody looks at all leases of an instance, old ones too.
     */
    void observe(Instance instance) {
        for (Told told : recent) {
            if (told.instance == instance) {
                instance.users().isHeld(told.lease.role(), told.lease);
                if (!told.lease.remaining().isZero()) {
                    world.checks().work().remains(instance, told.lease);
                }
            }
        }
    }

    void look() {
        long now = world.agenda().now();
        open.values().removeIf(told -> told.instance.isDead());
        for (Told told : open.values()) {
            long since = told.instance.runsSince();
            if (told.endedAt >= 0 && told.endedAt < now - SOON && since < now - SOON) {
                world.violated("signals", "lost was not told: " + told.term + ", ended at " + told.endedAt);
            }
        }
    }
}
