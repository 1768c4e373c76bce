package dev.tenure.verification.simulation;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A place with clocks and a wire, where one process runs at a time.
 */
final class Machine {
    private final World world;
    private final int number;
    private final Wire wire;
    private final Dice dice;
    private final long ppm;
    private final long wallOffset;
    private final boolean countsSuspend;
    private int lives;
    private @Nullable Instance instance;

    Machine(World world, int number) {
        this.world = world;
        this.number = number;
        wire = new Wire(world);
        dice = world.dice().split();
        ppm = dice.between(-Scenario.MOST_PPM, Scenario.MOST_PPM + 1);
        wallOffset = dice.millis(-3_600_000, 3_600_000);
        countsSuspend = dice.chance(0.8);
    }

    int number() {
        return number;
    }

    Wire wire() {
        return wire;
    }

    /**
     * The process that runs here, if one does.
     */
    @Nullable
    Instance instance() {
        Instance present = instance;
        return present == null || present.isDead() ? null : present;
    }

    void start() {
        lives++;
        InstanceClock clock = new InstanceClock(world.agenda(), ppm, wallOffset, countsSuspend);
        Instance started = new Instance(world, "p" + number, "p" + number + "." + lives, clock, wire, dice.split());
        instance = started;
        started.start();
    }

    /**
     * The process is gone; another starts later.
     */
    void restart() {
        world.agenda().in(dice.spread(TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.MINUTES.toNanos(3)), () -> {
            if (instance() == null) {
                start();
            }
        });
    }

    void end() {
        Instance present = instance();
        if (present != null) {
            present.die();
        }
    }
}
