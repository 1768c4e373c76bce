package dev.tenure.verification.simulation;

import dev.tenure.FencedOutException;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The leader work of one term. Its units run as events; its thread only waits in {@link #lead} for the end.
 */
final class Job {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * How it takes the end of its term.
     */
    private enum Manner {
        /**
         * Looks at the lease before each unit.
         */
        CAREFUL,
        /**
         * Looks at nothing and stops when interrupted.
         */
        DEAF,
        /**
         * Careful, and returns after a while.
         */
        BRIEF,
        /**
         * Careful, and throws after a while.
         */
        FAILING
    }

    private final World world;
    private final Instance instance;
    private final Standing standing;
    private final Lease lease;
    private final Dice dice;
    private final WorkThread thread = (WorkThread) Thread.currentThread();
    private final Manner manner;
    private boolean interrupted;
    private boolean ending;
    private boolean over;
    private @Nullable RuntimeException thrown;

    Job(World world, Instance instance, Standing standing, Lease lease, Dice dice) {
        this.world = world;
        this.instance = instance;
        this.standing = standing;
        this.lease = lease;
        this.dice = dice;
        manner = dice.chance(0.7) ? Manner.CAREFUL : dice.oneOf(Manner.DEAF, Manner.DEAF, Manner.BRIEF, Manner.FAILING);
    }

    /**
     * On the work's thread.
     */
    void lead() {
        instance.users().jobs().add(this);
        thread.onInterrupt(this::interrupted);
        world.note(
                instance.name(),
                "work begins " + standing.role(),
                manner.name(),
                lease.fencingToken().value());
        world.tally().count("work begun");
        world.checks().work().begins(instance, standing.role(), lease);
        instance.later(dice.millis(0, 500), this::step);
        if (manner == Manner.BRIEF) {
            instance.later(dice.spread(SECOND, 60 * SECOND), () -> end("returned", 0, null));
        } else if (manner == Manner.FAILING) {
            instance.later(
                    dice.spread(SECOND, 60 * SECOND), () -> end("threw", 0, new IllegalStateException("simulated")));
        }
        thread.park();
        instance.users().jobs().remove(this);
        world.checks().work().ends(instance, standing.role());
        if (thrown != null) {
            throw thrown;
        }
    }

    String role() {
        return standing.role();
    }

    long term() {
        return lease.term();
    }

    boolean isInterrupted() {
        return interrupted;
    }

    private boolean mayBegin() {
        if (manner == Manner.DEAF) {
            return true;
        }
        return world.fault() == Fault.FLAG_INSTEAD_OF_DEADLINE
                ? standing.isFlagged(lease)
                : instance.users().isHeld(role(), lease);
    }

    private void step() {
        if (over) {
            return;
        }
        if (!mayBegin()) {
            end("saw the end", stopTime(), null);
            return;
        }
        if (manner != Manner.DEAF) {
            world.checks().work().unit(instance, standing.role(), lease);
        }
        long token = lease.fencingToken().value();
        instance.later(dice.millis(0, 300), () -> write(token)); // between check and write anything may happen
        instance.later(dice.millis(400, 2_500), this::step);
    }

    private void write(long token) {
        if (!over) {
            long delay = world.weather().isStormy() && dice.chance(0.03)
                    ? dice.spread(SECOND, 120 * SECOND)
                    : dice.millis(0, 20);
            world.agenda().in(delay, () -> {
                if (!world.resources().write(standing.role(), token)) {
                    instance.later(dice.millis(0, 20), this::fenced);
                }
            });
        }
    }

    private void fenced() {
        if (manner != Manner.DEAF && dice.chance(0.5)) {
            FencedOutException refused = new FencedOutException(
                    lease.fencingToken(), lease.fencingToken().value() + 1);
            end("was fenced out", 0, refused);
        }
    }

    private void interrupted() {
        interrupted = true;
        world.note(
                instance.name(),
                "work interrupted",
                standing.role(),
                lease.fencingToken().value());
        world.tally().count("work interrupted");
        end("was interrupted", stopTime(), new LeadershipLostException(lease.fencingToken(), "interrupted"));
    }

    /**
     * Mostly soon; some work needs longer to stop than a lease.
     */
    private long stopTime() {
        return dice.chance(0.8)
                ? dice.millis(0, 50)
                : dice.spread(SECOND / 10, 2 * world.scenario().lease());
    }

    private void end(String why, long after, @Nullable RuntimeException by) {
        if (over || (ending && by == null)) {
            return;
        }
        ending = true;
        instance.later(after, () -> {
            if (!over) {
                over = true;
                thrown = by;
                world.tally().count("work " + why);
                world.note(
                        instance.name(),
                        "work " + why,
                        standing.role(),
                        lease.fencingToken().value());
                thread.handOver();
            }
        });
    }

    /**
     * Its process is gone.
     */
    void die() {
        over = true;
        thrown = new LeadershipLostException(standing.role(), "gone");
        thread.handOver();
    }
}
