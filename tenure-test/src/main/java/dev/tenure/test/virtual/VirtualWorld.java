package dev.tenure.test.virtual;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Several processes and their store on one virtual time, which passes only in {@link #advance}. Deterministic: what is
 * due is done in order, one thing at a time, loops before callbacks, processes in the order of their making; random
 * numbers come from the seed. Driven by one thread.
 */
public final class VirtualWorld implements AutoCloseable {
    private static final int MOST_ROUNDS = 20_000;
    private final AtomicLong nanos = new AtomicLong(VirtualTime.ORIGIN);
    private final Glance glance = new Glance();
    private final AtomicLong stirs = new AtomicLong();
    private final PriorityQueue<Task> tasks = new PriorityQueue<>();
    private final List<VirtualTenure> processes = new ArrayList<>();
    private final Random random;
    private final Recorder recorder = new Recorder(this);
    private final InvariantChecker checker;
    private final ScriptedStore store;
    private long taskCount;

    private record Task(long at, long order, Runnable todo) implements Comparable<Task> {
        @Override
        public int compareTo(Task other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    private VirtualWorld(Builder set) {
        random = new Random(set.seed);
        checker = new InvariantChecker(this);
        store = new ScriptedStore(this, set.traits, set.counting);
    }

    /**
     * A world whose store is the one in memory.
     */
    public static VirtualWorld create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /**
     * What a world is made of. Not thread-safe.
     */
    public static final class Builder {
        private long seed = 1;
        private @Nullable StoreTraits traits;
        private boolean counting;

        private Builder() {}

        /**
         * Of all random numbers; default 1.
         */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /**
         * What the store says about itself; default: as the one in memory. If it pushes no wake-ups, none come.
         */
        public Builder traits(StoreTraits traits) {
            this.traits = traits;
            return this;
        }

        /**
         * Tokens count by one.
         */
        public Builder countingTokens() {
            counting = true;
            return this;
        }

        public VirtualWorld build() {
            return new VirtualWorld(this);
        }
    }

    VirtualTime newTime() {
        return new VirtualTime(nanos::get);
    }

    long nanos() {
        return nanos.get();
    }

    /**
     * How much time has passed since the beginning.
     */
    public Duration elapsed() {
        return Duration.ofNanos(nanos.get() - VirtualTime.ORIGIN);
    }

    public ScriptedStore store() {
        return store;
    }

    public Recorder recorder() {
        return recorder;
    }

    public InvariantChecker checker() {
        return checker;
    }

    List<VirtualTenure> processes() {
        return processes;
    }

    /**
     * A process with default options.
     */
    public VirtualTenure process(String name) {
        return process(name, options -> {});
    }

    /**
     * A process with these options as its defaults.
     */
    public VirtualTenure process(String name, Consumer<ElectionOptions.Builder> options) {
        return processWith(name, setup -> setup.options(options));
    }

    /**
     * A process with other settings as well.
     */
    public VirtualTenure processWith(String name, Consumer<VirtualSetup> setup) {
        VirtualSetup set = new VirtualSetup();
        setup.accept(set);
        VirtualTenure made = new VirtualTenure(this, name, set, new Random(random.nextLong()));
        processes.add(made);
        return made;
    }

    /**
     * Does something when so much time has passed.
     */
    public void after(Duration delay, Runnable todo) {
        tasks.add(new Task(nanos.get() + delay.toNanos(), ++taskCount, todo));
    }

    /**
     * Something happened that others may have to react to, at the same time.
     */
    void stirred() {
        stirs.incrementAndGet();
    }

    /**
     * Lets time pass, and does all that falls due, in order.
     */
    public void advance(Duration by) {
        ensureNotACarrier();
        long target = nanos.get() + by.toNanos();
        settle();
        for (long next = nextAt(); next <= target; next = nextAt()) {
            nanos.accumulateAndGet(next, Math::max);
            settle();
        }
        nanos.accumulateAndGet(target, Math::max); // a stall may have taken longer
        settle();
    }

    /**
     * Lets time pass until a condition is true.
     *
     * @throws AssertionError if it is not after {@code limit}
     */
    public void advanceUntil(BooleanSupplier condition, Duration limit) {
        ensureNotACarrier();
        long target = nanos.get() + limit.toNanos();
        settle();
        while (!condition.getAsBoolean()) {
            long next = nextAt();
            if (next > target) {
                throw new AssertionError("not within " + limit);
            }
            nanos.accumulateAndGet(next, Math::max);
            settle();
        }
    }

    /**
     * Takes that much virtual time, from within user code of a process: the world goes on meanwhile. Ends early if the
     * thread is interrupted.
     */
    public void pass(Duration time) throws InterruptedException {
        Carrier carrier = Carrier.current();
        if (carrier == null) {
            throw new IllegalStateException("only user code of a process takes time; the test calls advance");
        }
        long until = nanos.get() + time.toNanos();
        while (nanos.get() < until) {
            carrier.park(until);
        }
    }

    private static void ensureNotACarrier() {
        if (Carrier.current() != null) {
            throw new IllegalStateException("user code of a process calls pass; advance is for the test");
        }
    }

    private long nextAt() {
        long next = tasks.isEmpty() ? Long.MAX_VALUE : tasks.peek().at();
        for (VirtualTenure process : processes) {
            next = Math.min(next, process.nextAt());
        }
        return next;
    }

    /**
     * Does all that is due now.
     */
    public void settle() {
        long before;
        int rounds = 0;
        do {
            before = stirs.get();
            round();
            if (before == stirs.get() && processes.stream().anyMatch(VirtualTenure::isBlocked)) {
                glance.take(() -> processes.stream().anyMatch(VirtualTenure::isOnItsWay));
                processes.forEach(VirtualTenure::proceed);
            }
            if (++rounds > MOST_ROUNDS) {
                throw new AssertionError("the world does not come to rest at " + elapsed());
            }
        } while (before != stirs.get());
        checker.look();
    }

    private void round() {
        while (!tasks.isEmpty() && tasks.peek().at() <= nanos.get()) {
            Task due = tasks.poll();
            stirred();
            if (due != null) {
                due.todo().run();
            }
        }
        for (VirtualTenure process : List.copyOf(processes)) {
            process.turn();
        }
        for (VirtualTenure process : List.copyOf(processes)) {
            process.proceed();
        }
    }

    /**
     * Closes all processes, as far as they still run, on a store that answers again; ends all threads.
     */
    @Override
    public void close() {
        try {
            store.heal();
            for (VirtualTenure process : processes) {
                process.close();
            }
        } finally {
            processes.forEach(VirtualTenure::end);
            glance.end();
        }
    }
}
