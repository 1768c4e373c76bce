package dev.tenure.verification.simulation;

import dev.tenure.Lease;
import dev.tenure.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The application in one instance: candidates of several roles.
 */
final class Users {
    /**
     * The role for which all stand.
     */
    static final String MAIN = "main";

    /**
     * Another, with a health check.
     */
    static final String SIDE = "side";

    /**
     * One more, so that renewals go out together.
     */
    static final String THIRD = "third";

    /**
     * One that is acquired for a while.
     */
    static final String OWNED = "owned";

    private final World world;
    private final Instance instance;
    private final Dice dice;
    private final List<Job> jobs = new ArrayList<>();
    private final Owner owner;
    private boolean closing;
    private long unhealthyUntil;

    Users(World world, Instance instance, Dice dice) {
        this.world = world;
        this.instance = instance;
        this.dice = dice;
        owner = new Owner(world, instance, this, dice.split());
    }

    void start() {
        for (String role : List.of(MAIN, SIDE, THIRD)) {
            new Standing(world, instance, this, role, dice.split()).start();
        }
        owner.start();
        observe();
    }

    List<Job> jobs() {
        return jobs;
    }

    boolean isClosing() {
        return closing;
    }

    /**
     * As user code sees a lease.
     */
    boolean isHeld(String role, Lease lease) {
        boolean held = lease.isHeld();
        if (world.fault() == Fault.LATE_ANSWER_REVIVES && !role.equals(OWNED)) {
            long until =
                    instance.beliefs().allowedUntil(role, lease.fencingToken().value());
            boolean passed = lease.lossReason()
                    .filter(LossReason.DEADLINE_EXCEEDED::equals)
                    .isPresent();
            held |= passed && instance.clock().now() < until;
        }
        world.checks().signals().looked(lease, held);
        return held;
    }

    void unhealthy(long span) {
        unhealthyUntil = world.agenda().now() + span;
    }

    boolean isHealthy() {
        return world.agenda().now() >= unhealthyUntil;
    }

    private void observe() {
        instance.later(dice.millis(500, 5_000), () -> {
            world.checks().signals().observe(instance);
            observe();
        });
    }

    /**
     * Closes the Tenure; the process ends when that is done, or soon after.
     */
    void close(Runnable done) {
        if (!closing) {
            closing = true;
            world.note(instance.name(), "closes", "", 0);
            instance.tenure().closeAsync();
            long drain = world.scenario().drain();
            instance.later(drain + TimeUnit.SECONDS.toNanos(dice.pick(1, 10)), done);
        }
    }

    /**
     * Work ends where it stands.
     */
    void die() {
        for (Job job : List.copyOf(jobs)) {
            job.die();
        }
    }
}
