package dev.tenure.verification.simulation;

import dev.tenure.engine.Asking;
import dev.tenure.engine.Phase;
import dev.tenure.engine.Time;
import dev.tenure.engine.Waiting;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * I7: in fair weather, while a candidate stands, somebody leads within the store's stated bound. A candidate stands
 * that runs, and asks or will ask within the longest pause after a denial.
 */
final class TakeoverCheck {
    private static final long SLACK = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(10);

    private final World world;
    private final String role;
    private final long bound;
    private final Map<Instance, Long> standsSince = new HashMap<>();
    private long vacantSince;

    TakeoverCheck(World world, String role) {
        this.world = world;
        this.role = role;
        long stated = world.scenario()
                .traits()
                .worstCaseTakeover(world.scenario().options())
                .toNanos();
        bound = stated + stated / 50 + SLACK; // the candidate's clock, and how seldom this looks
    }

    /**
     * Somebody began or ceased to lead.
     */
    void led(String which) {
        if (which.equals(role)) {
            vacantSince = world.agenda().now();
        }
    }

    void look() {
        long now = world.agenda().now();
        if (isLed(now)
                || world.weather().fairSince() == Time.NEVER
                || !world.server().isUp()) {
            world.tally().most("vacancy in fair weather, ms", (now - vacantSince) / 1_000_000);
            vacantSince = now;
        }
        vacantSince = Math.max(vacantSince, world.weather().fairSince());
        vacantSince = Math.max(vacantSince, world.server().ledger().strayAt(role));
        for (Machine machine : world.machines()) {
            Instance instance = machine.instance();
            if (instance != null) {
                look(instance, now);
            }
        }
        standsSince.keySet().removeIf(Instance::isDead);
    }

    private void look(Instance instance, long now) {
        if (!stands(instance, now)) {
            standsSince.remove(instance);
            return;
        }
        long since = standsSince.computeIfAbsent(instance, first -> now);
        long waited = now - Math.max(since, vacantSince);
        if (waited > bound) {
            world.violated(
                    "I7", "nobody leads " + role + " for " + waited + " ns while " + instance.name() + " stands");
        }
    }

    private boolean isLed(long now) {
        for (Belief belief : world.checks().active()) {
            if (belief.role().equals(role) && now < belief.end()) {
                return true;
            }
        }
        return false;
    }

    private boolean stands(Instance instance, long now) {
        if (instance.runsSince() == Time.NEVER || !instance.wire().isFine()) {
            return false;
        }
        for (Belief belief : instance.beliefs().all()) {
            if (belief.role().equals(role) && stands(belief.phase(), instance, now)) {
                return true;
            }
        }
        return false;
    }

    private static boolean stands(Phase phase, Instance instance, long now) {
        if (phase instanceof Waiting waiting) {
            return instance.clock().global(waiting.askAt()) - now <= LONGEST_PAUSE;
        }
        return phase instanceof Asking;
    }
}
