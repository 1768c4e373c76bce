package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Many at once, and those who change their mind.
 */
@Execution(ExecutionMode.CONCURRENT)
class ContestTest {
    private static final int CONTENDERS = 8;
    private static final int ROUNDS = 5;
    private static final int ABANDONED = 60;
    private static final int LONGEST_MICROS = 20_000;

    private final ConsulAgent agent = ConsulAgent.shared();
    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> closing = new ArrayList<>();
    private volatile Thread asker;

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /**
     * With a lock delay that nobody could overlook, and sessions that do not end by themselves meanwhile.
     */
    private Tenure tenure() {
        return Tenure.builder(ConsulLeaseStore.builder(agent.url())
                        .lockDelay(Duration.ofSeconds(60))
                        .build())
                .defaults(options -> options.lease(Duration.ofHours(1)))
                .build();
    }

    @Test
    void R087_R134_ofEightThatAskAtOnceExactlyOneWins() throws Exception {
        List<Tenure> tenures =
                IntStream.range(0, CONTENDERS).mapToObj(i -> tenure()).toList();
        CyclicBarrier together = new CyclicBarrier(CONTENDERS);
        long last = 0;
        for (int round = 0; round < ROUNDS; round++) {
            List<Future<Optional<OwnedLease>>> asked = new ArrayList<>();
            for (Tenure tenure : tenures) {
                asked.add(threads.submit(() -> {
                    together.await();
                    return tenure.tryAcquire(role);
                }));
            }
            List<OwnedLease> won = new ArrayList<>();
            for (Future<Optional<OwnedLease>> each : asked) {
                each.get(180, TimeUnit.SECONDS).ifPresent(won::add);
            }
            assertThat(won).hasSize(1);
            assertThat(won.get(0).isHeld()).isTrue();
            assertThat(won.get(0).fencingToken().value())
                    .isEqualTo(agent.entry(key).index())
                    .isGreaterThan(last);
            last = won.get(0).fencingToken().value();
            won.get(0).close();
        }
        tenures.forEach(Tenure::close);
        Eventually.becomes("no session", () -> agent.sessions(key) == 0);
    }

    @Test
    void acquisitionsThatAreAbandonedAtAnyMomentLeaveNoLockAndNoSession() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        int came = 0;
        try (Tenure lasting = tenure()) {
            for (int i = 0; i < ABANDONED; i++) {
                long patience = random.nextInt(LONGEST_MICROS);
                boolean inTime = switch (i % 3) {
                    case 0 -> cancelled(lasting, patience);
                    case 1 -> interrupted(lasting, patience);
                    default -> closed(patience);
                };
                came += inTime ? 1 : 0;
            }
        }
        for (Future<?> each : closing) {
            each.get(180, TimeUnit.SECONDS);
        }
        assertThat(came).as("acquisitions that were not abandoned").isLessThan(ABANDONED);
        Eventually.becomes("no session, seed " + seed, () -> agent.sessions(key) == 0);
        assertThat(agent.entry(key).isLocked()).as("seed %s", seed).isFalse();
        try (Tenure after = tenure()) {
            assertThat(after.tryAcquire(role))
                    .as("no lock delay, seed %s", seed)
                    .isPresent();
        }
    }

    @Test
    void aCandidateThatWithdrawsWhileItWaitsLeavesNoSession() throws Exception {
        try (Tenure one = tenure();
                Tenure other = tenure();
                OwnedLease lease = one.acquire(role)) {
            CompletableFuture<OwnedLease> waiting = other.acquireAsync(role);
            Eventually.becomes("a candidate with a session", () -> agent.sessions(key) == 2);
            assertThat(waiting.cancel(true)).isTrue();
            Eventually.becomes("the holder's session alone", () -> agent.sessions(key) == 1);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /**
     * Whether it came before it was abandoned; then it is given back.
     */
    private boolean cancelled(Tenure tenure, long micros) throws Exception {
        CompletableFuture<OwnedLease> waiting = tenure.acquireAsync(role);
        if (isDoneIn(waiting, micros) || !waiting.cancel(true)) {
            waiting.join().close();
            return true;
        }
        return false;
    }

    private boolean interrupted(Tenure tenure, long micros) throws Exception {
        Future<Boolean> asking = threads.submit(() -> {
            asker = Thread.currentThread();
            try {
                tenure.acquire(role).close();
                return true;
            } catch (InterruptedException abandoned) {
                return false;
            }
        });
        if (!isDoneIn(asking, micros)) {
            Eventually.becomes("a thread", () -> asker != null);
            asker.interrupt();
        }
        boolean came = asking.get(180, TimeUnit.SECONDS);
        asker = null;
        return came;
    }

    private boolean closed(long micros) throws Exception {
        Tenure tenure = tenure();
        CompletableFuture<Void> back = tenure.acquireAsync(role).thenAccept(OwnedLease::close);
        boolean came = isDoneIn(back, micros);
        closing.add(threads.submit(tenure::close));
        return came;
    }

    private static boolean isDoneIn(Future<?> waiting, long micros) throws Exception {
        try {
            waiting.get(micros, TimeUnit.MICROSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        }
    }
}
