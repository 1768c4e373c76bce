package dev.tenure.verification.simulation;

import java.time.Duration;

/**
 * Runs one seed. A seed gives the same trace every time.
 */
public final class Simulation {
    static {
        // Before the engine's loggers are made: what goes wrong here is meant to.
        System.setProperty("org.slf4j.simpleLogger.log.dev.tenure", "off");
    }

    private Simulation() {}

    /**
     * To be called on one thread at a time per simulation; several may run beside each other.
     *
     * @param length in virtual time
     */
    public static Outcome run(long seed, Duration length, Fault fault, Trace trace) {
        World world = new World(seed, fault, trace);
        world.run(length.toNanos());
        return new Outcome(seed, trace.hash(), world.agenda().happened(), world.tally(), world.violation());
    }
}
