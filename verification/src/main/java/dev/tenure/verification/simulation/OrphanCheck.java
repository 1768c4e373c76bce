package dev.tenure.verification.simulation;

import dev.tenure.engine.Asking;
import dev.tenure.engine.Phase;
import dev.tenure.engine.Term;
import dev.tenure.engine.Time;
import dev.tenure.engine.Waiting;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A grant that its own process, alive and well connected, does not want is given back soon. One that a term once
 * stood on may be left to expire, unless the store confirms it once more.
 */
final class OrphanCheck {
    private static final long SLACK = TimeUnit.SECONDS.toNanos(1);

    private final World world;
    private final long bound;
    private final Map<String, Long> unwantedSince = new HashMap<>();

    OrphanCheck(World world) {
        this.world = world;
        bound = world.scenario().call()
                + world.scenario().options().retryInterval().toNanos()
                + SLACK;
    }

    void look() {
        Map<String, Long> still = new HashMap<>();
        world.server().ledger().all().forEach((role, grant) -> {
            if (world.server().ledger().live(role) == null || grant.revoked()) {
                return;
            }
            for (Machine machine : world.machines()) {
                Instance instance = machine.instance();
                Belief belief = instance == null ? null : instance.beliefs().of(grant.incarnation());
                if (belief != null && !wants(belief, grant.incarnation())) {
                    pursued(role, grant, belief);
                    look(role, grant, belief.instance(), still);
                }
            }
        });
        unwantedSince.clear();
        unwantedSince.putAll(still);
    }

    /**
     * Whatever the weather, an abandoned acquisition that was granted is pursued until it cannot take effect any more.
     */
    private void pursued(String role, Grant grant, Belief belief) {
        long asked = belief.askedAt(grant.incarnation());
        boolean recent =
                belief.instance().clock().now() < asked + 2 * world.scenario().lease() - SLACK;
        if (recent
                && !grant.stray()
                && !belief.instance().beliefs().hasBegun(grant.incarnation())
                && !belief.isPursued(grant.incarnation())) {
            world.violated("orphan", belief.instance().name() + " forgot what it abandoned: " + role + " has " + grant);
        }
    }

    private void look(String role, Grant grant, Instance owner, Map<String, Long> still) {
        long now = world.agenda().now();
        String id = grant.id();
        long since = unwantedSince.getOrDefault(id, now);
        still.put(id, since);
        if (owner.beliefs().hasBegun(grant.incarnation())) {
            long late = owner.beliefs().confirmedLateAt(role, grant.token());
            if (late < 0) {
                return; // left to expire
            }
            since = Math.max(since, late);
        } else if (grant.stray()) {
            return;
        }
        long calm = calmSince(owner);
        if (calm != Time.NEVER && now - Math.max(since, calm) > bound) {
            world.violated("orphan", "nobody wants " + role + " of " + owner.name() + " since " + since + ": " + grant);
        }
    }

    private static boolean wants(Belief belief, String incarnation) {
        Phase phase = belief.phase();
        Term term = belief.term();
        if (phase instanceof Waiting waiting) {
            return waiting.incarnation().equals(incarnation);
        } else if (phase instanceof Asking asking) {
            return asking.call().incarnation().equals(incarnation);
        }
        return term != null && term.incarnation().equals(incarnation);
    }

    private long calmSince(Instance instance) {
        long fair = world.weather().fairSince();
        long runs = instance.runsSince();
        return fair == Time.NEVER || runs == Time.NEVER || !instance.wire().isFine()
                ? Time.NEVER
                : Math.max(fair, runs);
    }
}
