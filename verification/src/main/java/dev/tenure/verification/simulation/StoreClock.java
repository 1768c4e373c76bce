package dev.tenure.verification.simulation;

import java.time.Instant;

/**
 * The store's clocks: one rate, and steps of the wall clock, by which leases are judged too if the scenario says so.
 */
final class StoreClock {
    private static final Instant EPOCH = Instant.parse("2026-01-01T00:00:00Z");
    private static final long MILLION = 1_000_000;

    private final Agenda agenda;
    private final long ppm;
    private final boolean wallJudged;
    private long steps;

    StoreClock(Agenda agenda, Scenario scenario) {
        this.agenda = agenda;
        this.ppm = scenario.storePpm();
        this.wallJudged = scenario.wallJudged();
    }

    private long local() {
        long span = agenda.now();
        return span + span / MILLION * ppm + span % MILLION * ppm / MILLION;
    }

    /**
     * The clock by which leases end.
     */
    long nanos() {
        return wallJudged ? local() + steps : local();
    }

    Instant wall() {
        return EPOCH.plusNanos(local() + steps);
    }

    /**
     * In virtual time, how long until {@link #nanos} shows {@code end} if it is not stepped; never too long by more
     * than rounding.
     */
    long until(long end) {
        return (long) ((end - nanos()) / (1 + ppm / 1e6));
    }

    void step(long by) {
        steps += by;
    }
}
