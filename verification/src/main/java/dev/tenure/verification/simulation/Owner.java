package dev.tenure.verification.simulation;

import dev.tenure.OwnedLease;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An application that acquires a role for a while, and at times withdraws before it has it.
 */
final class Owner {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final World world;
    private final Instance instance;
    private final Users users;
    private final Dice dice;

    Owner(World world, Instance instance, Users users, Dice dice) {
        this.world = world;
        this.instance = instance;
        this.users = users;
        this.dice = dice;
    }

    void start() {
        instance.later(dice.spread(SECOND, 60 * SECOND), this::acquire);
    }

    private void acquire() {
        if (users.isClosing()) {
            return;
        }
        world.tally().count("user: acquire");
        if (dice.chance(0.2)) {
            instance.tenure().tryAcquireAsync(Users.OWNED).whenComplete((lease, error) -> {
                if (lease != null) {
                    lease.ifPresentOrElse(this::own, this::start);
                } else {
                    start();
                }
            });
            return;
        }
        CompletableFuture<OwnedLease> acquired = instance.tenure().acquireAsync(Users.OWNED);
        acquired.whenComplete((lease, error) -> {
            if (lease != null) {
                own(lease);
            } else {
                start();
            }
        });
        if (dice.chance(0.5)) {
            instance.later(dice.chance(0.6) ? dice.millis(0, 20) : dice.spread(SECOND / 20, 30 * SECOND), () -> {
                if (acquired.cancel(false)) {
                    world.tally().count("user: acquisition withdrawn");
                    world.note(instance.name(), "withdraws", Users.OWNED, 0);
                }
            });
        }
    }

    private void own(OwnedLease lease) {
        world.tally().count("owned");
        world.note(instance.name(), "owns", Users.OWNED, lease.fencingToken().value());
        step(lease, world.agenda().now() + dice.spread(SECOND, 60 * SECOND));
    }

    private void step(OwnedLease lease, long until) {
        if (world.agenda().now() < until && users.isHeld(Users.OWNED, lease)) {
            world.checks().work().unit(instance, Users.OWNED, lease);
            long token = lease.fencingToken().value();
            world.agenda().in(dice.millis(0, 20), () -> world.resources().write(Users.OWNED, token));
            instance.later(dice.millis(400, 2_500), () -> step(lease, until));
        } else {
            long stopping = dice.chance(0.9)
                    ? dice.millis(0, 200)
                    : dice.spread(SECOND / 10, 2 * world.scenario().lease());
            instance.later(stopping, () -> release(lease));
        }
    }

    private void release(OwnedLease lease) {
        world.note(
                instance.name(), "releases", Users.OWNED, lease.fencingToken().value());
        lease.release().thenAccept(outcome -> world.tally().count("end: " + outcome));
        start();
    }
}
