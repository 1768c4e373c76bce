package dev.tenure.verification.simulation;

import dev.tenure.engine.Leaving;
import dev.tenure.engine.Phase;
import dev.tenure.engine.Releasing;
import dev.tenure.engine.Time;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A term that is over is left behind, once its work has returned and its grant has ended: a candidate does not hang
 * between two terms.
 */
final class StuckCheck {
    private final World world;
    private final long bound;
    private final Map<Belief, Since> leaving = new HashMap<>();

    private record Since(Phase phase, long at) {}

    StuckCheck(World world) {
        this.world = world;
        bound = world.scenario().drain() + 2 * world.scenario().lease();
    }

    void look() {
        long now = world.agenda().now();
        leaving.keySet().removeIf(belief -> belief.instance().isDead());
        for (Machine machine : world.machines()) {
            Instance instance = machine.instance();
            if (instance != null) {
                instance.beliefs().all().forEach(belief -> look(instance, belief, now));
            }
        }
    }

    private void look(Instance instance, Belief belief, long now) {
        Phase phase = belief.phase();
        boolean between = phase instanceof Releasing || phase instanceof Leaving;
        if (!between || belief.role().equals(Users.OWNED) || isAtWork(instance, belief)) {
            leaving.remove(belief);
            return;
        }
        Since since = leaving.get(belief);
        if (since == null || !Objects.equals(since.phase(), phase) || instance.runsSince() == Time.NEVER) {
            leaving.put(belief, new Since(phase, now));
        } else if (now - Math.max(since.at(), instance.runsSince()) > bound) {
            world.violated("stuck", "neither leads nor stands since " + since.at() + ": " + belief);
        }
    }

    private static boolean isAtWork(Instance instance, Belief belief) {
        return instance.users().jobs().stream().anyMatch(job -> job.role().equals(belief.role()));
    }
}
