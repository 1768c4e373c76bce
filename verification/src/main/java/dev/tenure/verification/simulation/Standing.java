package dev.tenure.verification.simulation;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An application that stands for a role, and now and then resigns, stops and starts again.
 */
final class Standing {
    private static final long MEAN = TimeUnit.SECONDS.toNanos(70);

    private final World world;
    private final Instance instance;
    private final Users users;
    private final String role;
    private final Dice dice;
    private final LeaderElector elector;
    private @Nullable Lease flag;

    Standing(World world, Instance instance, Users users, String role, Dice dice) {
        this.world = world;
        this.instance = instance;
        this.users = users;
        this.role = role;
        this.dice = dice;
        boolean checked = role.equals(Users.SIDE);
        elector = instance.tenure()
                .with(options -> {
                    if (checked) {
                        options.healthCheck(
                                users::isHealthy, world.scenario().options().lease());
                    }
                })
                .elector(role, lease -> new Job(world, instance, this, lease, dice.split()).lead());
        elector.onChange(this::elected, this::lost);
    }

    String role() {
        return role;
    }

    /**
     * What listeners have set and not cleared; only a faulty work goes by it.
     */
    boolean isFlagged(Lease lease) {
        return flag != null && flag.term() == lease.term();
    }

    void start() {
        elector.start();
        act();
    }

    private void elected(Lease lease) {
        flag = lease;
        world.tally().count("elected told");
        world.checks().signals().elected(instance, role, lease);
        lease.onLost(reason -> world.checks().signals().lost(instance, role, lease, true));
        if (dice.chance(0.01)) {
            world.tally().count("fault: elected listener threw");
            throw new IllegalStateException("simulated");
        }
    }

    private void lost(Lease lease, LossReason reason) {
        if (isFlagged(lease)) {
            flag = null;
        }
        world.tally().count("lost told");
        world.checks().signals().lost(instance, role, lease, false);
    }

    private void act() {
        instance.later(dice.until(MEAN), () -> {
            if (users.isClosing()) {
                return;
            }
            if (elector.isLeader()) {
                whileLeading();
            } else if (dice.chance(0.3)) {
                blink();
            }
            act();
        });
    }

    private void whileLeading() {
        if (dice.chance(0.5)) {
            count("resign");
            watch(elector.resign());
            maybeRevoke();
        } else if (dice.chance(0.4)) {
            count("stop and start");
            watch(elector.stop());
            maybeRevoke();
            instance.later(dice.millis(0, 20_000), this::again);
        }
    }

    /**
     * Stops, and starts again for a moment, so that a request is under way when it stops.
     */
    private void blink() {
        count("stop while standing");
        watch(elector.stop());
        instance.later(dice.millis(1, 3_000), () -> {
            again();
            instance.later(dice.millis(0, 12), () -> {
                watch(elector.stop());
                instance.later(dice.millis(3_000, 25_000), this::again);
            });
        });
    }

    private void again() {
        if (!users.isClosing()) {
            elector.start();
        }
    }

    /**
     * An operator takes the record away while work drains.
     */
    private void maybeRevoke() {
        if (dice.chance(0.3)) {
            world.agenda().in(dice.between(0, world.scenario().drain() / 2), () -> {
                world.note("oper", "revokes", role, 0);
                world.tally().count("fault: revoked in a drain");
                world.server().revoke(role);
            });
        }
    }

    private void count(String what) {
        world.tally().count("user: " + what);
        world.note(instance.name(), what, role, 0);
    }

    private void watch(CompletableFuture<ReleaseOutcome> end) {
        end.thenAccept(outcome -> world.tally().count("end: " + outcome));
    }
}
