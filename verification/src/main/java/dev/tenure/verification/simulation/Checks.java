package dev.tenure.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * All checkers: what they look at after every event, and now and then.
 */
final class Checks {
    private static final long LOOK = TimeUnit.MILLISECONDS.toNanos(500);

    private final World world;
    private final List<Belief> active = new ArrayList<>();
    private final BeliefCheck belief;
    private final SignalCheck signals;
    private final WorkCheck work;
    private final OrphanCheck orphans;
    private final StuckCheck stuck;
    private final List<TakeoverCheck> takeovers;

    Checks(World world) {
        this.world = world;
        belief = new BeliefCheck(world);
        signals = new SignalCheck(world);
        work = new WorkCheck(world);
        orphans = new OrphanCheck(world);
        stuck = new StuckCheck(world);
        takeovers = List.of(
                new TakeoverCheck(world, Users.MAIN),
                new TakeoverCheck(world, Users.SIDE),
                new TakeoverCheck(world, Users.THIRD));
    }

    void start() {
        world.agenda().in(LOOK, this::look);
    }

    private void look() {
        orphans.look();
        stuck.look();
        signals.look();
        takeovers.forEach(TakeoverCheck::look);
        start();
    }

    void afterEach() {
        for (int i = 0; i < active.size(); i++) {
            belief.look(active.get(i));
        }
    }

    /**
     * A belief became active, or is so no longer.
     */
    void active(Belief changed, boolean now) {
        takeovers.forEach(each -> each.led(changed.role()));
        if (now) {
            active.add(changed);
        } else {
            active.remove(changed);
        }
    }

    List<Belief> active() {
        return active;
    }

    SignalCheck signals() {
        return signals;
    }

    WorkCheck work() {
        return work;
    }
}
