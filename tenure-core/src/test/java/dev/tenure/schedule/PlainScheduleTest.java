package dev.tenure.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.Leadership;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Schedules on a leadership that is not Tenure's own.
 */
@Timeout(60)
class PlainScheduleTest {
    private static final Schedule OFTEN = Schedule.fixedRate(Duration.ofMillis(5));

    private final Given leadership = new Given();

    private static void await(BooleanSupplier condition) {
        long from = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("not within 30 s");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private static void awaitForEver() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    private static TaskStatus only(LeaderScheduler scheduler) {
        List<TaskStatus> tasks = scheduler.tasks();
        assertThat(tasks).hasSize(1);
        return tasks.get(0);
    }

    @Test
    void theLeaderRunsAndAFollowerSkips() {
        AtomicInteger runs = new AtomicInteger();
        try (LeaderScheduler scheduler = LeaderScheduler.on(leadership)) {
            scheduler.schedule("tick", OFTEN, lease -> runs.incrementAndGet());
            await(() -> only(scheduler).count(SlotOutcome.FOLLOWER) > 2);
            assertThat(runs).hasValue(0);
            leadership.elect();
            await(() -> runs.get() > 2);
        }
    }

    @Test
    void aDelayBeginsWithTheTermThatItIsToldOf() {
        CountDownLatch ran = new CountDownLatch(1);
        try (LeaderScheduler scheduler = LeaderScheduler.on(leadership)) {
            scheduler.schedule("once", Schedule.fixedDelay(Duration.ofDays(1)), lease -> ran.countDown());
            leadership.elect();
            await(() -> ran.getCount() == 0);
        }
    }

    @Test
    void aRunIsInterruptedOnLoss() {
        CountDownLatch began = new CountDownLatch(1);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (LeaderScheduler scheduler = LeaderScheduler.on(leadership)) {
            leadership.elect();
            scheduler.schedule("long", OFTEN, lease -> {
                began.countDown();
                try {
                    awaitForEver();
                } catch (InterruptedException stop) {
                    thrown.set(stop);
                    throw stop;
                }
            });
            await(() -> began.getCount() == 0);
            leadership.lose();
            await(() -> only(scheduler).count(SlotOutcome.INTERRUPTED) == 1);
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void aLeaseThatCannotBeWatchedCostsOneSlot() {
        AtomicInteger runs = new AtomicInteger();
        try (LeaderScheduler scheduler = LeaderScheduler.on(leadership)) {
            leadership.elect();
            leadership.current.refusals.set(1);
            scheduler.schedule("tick", OFTEN, lease -> runs.incrementAndGet());
            await(() -> runs.get() > 2);
            assertThat(leadership.current.refusals).hasNonPositiveValue();
            assertThat(only(scheduler).count(SlotOutcome.FOLLOWER)).isPositive();
        }
    }

    @Test
    void manyRunsOfATermLeaveNothingWithItsLease() {
        AtomicInteger runs = new AtomicInteger();
        try (LeaderScheduler scheduler = LeaderScheduler.on(leadership)) {
            leadership.elect();
            scheduler.schedule("tick", Schedule.fixedDelay(Duration.ofMillis(1)), lease -> runs.incrementAndGet());
            await(() -> runs.get() > 50);
            assertThat(leadership.current.callbacks.size()).isLessThanOrEqualTo(1);
            assertThat(leadership.current.lapsed.getNumberOfDependents()).isEqualTo(1);
        }
    }

    @Test
    void aRunIsInterruptedWhenItsLeaseLapses() {
        CountDownLatch began = new CountDownLatch(1);
        try (LeaderScheduler scheduler = LeaderScheduler.on(leadership)) {
            leadership.elect();
            scheduler.schedule("long", Schedule.fixedDelay(Duration.ofDays(1)), lease -> {
                began.countDown();
                awaitForEver();
            });
            await(() -> began.getCount() == 0);
            leadership.current.lapsed.complete(null);
            await(() -> only(scheduler).count(SlotOutcome.INTERRUPTED) == 1);
        }
    }

    @Test
    void longRunsDoNotKeepOthersWaiting() {
        int many = 4 * Runtime.getRuntime().availableProcessors();
        CountDownLatch all = new CountDownLatch(many);
        try (LeaderScheduler scheduler = LeaderScheduler.on(leadership)) {
            leadership.elect();
            for (int i = 0; i < many; i++) {
                scheduler.schedule("task-" + i, Schedule.fixedDelay(Duration.ofDays(1)), lease -> {
                    all.countDown();
                    all.await();
                });
            }
            await(() -> all.getCount() == 0);
        }
    }

    @Test
    void nothingBeginsAfterCloseAndTimersAreGivenBack() {
        AtomicInteger runs = new AtomicInteger();
        LeaderScheduler scheduler = LeaderScheduler.on(leadership);
        leadership.elect();
        scheduler.schedule("tick", OFTEN, lease -> runs.incrementAndGet());
        await(() -> runs.get() > 0);
        scheduler.close();
        int atClose = runs.get();
        AtomicInteger others = new AtomicInteger();
        try (LeaderScheduler other = LeaderScheduler.on(leadership)) {
            other.schedule("tick", OFTEN, lease -> others.incrementAndGet());
            await(() -> others.get() > 5);
        }
        assertThat(runs).hasValue(atClose);
        assertThat(leadership.listeners).isEmpty();
    }

    /** As a mock does that was told about its lease only. */
    @Test
    void aLeadershipThatAnswersNullIsLivedWith() {
        Lease lease = mock(Lease.class, "isHeld", true, "remaining", Duration.ofSeconds(5));
        Leadership mock = mock(Leadership.class, "lease", Optional.of(lease), "role", "billing");
        AtomicInteger runs = new AtomicInteger();
        try (LeaderScheduler scheduler = LeaderScheduler.on(mock)) {
            scheduler.schedule("tick", OFTEN, given -> runs.incrementAndGet());
            await(() -> runs.get() > 2);
        }
    }

    private static <T> T mock(Class<T> type, Object... answers) {
        Object made =
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    for (int i = 0; i < answers.length; i += 2) {
                        if (answers[i].equals(method.getName())) {
                            return answers[i + 1];
                        }
                    }
                    if (method.getName().equals("equals")) {
                        return proxy == arguments[0];
                    }
                    if (method.getReturnType() == long.class) {
                        return 0L;
                    }
                    return method.getReturnType() == int.class ? System.identityHashCode(proxy) : null;
                });
        return type.cast(made);
    }

    /**
     * A leadership that the test decides.
     */
    private static final class Given implements Leadership {
        private record Pair(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost) {}

        private final List<Pair> listeners = new CopyOnWriteArrayList<>();
        private volatile GivenLease current;
        private long terms; // the test's

        void elect() {
            terms++;
            current = new GivenLease(terms);
            listeners.forEach(pair -> pair.elected().accept(current));
        }

        void lose() {
            current.held = false;
            current.callbacks.forEach(callback -> callback.accept(LossReason.TAKEN_OVER));
            listeners.forEach(pair -> pair.lost().accept(current, LossReason.TAKEN_OVER));
        }

        @Override
        public String role() {
            return "billing";
        }

        @Override
        public boolean isLeader() {
            return lease().isPresent();
        }

        @Override
        public Optional<Lease> lease() {
            GivenLease present = current;
            return present != null && present.held ? Optional.of(present) : Optional.empty();
        }

        @Override
        public Lease awaitLeadership() {
            throw new UnsupportedOperationException();
        }

        @Override
        public Optional<Lease> awaitLeadership(Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Registration onChange(
                Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost) {
            Pair pair = new Pair(elected, lost);
            listeners.add(pair);
            return () -> listeners.remove(pair);
        }

        @Override
        public Optional<Leader> leader() {
            return Optional.empty();
        }

        @Override
        public long term() {
            return terms;
        }

        @Override
        public boolean isCoordinated() {
            return true;
        }
    }

    private static final class GivenLease implements Lease {
        private final long term;
        private final List<Consumer<? super LossReason>> callbacks = new CopyOnWriteArrayList<>();
        private final AtomicInteger refusals = new AtomicInteger();
        private final CompletableFuture<Void> lapsed = new CompletableFuture<>();
        private volatile boolean held = true;

        GivenLease(long term) {
            this.term = term;
        }

        @Override
        public String role() {
            return "billing";
        }

        @Override
        public FencingToken fencingToken() {
            return new FencingToken("billing", term);
        }

        @Override
        public long term() {
            return term;
        }

        @Override
        public boolean isHeld() {
            return held;
        }

        @Override
        public Duration remaining() {
            return held ? Duration.ofSeconds(10) : Duration.ZERO;
        }

        @Override
        public void ensureHeld() {
            if (!held) {
                throw new LeadershipLostException(fencingToken(), "lost by the test");
            }
        }

        @Override
        public void ensureHeld(Duration needed) {
            ensureHeld();
        }

        @Override
        public boolean awaitLost(Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<LossReason> lost() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Void> lapsed() {
            return lapsed;
        }

        @Override
        public Registration onLost(Consumer<? super LossReason> callback) {
            if (refusals.getAndDecrement() > 0) {
                throw new IllegalStateException("refused by the test");
            }
            callbacks.add(callback);
            return () -> callbacks.remove(callback);
        }

        @Override
        public Optional<LossReason> lossReason() {
            return held ? Optional.empty() : Optional.of(LossReason.TAKEN_OVER);
        }
    }
}
