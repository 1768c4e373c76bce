package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.OwnedLease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.Tenure;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.spi.ElectionMonitor;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The engine on its own threads: what only races show. Real time, little of it.
 */
@Timeout(300)
class RealThreadsTest {
    private final MemoryLeaseStore store = new MemoryLeaseStore();
    private final ExecutorService others = Executors.newCachedThreadPool();
    private final List<Tenure> opened = new ArrayList<>();
    private final AtomicInteger renewals = new AtomicInteger();
    private CapturedLog log;

    @BeforeEach
    void captureLog() {
        log = new CapturedLog();
    }

    @AfterEach
    void closeAll() throws InterruptedException {
        opened.forEach(Tenure::close);
        others.shutdownNow();
        others.awaitTermination(5, TimeUnit.SECONDS);
        log.close();
    }

    private Tenure tenure() {
        Tenure made = Tenure.builder(store.another())
                .defaults(options -> options.drainTimeout(Duration.ofSeconds(2)))
                .monitor(new ElectionMonitor() {
                    @Override
                    public void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
                        if (outcome == Outcome.SUCCEEDED) {
                            renewals.incrementAndGet();
                        }
                    }
                })
                .build();
        opened.add(made);
        return made;
    }

    /**
     * A lease that outlives the test, and renewals that do not keep it waiting.
     */
    private static void oftenRenewed(ElectionOptions.Builder options) {
        options.lease(Duration.ofMinutes(10)).renewInterval(Duration.ofMillis(10));
    }

    private static void pause(long millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private static void becomes(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            pause(5);
        }
    }

    private static long threads(String prefix) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(prefix))
                .count();
    }

    private <T> List<Future<T>> together(List<Callable<T>> calls) {
        CountDownLatch go = new CountDownLatch(1);
        List<Future<T>> all = new ArrayList<>();
        for (Callable<T> call : calls) {
            all.add(others.submit(() -> {
                go.await();
                return call.call();
            }));
        }
        go.countDown();
        return all;
    }

    @Test
    void handsOverBetweenTwoTenures() throws Exception {
        Tenure a = tenure();
        Tenure b = tenure();
        try (OwnedLease first = a.acquire("role")) {
            assertThat(b.tryAcquire("role")).isEmpty();
            Future<OwnedLease> waiting = others.submit(() -> b.acquire("role"));
            first.close();
            OwnedLease second = waiting.get(60, TimeUnit.SECONDS);
            assertThat(first.fencingToken().isOlderThan(second.fencingToken())).isTrue();
            second.close();
        }
    }

    @Test
    void K088_closedTenuresLeaveNoThreads() throws Exception {
        long loops = threads("tenure-loop");
        for (int i = 0; i < 100; i++) {
            Tenure made = Tenure.on(store.another());
            made.elector("role-" + i).start().awaitLeadership();
            made.close();
        }
        assertThat(threads("tenure-loop")).as("of those before, some may end").isLessThanOrEqualTo(loops);
        becomes("no callback threads", () -> threads("tenure-callback") == 0);
        assertThat(store.list().toCompletableFuture().join()).isEmpty();
    }

    @Test
    void allThreadsAreDaemons() throws Exception {
        Tenure a = tenure();
        a.elector("role", lease -> lease.awaitLost(Duration.ofSeconds(60)))
                .start()
                .awaitLeadership();
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        assertThat(all.keySet().stream().filter(thread -> thread.getName().startsWith("tenure")))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
    }

    @Test
    void interruptsOfTheLoopThreadEndNothing() throws Exception {
        Tenure a = tenure();
        LeaderElector elector =
                a.with(RealThreadsTest::oftenRenewed).elector("role").start();
        Lease lease = elector.awaitLeadership();
        becomes("renewed often", () -> {
            Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().equals("tenure-loop"))
                    .forEach(Thread::interrupt);
            return renewals.get() > 50;
        });
        assertThat(lease.isHeld()).isTrue();
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void callsAfterTheClosingComeBack() throws Exception {
        Tenure a = tenure();
        LeaderElector elector = a.elector("role").start();
        elector.awaitLeadership();
        OwnedLease owned = a.with(options -> options.lease(Duration.ofHours(1))).acquire("other");
        Future<?> closing = others.submit(a::close);
        owned.release();
        closing.get(60, TimeUnit.SECONDS);
        others.submit(owned::close).get(60, TimeUnit.SECONDS); // a call is given 16 minutes
        assertThat(elector.stop().get(60, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(elector.resign().get(60, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(owned.release().get(60, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        elector.onChange(lease -> {}, (lease, reason) -> {}).remove();
        assertThatThrownBy(() -> a.acquire("role")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closeByManyThreadsAtOnceClosesOnceAndAllWait() throws Exception {
        for (int round = 0; round < 20; round++) {
            Tenure a = Tenure.on(store.another());
            a.elector("role").start().awaitLeadership();
            List<Callable<Boolean>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                calls.add(() -> {
                    a.close();
                    return store.read("leader:role")
                            .toCompletableFuture()
                            .join()
                            .isEmpty();
                });
            }
            for (Future<Boolean> free : together(calls)) {
                assertThat(free.get(60, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    @Test
    void startStopAndCloseRacesLeaveNothing() throws Exception {
        for (int round = 0; round < 60; round++) {
            Tenure a = Tenure.on(store.another());
            LeaderElector elector = a.elector("role");
            List<Callable<Boolean>> calls = List.of(
                    () -> {
                        elector.start();
                        return true;
                    },
                    () -> {
                        elector.stop();
                        return true;
                    },
                    () -> {
                        a.acquireAsync("other").cancel(true);
                        return true;
                    },
                    () -> {
                        a.close();
                        return true;
                    });
            for (Future<Boolean> call : together(calls)) {
                try {
                    call.get(60, TimeUnit.SECONDS);
                } catch (java.util.concurrent.ExecutionException closed) {
                    assertThat(closed).hasCauseInstanceOf(IllegalStateException.class);
                }
            }
            a.close();
            assertThat(store.list().toCompletableFuture().join())
                    .as("round " + round)
                    .isEmpty();
        }
    }

    @Test
    void B41_resignRacingEverythingEndsWithALeader() throws Exception {
        Tenure a = tenure();
        LeaderElector elector = a.with(
                        options -> options.retryInterval(Duration.ofMillis(1)).retryJitter(Duration.ZERO))
                .elector("role")
                .start();
        for (int round = 0; round < 25; round++) {
            elector.awaitLeadership();
            List<Callable<ReleaseOutcome>> calls = List.of(
                    () -> elector.resign().get(60, TimeUnit.SECONDS),
                    () -> elector.resign().get(60, TimeUnit.SECONDS),
                    () -> {
                        store.forceRelease("leader:role");
                        return ReleaseOutcome.RELEASED;
                    });
            for (Future<ReleaseOutcome> call : together(calls)) {
                assertThat(call.get(60, TimeUnit.SECONDS)).isNotNull();
            }
        }
        becomes("a leader", elector::isLeader);
    }

    @Test
    void onceNotHeldNeverHeldAgainUnderManyReaders() throws Exception {
        Tenure a = tenure();
        AtomicBoolean stop = new AtomicBoolean();
        AtomicInteger revived = new AtomicInteger();
        AtomicLong reads = new AtomicLong();
        LeaderElector elector = a.with(options -> options.lease(Duration.ofMillis(30))
                        .safetyMargin(Duration.ofMillis(14))
                        .renewInterval(Duration.ofMillis(8))
                        .retryInterval(Duration.ofMillis(1))
                        .retryJitter(Duration.ZERO))
                .elector("role")
                .start();
        List<Future<?>> readers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            readers.add(others.submit(() -> {
                while (!stop.get()) {
                    elector.lease().ifPresent(lease -> {
                        boolean was = true;
                        for (int look = 0; look < 2_000; look++) {
                            boolean held = lease.isHeld();
                            if (held && !was) {
                                revived.incrementAndGet();
                            }
                            was = held;
                            reads.incrementAndGet();
                        }
                    });
                }
            }));
        }
        for (int i = 0; i < 60 || reads.get() == 0; i++) {
            pause(15);
            if (i % 7 == 0) {
                store.forceRelease("leader:role");
            }
        }
        stop.set(true);
        for (Future<?> reader : readers) {
            reader.get(60, TimeUnit.SECONDS);
        }
        assertThat(revived).hasValue(0);
        assertThat(reads.get()).isPositive();
    }

    @Test
    void R046_R087_manyTenuresNeverOverlap() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        List<Callable<Integer>> calls = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Tenure each = tenure();
            calls.add(() -> {
                int terms = 0;
                for (int round = 0; round < 25; round++) {
                    try (OwnedLease lease = each.acquire("role")) {
                        if (inside.incrementAndGet() != 1) {
                            overlaps.incrementAndGet();
                        }
                        lease.ensureHeld();
                        inside.decrementAndGet();
                        terms++;
                    }
                }
                return terms;
            });
        }
        int terms = 0;
        for (Future<Integer> call : together(calls)) {
            terms += call.get(120, TimeUnit.SECONDS);
        }
        assertThat(terms).isEqualTo(8 * 25);
        assertThat(overlaps).hasValue(0);
    }

    /**
     * A full pipe behind standard error, or a slow appender.
     */
    @Test
    void aLogThatTakesNothingStopsNoElection() throws Exception {
        Tenure a = tenure();
        CountDownLatch full = new CountDownLatch(1);
        CountDownLatch stuck = new CountDownLatch(1);
        System.setErr(new PrintStream(OutputStream.nullOutputStream()) {
            @Override
            public void println(String line) {
                stuck.countDown();
                try {
                    full.await();
                } catch (InterruptedException stop) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        try {
            LeaderElector elector =
                    a.with(RealThreadsTest::oftenRenewed).elector("role").start();
            OwnedLease first = a.acquire("other");
            assertThat(stuck.await(60, TimeUnit.SECONDS)).isTrue();
            Lease lease = elector.awaitLeadership();
            int before = renewals.get();
            becomes("renewed", () -> renewals.get() > before + 3);
            assertThat(lease.isHeld()).isTrue();
            first.release().toCompletableFuture().get(60, TimeUnit.SECONDS);
        } finally {
            full.countDown();
        }
    }

    @Test
    void K075_acquireAndCloseInALoopLeavesNothing() throws Exception {
        Tenure a = tenure();
        for (int i = 0; i < 2_000; i++) {
            CompletableFuture<OwnedLease> future = a.acquireAsync("role-" + i % 5);
            if (!future.cancel(true)) {
                future.join().release();
            }
        }
        // What was asked for last has reached the store once a later acquisition of the role is granted.
        for (int i = 0; i < 5; i++) {
            a.acquire("role-" + i).close();
        }
        becomes(
                "nothing is left",
                () -> store.list().toCompletableFuture().join().isEmpty());
    }

    @Test
    void awaitLostSleepsUntilTheTimeoutInRealTime() throws Exception {
        Tenure a = tenure();
        try (OwnedLease lease = a.acquire("role")) {
            long from = System.nanoTime();
            assertThat(lease.awaitLost(Duration.ofMillis(30))).isFalse();
            assertThat(System.nanoTime() - from).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(29));
        }
    }

    @Test
    void closingKeepsTheInterruptStatus() throws Exception {
        Tenure a = Tenure.on(store.another());
        a.elector("role").start().awaitLeadership();
        Thread.currentThread().interrupt();
        a.close();
        assertThat(Thread.interrupted()).isTrue();
        becomes(
                "released",
                () -> store.read("leader:role").toCompletableFuture().join().isEmpty());
    }
}
