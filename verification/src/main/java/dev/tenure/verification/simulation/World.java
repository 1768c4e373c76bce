package dev.tenure.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that is in one simulation.
 */
final class World {
    private static final int MACHINES = 5;

    private final Agenda agenda = new Agenda();
    private final Tally tally = new Tally();
    private final Trace trace;
    private final Fault fault;
    private final Dice dice;
    private final Scenario scenario;
    private final WorkThread.Pool threads = new WorkThread.Pool();
    private final Server server;
    private final Resources resources;
    private final Checks checks;
    private final Weather weather;
    private final List<Machine> machines = new ArrayList<>();
    private @Nullable Violation violation;

    World(long seed, Fault fault, Trace trace) {
        this.trace = trace;
        this.fault = fault;
        dice = new Dice(seed);
        scenario = Scenario.of(dice.split());
        server = new Server(this);
        resources = new Resources(this);
        checks = new Checks(this);
        weather = new Weather(this);
        for (int i = 1; i <= MACHINES; i++) {
            machines.add(new Machine(this, i));
        }
    }

    /**
     * Runs for a while, then takes everything down.
     */
    void run(long length) {
        agenda.afterEach(checks::afterEach);
        checks.start();
        weather.start();
        machines.forEach(Machine::start);
        agenda.runUntil(length);
        machines.forEach(Machine::end);
        threads.close();
    }

    Agenda agenda() {
        return agenda;
    }

    Tally tally() {
        return tally;
    }

    Fault fault() {
        return fault;
    }

    Dice dice() {
        return dice;
    }

    Scenario scenario() {
        return scenario;
    }

    WorkThread.Pool threads() {
        return threads;
    }

    Server server() {
        return server;
    }

    Resources resources() {
        return resources;
    }

    Checks checks() {
        return checks;
    }

    Weather weather() {
        return weather;
    }

    List<Machine> machines() {
        return machines;
    }

    void note(String who, String what, String of, long number) {
        trace.line(agenda.now(), who, what, of, number);
    }

    /**
     * The first one is kept and ends the simulation.
     */
    void violated(String invariant, String what) {
        if (violation == null) {
            violation = new Violation(invariant, agenda.now(), what);
            note("check", "VIOLATED " + invariant, what, 0);
            agenda.stop();
        }
    }

    @Nullable
    Violation violation() {
        return violation;
    }
}
