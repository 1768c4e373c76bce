package dev.tenure.test.virtual;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Tenure;
import dev.tenure.engine.Election;
import dev.tenure.engine.EngineTenure;
import dev.tenure.engine.Event;
import dev.tenure.engine.Settings;
import dev.tenure.engine.Step;
import dev.tenure.engine.Surroundings;
import dev.tenure.engine.Time;
import dev.tenure.engine.Transition;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One process of a {@link VirtualWorld}: a real engine whose loop, clocks and callback threads the world drives. It can
 * be paused at any point, suspended, stalled in the midst of a step, crashed.
 */
public final class VirtualTenure implements AutoCloseable {
    private static final Duration LONGEST_CLOSE = Duration.ofHours(1);

    private final VirtualWorld world;
    private final String name;
    private final VirtualTime time;
    private final EngineTenure engine;
    private final Carriers carriers;
    private final Queue<Runnable> callbacks = new ConcurrentLinkedQueue<>();
    private long wakeAt = Long.MAX_VALUE;
    private long suspendedAt;
    private boolean paused;
    private boolean suspended;
    private boolean turning;
    private boolean holding;
    private boolean crashed;
    private boolean closed;
    private boolean disturbed;
    private @Nullable String stallAfter;
    private @Nullable String failAt;
    private int failures;
    private Duration stall = Duration.ZERO;

    VirtualTenure(VirtualWorld world, String name, VirtualSetup set, RandomGenerator random) {
        this.world = world;
        this.name = name;
        this.time = world.newTime();
        this.carriers = new Carriers(name);
        Settings settings =
                set.settings(name, world.store().connect(name), world.recorder().monitor(name));
        Executor queue = callbacks::add;
        engine = EngineTenure.open(
                settings, new Surroundings(new Clocks(time), this::apply, random, queue, queue, false));
        wakeAt = Long.MIN_VALUE;
    }

    private record Clocks(VirtualTime time) implements Time {
        @Override
        public long now() {
            return time.nanos();
        }

        @Override
        public long wallMillis() {
            return time.wall().toEpochMilli();
        }

        @Override
        public long uptimeNanos() {
            return time.uptimeNanos();
        }
    }

    private Step apply(Election election, Event event, long now) {
        if (failures > 0 && failAt != null && event.toString().startsWith(failAt)) {
            failures--;
            throw new IllegalStateException("the rules fail by script at " + failAt);
        }
        Step step = Transition.RULES.apply(election, event, now);
        String when = stallAfter;
        if (when != null && event.toString().startsWith(when)) {
            stallAfter = null;
            world.advance(stall);
        }
        return step;
    }

    public String name() {
        return name;
    }

    public Tenure tenure() {
        return engine;
    }

    EngineTenure engine() {
        return engine;
    }

    /**
     * The clocks of its machine.
     */
    public VirtualTime time() {
        return time;
    }

    /**
     * A started elector, listened to by the {@link Recorder}.
     */
    public LeaderElector stand(String role) {
        return started(engine.elector(role));
    }

    /**
     * The same, with work.
     */
    public LeaderElector stand(String role, LeaderWork work) {
        return started(engine.elector(role, work));
    }

    private LeaderElector started(LeaderElector elector) {
        world.recorder().listen(name, elector);
        return elector.start();
    }

    /**
     * Makes a call that blocks, on a thread of this process; begins at once.
     */
    public <T> VirtualCall<T> call(Callable<? extends T> blocking) {
        VirtualCall<T> call = new VirtualCall<>(world);
        world.stirred();
        carriers.run(() -> call.run(blocking));
        world.settle();
        return call;
    }

    // trouble

    /**
     * It stands still, as when stopped by a signal or by its garbage collector; its clocks go on.
     */
    public void pause() {
        paused = true;
        disturbed = true;
    }

    /**
     * Goes on after {@link #pause} or {@link #suspend}.
     */
    public void resume() {
        if (suspended) {
            time.stepMonotonic(Duration.ofNanos(suspendedAt - world.nanos()));
        }
        paused = false;
        suspended = false;
        world.settle();
    }

    /**
     * Its machine sleeps: it stands still, and so does its monotonic clock, but not the one that counts suspend.
     */
    public void suspend() {
        pause();
        suspended = true;
        suspendedAt = world.nanos();
    }

    /**
     * It is gone, without a word; what it has sent may still arrive.
     */
    public void crash() {
        crashed = true;
        callbacks.clear();
    }

    /**
     * The next time that the rules have taken an event of this name ({@code Renewed}, {@code Tick}), its loop stands
     * still before it does what follows, for so long; the rest of the world goes on.
     */
    public void stallAfter(String event, Duration time) {
        stallAfter = event;
        stall = time;
        disturbed = true;
    }

    /**
     * The rules of the election themselves throw, the next {@code times} that they take an event of this name.
     */
    public void failAt(String event, int times) {
        failAt = event;
        failures = times;
        disturbed = true;
    }

    /**
     * No thread is free for user code, until released.
     */
    public void holdCallbacks() {
        holding = true;
        disturbed = true;
    }

    /**
     * Runs the user code that waits longest; false if none waits.
     */
    public boolean runCallback() {
        Runnable next = callbacks.poll();
        if (next != null) {
            world.stirred();
            carriers.run(next);
            world.settle();
        }
        return next != null;
    }

    /**
     * User code runs again as it comes.
     */
    public void releaseCallbacks() {
        holding = false;
        world.settle();
    }

    // the world's side

    boolean isAlive() {
        return !crashed && !closed;
    }

    /**
     * Whether it runs and has done all that is due.
     */
    boolean isMoving() {
        return isAlive() && !paused && !turning;
    }

    /**
     * Whether it was ever kept from doing something in time.
     */
    boolean isDisturbed() {
        return disturbed || crashed;
    }

    boolean isClosed() {
        return closed;
    }

    boolean isBlocked() {
        return !paused && carriers.isAnyBlocked();
    }

    /**
     * Blocks no more, as the operating system knows already.
     */
    boolean isOnItsWay() {
        return !paused && carriers.isAnyOnItsWay();
    }

    void turn() {
        if (isMoving()) {
            turning = true;
            try {
                wakeAt = engine.loop().turn();
            } finally {
                turning = false;
            }
        }
    }

    /**
     * Lets user code run that is ready.
     */
    void proceed() {
        if (paused || crashed) {
            return;
        }
        Runnable next;
        while (!holding && (next = callbacks.poll()) != null) {
            world.stirred();
            carriers.run(next);
        }
        if (carriers.proceedDue(world.nanos())) {
            world.stirred();
        }
    }

    long nextAt() {
        if (paused || crashed) {
            return Long.MAX_VALUE;
        }
        return Math.min(isMoving() ? time.toWorld(wakeAt) : Long.MAX_VALUE, carriers.nextAt());
    }

    /**
     * Closes its Tenure, letting time pass as far as that takes; as little as possible if it has crashed.
     */
    @Override
    public void close() {
        if (!isAlive()) {
            return;
        }
        resume();
        releaseCallbacks();
        VirtualCall<Boolean> closing = call(() -> {
            engine.close();
            return true;
        });
        world.advanceUntil(closing::isDone, LONGEST_CLOSE);
        closing.result();
        closed = true;
        world.checker().closed(this);
    }

    void end() {
        carriers.end();
        callbacks.clear();
    }
}
