package dev.tenure.test.virtual;

import dev.tenure.Lease;
import dev.tenure.engine.Asking;
import dev.tenure.engine.Call;
import dev.tenure.engine.Draining;
import dev.tenure.engine.Election;
import dev.tenure.engine.Leading;
import dev.tenure.engine.Leaving;
import dev.tenure.engine.Phase;
import dev.tenure.engine.Releasing;
import dev.tenure.engine.Term;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks at a {@link VirtualWorld} whenever it has come to rest, and at each request that arrives at the store, for what
 * must never be. A test calls {@link #verify()} at its end.
 */
public final class InvariantChecker {
    private final VirtualWorld world;
    private final Set<Invariant> allowed = EnumSet.noneOf(Invariant.class);
    private final Set<String> violations = new LinkedHashSet<>();
    private final GrantHistory grants = new GrantHistory(this);
    private final Map<Lease, Boolean> handles = new LinkedHashMap<>();
    private final Map<String, Integer> callsAtClose = new HashMap<>();
    private int handlesSeen;

    InvariantChecker(VirtualWorld world) {
        this.world = world;
    }

    /**
     * This test breaks the assumption of these: they are not judged.
     */
    public void allow(Invariant... broken) {
        allowed.addAll(List.of(broken));
    }

    boolean isAllowed(Invariant invariant) {
        return allowed.contains(invariant);
    }

    void violated(Invariant invariant, String how) {
        if (!allowed.contains(invariant) && violations.size() < 50) {
            violations.add(invariant + " at " + world.elapsed() + ": " + how);
        }
    }

    VirtualWorld world() {
        return world;
    }

    // requests

    void sent(StoreCall call) {
        grants.sent(call);
    }

    void applying(StoreCall call, Runnable operation) {
        grants.applying(call, operation);
    }

    // rest

    /**
     * The world has come to rest.
     */
    void look() {
        Map<String, String> believers = new HashMap<>();
        for (VirtualTenure process : world.processes()) {
            if (process.isMoving()) {
                for (Election election : process.engine().states()) {
                    look(process, election, believers);
                }
            }
        }
        lookAtHandles();
    }

    private void look(VirtualTenure process, Election election, Map<String, String> believers) {
        Phase phase = election.phase();
        if (phase instanceof Leading leading) {
            believe(process, leading.term(), leading.deadline(), believers);
            limited(process, election, leading.renewal().asked());
        } else if (phase instanceof Draining draining) {
            believe(process, draining.term(), draining.deadline(), believers);
            limited(process, election, draining.renewal().asked());
        } else if (phase instanceof Asking asking) {
            limited(process, election, asking.call());
        } else if (phase instanceof Releasing releasing) {
            limited(process, election, releasing.asked());
        }
    }

    private void limited(VirtualTenure process, Election election, @Nullable Call awaited) {
        long limit = election.candidate().timing().call();
        if (awaited != null && process.time().nanos() - awaited.sentAt() >= limit) {
            violated(Invariant.CALL_LIMITED, process.name() + " waits past the limit: " + awaited);
        }
    }

    private void believe(VirtualTenure process, Term term, long deadline, Map<String, String> believers) {
        long now = process.time().nanos();
        if (now >= deadline) {
            violated(Invariant.LOST_BY_DEADLINE, process.name() + " leads past its deadline: " + term);
            return;
        }
        Optional<String> key = grants.keyOf(term.incarnation());
        if (key.isEmpty()) {
            return; // nothing is coordinated
        }
        String other = believers.put(key.get(), process.name());
        if (other != null) {
            violated(Invariant.ONE_LEADER, other + " and " + process.name() + " lead " + key.get());
        }
        Optional<LeaseRecord> record = world.store().record(key.get());
        boolean granted = record.isPresent()
                && record.get().holder().incarnation().equals(term.incarnation())
                && record.get().token() == term.token();
        if (!granted) {
            violated(Invariant.HELD_IS_GRANTED, process.name() + " believes in " + term + ", the store has " + record);
        }
        grants.believed(process, term, process.time().toWorld(deadline));
    }

    private void lookAtHandles() {
        List<Lease> all = world.recorder().leases();
        for (; handlesSeen < all.size(); handlesSeen++) {
            handles.put(all.get(handlesSeen), true);
        }
        if (handles.size() > 64) {
            handles.values().removeIf(held -> !held);
        }
        handles.replaceAll((lease, was) -> {
            if (was && !world.recorder().ownerMoves(lease)) {
                return was; // a look would find what its own loop is to find
            }
            boolean held = lease.isHeld();
            if (held && !was) {
                violated(Invariant.NEVER_HELD_AGAIN, "held again: " + lease);
            }
            return held;
        });
    }

    // the end

    void closed(VirtualTenure process) {
        callsAtClose.put(process.name(), callsOf(process));
        for (Election left : process.engine().states()) {
            if (!(left.phase() instanceof Leaving) && left.orphans().isEmpty()) {
                violated(Invariant.NOTHING_LEFT, process.name() + " still has " + left);
            }
        }
        int watches = world.store().watches(process.name());
        if (watches != 0 || world.store().closes(process.name()) != 1) {
            violated(
                    Invariant.NOTHING_LEFT,
                    process.name() + " has " + watches + " watches and closed its store "
                            + world.store().closes(process.name()) + " times");
        }
    }

    private int callsOf(VirtualTenure process) {
        return (int) world.store().calls().stream()
                .filter(call -> call.process().equals(process.name()))
                .count();
    }

    /**
     * Judges the whole.
     *
     * @throws AssertionError with all that was ever violated
     */
    public void verify() {
        for (VirtualTenure process : world.processes()) {
            Integer then = callsAtClose.get(process.name());
            if (then != null && then != callsOf(process)) {
                violated(Invariant.NOTHING_LEFT, process.name() + " asks the store after it was closed");
            }
        }
        new SignalOrder(this).judge(world.recorder().events());
        if (!violations.isEmpty()) {
            throw new AssertionError("invariants violated:\n" + String.join("\n", new ArrayList<>(violations)));
        }
    }

    static boolean owns(Optional<LeaseRecord> record, Holder holder) {
        return record.isPresent() && record.get().holder().incarnation().equals(holder.incarnation());
    }

    GrantHistory grants() {
        return grants;
    }
}
