package dev.tenure.verification.simulation;

import dev.tenure.engine.Time;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What goes wrong: storms, in which network, store and loops misbehave, and fair times between them, in which only
 * processes die, pause and are evicted.
 */
final class Weather {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private final World world;
    private final Dice dice;
    private final long lease;
    private boolean stormy;
    private boolean stalling;
    private long fairSince;
    private long stretchedUntil;

    Weather(World world) {
        this.world = world;
        dice = world.dice().split();
        lease = world.scenario().lease();
    }

    boolean isStormy() {
        return stormy;
    }

    /**
     * Since when nothing was lost, late or down, and leases ended when they should; {@link Time#NEVER} in a storm.
     */
    long fairSince() {
        long call = world.scenario().call();
        return stormy ? Time.NEVER : Math.max(fairSince + call, stretchedUntil);
    }

    boolean mayStall() {
        return stormy && !stalling;
    }

    void stalling(Runnable meanwhile) {
        stalling = true;
        meanwhile.run();
        stalling = false;
    }

    void start() {
        change();
        always(4 * MINUTE, this::crash);
        always(3 * MINUTE, this::pause);
        always(8 * MINUTE, this::suspend);
        always(8 * MINUTE, this::close);
        always(10 * MINUTE, this::stepWall);
        always(9 * MINUTE, this::unhealthy);
        always(8 * MINUTE, this::revoke);
        always(6 * MINUTE, this::hint);
        stormy(2 * MINUTE, this::cut);
        stormy(3 * MINUTE, this::slow);
        stormy(5 * MINUTE, this::storeDown);
        stormy(5 * MINUTE, this::storeClock);
        stormy(10 * MINUTE, this::force);
        stormy(5 * MINUTE, this::starve);
    }

    private void change() {
        stormy = !stormy;
        world.note("sky", stormy ? "storm" : "fair", "", 0);
        if (!stormy) {
            fairSince = world.agenda().now();
            world.server().up(true);
            world.server().refusing(false);
            world.machines().forEach(each -> {
                each.wire().cut(false, false);
                each.wire().slow(false);
            });
        }
        long span = stormy ? dice.spread(MINUTE, 8 * MINUTE) : dice.spread(MINUTE, 5 * MINUTE);
        world.agenda().in(span, this::change);
    }

    private void always(long mean, Runnable fault) {
        world.agenda().in(dice.until(mean), () -> {
            fault.run();
            always(mean, fault);
        });
    }

    private void stormy(long mean, Runnable fault) {
        always(mean, () -> {
            if (stormy) {
                fault.run();
            }
        });
    }

    private void count(String kind) {
        world.tally().count("fault: " + kind);
    }

    /**
     * The leader of a role, or any.
     */
    private void victim(Consumer<Machine> harm) {
        Machine chosen = dice.chance(0.6) ? leader() : null;
        harm.accept(
                chosen != null
                        ? chosen
                        : world.machines().get(dice.pick(0, world.machines().size())));
    }

    private @Nullable Machine leader() {
        List<Belief> active = world.checks().active();
        if (active.isEmpty()) {
            return null;
        }
        Instance instance = active.get(dice.pick(0, active.size())).instance();
        for (Machine machine : world.machines()) {
            if (machine.instance() == instance) {
                return machine;
            }
        }
        return null;
    }

    private void victimProcess(Consumer<Instance> harm) {
        victim(machine -> {
            Instance instance = machine.instance();
            if (instance != null) {
                harm.accept(instance);
            }
        });
    }

    private void crash() {
        victim(machine -> {
            if (machine.instance() != null) {
                count("crash and restart");
                machine.end();
                machine.restart();
            }
        });
    }

    private void pause() {
        victimProcess(instance -> {
            count("pause");
            instance.freeze(dice.spread(100 * MS, 3 * lease));
        });
    }

    private void suspend() {
        victimProcess(instance -> {
            count("machine suspend");
            instance.suspend(dice.spread(500 * MS, 5 * MINUTE));
        });
    }

    private void close() {
        victim(machine -> {
            Instance instance = machine.instance();
            if (instance != null && !instance.isFrozen()) {
                count("close");
                instance.users().close(() -> {
                    instance.die();
                    machine.restart();
                });
                instance.touch();
            }
        });
    }

    private void stepWall() {
        victimProcess(instance -> {
            count("process wall clock step");
            instance.clock().stepWall(dice.millis(-60_000, 60_000));
        });
    }

    private void unhealthy() {
        victimProcess(instance -> {
            count("health check false");
            instance.users().unhealthy(dice.spread(SECOND, 4 * lease));
        });
    }

    private String role() {
        return dice.oneOf(Users.MAIN, Users.MAIN, Users.SIDE, Users.THIRD, Users.OWNED);
    }

    private void revoke() {
        String role = role();
        count("revoke");
        world.note("oper", "revokes", role, 0);
        world.server().revoke(role);
    }

    private void force() {
        String role = role();
        count("force release");
        world.note("oper", "forces", role, 0);
        world.server().forceRelease(role);
    }

    private void hint() {
        victimProcess(instance -> {
            count("spurious wake-up");
            instance.store().wakeAll();
        });
    }

    private void cut() {
        victim(machine -> {
            boolean requests = dice.chance(0.66);
            boolean replies = !requests || dice.chance(0.5);
            count(requests && replies ? "partition" : requests ? "requests cut" : "replies cut");
            world.note("sky", "cuts", String.valueOf(machine.number()), (requests ? 1 : 0) + (replies ? 2 : 0));
            machine.wire().cut(requests, replies);
            world.agenda()
                    .in(dice.spread(SECOND, 4 * lease), () -> machine.wire().cut(false, false));
        });
    }

    private void slow() {
        victim(machine -> {
            count("slow network");
            machine.wire().slow(true);
            world.agenda()
                    .in(dice.spread(SECOND, 4 * lease), () -> machine.wire().slow(false));
        });
    }

    private void storeDown() {
        if (world.server().isUp()) {
            count("store restart");
            world.note("store", "goes down", "", 0);
            world.server().up(false);
            if (dice.chance(0.2)) {
                count("store refuses this client");
                world.server().refusing(true);
            }
            world.agenda().in(dice.spread(200 * MS, 40 * SECOND), () -> {
                world.server().up(true);
                world.server().refusing(false);
                world.note("store", "is up", "", 0);
            });
        }
    }

    private void storeClock() {
        long by = dice.chance(0.3) ? dice.millis(-60_000, 60_000) : dice.spread(5 * MS, 60 * SECOND);
        long step = dice.chance(0.5) ? by : -by;
        count(step > 0 ? "store clock forward" : "store clock back");
        world.note("store", "clock steps", "", step);
        world.server().step(step);
        if (world.scenario().wallJudged() && step < 0) {
            stretchedUntil = Math.max(stretchedUntil, world.agenda().now()) - step;
        }
    }

    private void starve() {
        victimProcess(instance -> {
            count("callbacks late");
            instance.starve(dice.spread(SECOND, 2 * lease));
        });
    }
}
