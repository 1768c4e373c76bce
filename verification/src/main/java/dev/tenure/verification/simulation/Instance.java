package dev.tenure.verification.simulation;

import dev.tenure.engine.Election;
import dev.tenure.engine.EngineTenure;
import dev.tenure.engine.Event;
import dev.tenure.engine.Settings;
import dev.tenure.engine.Step;
import dev.tenure.engine.Surroundings;
import dev.tenure.engine.Time;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One life of a process: the engine with its loop, which this drives, and the code of its user. When it dies, it and
 * what it believed are gone; what it sent may still arrive.
 */
final class Instance {
    private static final long MICROS = TimeUnit.MICROSECONDS.toNanos(1);

    private final World world;
    private final Agenda agenda;
    private final String name;
    private final InstanceClock clock;
    private final Wire wire;
    private final Dice dice;
    private final RemoteStore store;
    private final Rules rules;
    private final EngineTenure tenure;
    private final Beliefs beliefs;
    private final Users users;
    private final List<Runnable> deferred = new ArrayList<>();
    private Agenda.@Nullable Entry next;
    private boolean dead;
    private boolean suspended;
    private boolean inTurn;
    private boolean missed;
    private long frozenUntil;
    private long starvedUntil;
    private long runsSince;

    /**
     * @param display the name that the store sees, the same in every life of the process
     */
    Instance(World world, String display, String name, InstanceClock clock, Wire wire, Dice dice) {
        this.world = world;
        this.agenda = world.agenda();
        this.name = name;
        this.clock = clock;
        this.wire = wire;
        this.dice = dice;
        store = new RemoteStore(world, this, wire);
        rules = new Rules(Planted.rules(world.fault()), this);
        beliefs = new Beliefs(world, this);
        Settings settings = new Settings(
                store, display, Map.of(), List.of(), world.scenario().options(), null, List.of());
        Surroundings around =
                new Surroundings(clock, rules, dice.split().generator(), this::execute, this::execute, false);
        tenure = EngineTenure.open(settings, around);
        users = new Users(world, this, dice.split());
    }

    void start() {
        runsSince = agenda.now();
        world.note(name, "starts", "", 0);
        users.start();
        touch();
    }

    String name() {
        return name;
    }

    InstanceClock clock() {
        return clock;
    }

    Wire wire() {
        return wire;
    }

    EngineTenure tenure() {
        return tenure;
    }

    Beliefs beliefs() {
        return beliefs;
    }

    Users users() {
        return users;
    }

    RemoteStore store() {
        return store;
    }

    boolean isDead() {
        return dead;
    }

    boolean isSuspended() {
        return suspended;
    }

    boolean isFrozen() {
        return agenda.now() < frozenUntil;
    }

    /**
     * Since when all of it has run without standing still; {@link Time#NEVER} if it stands still now.
     */
    long runsSince() {
        return dead || isFrozen() || inTurn ? Time.NEVER : Math.max(runsSince, starvedUntil);
    }

    // what drives it

    /**
     * Something was posted to the loop: it turns soon.
     */
    void touch() {
        plan(agenda.now() + dice.between(0, 200 * MICROS));
    }

    private void plan(long at) {
        if (next != null && next.at() <= at) {
            return;
        }
        if (next != null) {
            next.cancel();
        }
        next = at == Time.NEVER ? null : agenda.at(at, this::turn);
    }

    private void turn() {
        next = null;
        if (dead || isFrozen()) {
            return;
        }
        if (inTurn) {
            missed = true;
            return;
        }
        inTurn = true;
        long due = tenure.loop().turn();
        inTurn = false;
        if (missed) {
            missed = false;
            touch();
        }
        if (!dead && due != Time.NEVER) {
            plan(clock.global(due) + dice.between(0, 300 * MICROS));
        }
        beliefs.turned();
    }

    /**
     * The loop may stand still between two effects, while all others go on.
     */
    void maybeStall() {
        if (inTurn && !dead && world.weather().mayStall() && dice.chance(0.003)) {
            long span = dice.spread(10_000 * MICROS, world.scenario().lease() * 6 / 5);
            world.tally().count("fault: loop stalled before a write");
            world.note(name, "loop stalls", "", span);
            world.weather().stalling(() -> standStill(span));
            runsSince = agenda.now();
        }
    }

    private void standStill(long span) {
        agenda.runUntil(agenda.now() + span);
        while (isFrozen() && !dead) {
            agenda.runUntil(frozenUntil);
        }
    }

    /**
     * Something comes from outside: at once, or when this runs again; never if it is dead.
     */
    void deliver(Runnable action) {
        if (dead) {
            return;
        }
        if (isFrozen()) {
            deferred.add(action);
        } else {
            action.run();
            touch();
        }
    }

    /**
     * User code, on some thread, if this still runs then.
     */
    void later(long span, Runnable action) {
        agenda.in(span, () -> deliver(action));
    }

    private void execute(Runnable task) {
        if (dead) {
            return;
        }
        long delay = agenda.now() < starvedUntil
                ? dice.between(0, starvedUntil - agenda.now())
                : dice.between(0, 500 * MICROS);
        if (!rules.isStartingWork()) {
            later(delay, task);
            return;
        }
        if (world.weather().isStormy() && dice.chance(0.2)) {
            world.tally().count("fault: work started late");
            delay = dice.spread(1_000 * MICROS, 2 * world.scenario().lease());
        }
        later(delay, () -> world.threads().run(task));
    }

    // what goes wrong

    void freeze(long span) {
        frozenUntil = Math.max(frozenUntil, agenda.now() + span);
        world.note(name, "stands still", "", span);
        agenda.at(frozenUntil, this::thaw);
    }

    /**
     * In any order: a worker may be first.
     */
    private void thaw() {
        if (dead || isFrozen()) {
            return;
        }
        world.note(name, "runs on", "", deferred.size());
        runsSince = agenda.now();
        List<Runnable> all = new ArrayList<>(deferred);
        deferred.clear();
        Collections.shuffle(all, new java.util.Random(dice.between(0, Long.MAX_VALUE)));
        all.forEach(each -> later(dice.between(0, 2_000 * MICROS), each));
        plan(agenda.now() + dice.between(0, 2_000 * MICROS));
    }

    void suspend(long span) {
        if (suspended || isFrozen()) {
            return;
        }
        suspended = true;
        clock.suspend();
        agenda.in(span, () -> {
            suspended = false;
            clock.resume();
            beliefs.slept(span);
        });
        freeze(span);
    }

    /**
     * User code is started late for a while.
     */
    void starve(long span) {
        starvedUntil = Math.max(starvedUntil, agenda.now() + span);
    }

    /**
     * Gone, without a word.
     */
    void die() {
        world.note(name, "is gone", "", 0);
        dead = true;
        deferred.clear();
        store.close();
        users.die();
        beliefs.die();
    }

    // what the checkers are told

    void took(Election before, Event event, Step step) {
        if (!dead) {
            beliefs.took(before, event, step);
        }
    }

    void asked(String role, String incarnation) {
        if (!dead) {
            beliefs.asked(role, incarnation);
        }
    }

    void confirmed(String role, long token, long local, long global) {
        beliefs.confirmed(role, token, local, global);
    }

    void refused(String incarnation) {
        beliefs.refused(incarnation);
    }
}
