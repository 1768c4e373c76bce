package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.Lease;
import dev.tenure.OwnedLease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreUnavailableException;
import dev.tenure.Tenure;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Where an election meets the application: odd executors, suppliers, logs, callbacks and exceptions.
 */
class EdgesOfTheShellTest extends EngineTest {

    // the store's exceptions

    @Test
    void futuresOfAcquisitionsFailWithAStoreExceptionWhateverTheStoreThrew() {
        store().on(Kind.ACQUIRE).fail(() -> new IOException("cable"));
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        CompletableFuture<Optional<OwnedLease>> once = a.tenure().tryAcquireAsync(ROLE);
        world.settle();
        for (CompletableFuture<?> each : List.of(future, once)) {
            assertThatThrownBy(each::join)
                    .cause()
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("cable")
                    .hasCauseInstanceOf(IOException.class);
        }
    }

    @Test
    void storeThatHasAnsweredAWatchIsWaitedFor() {
        leader(process("b"));
        VirtualTenure a = process("a");
        LeaderWatch watch = a.tenure().watch("other");
        world.settle();
        store().cut("a");
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire("other"));
        advanceTo(20);
        assertThat(call.isDone()).isFalse();
        store().mend("a");
        advanceTo(25);
        assertThat(call.result()).isNotNull();
        watch.close();
    }

    // metadata

    @Test
    void supplierThatGivesANullValueIsAskedAgain() {
        AtomicInteger reads = new AtomicInteger();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata("fixed", "1").metadata(() -> {
                    Map<String, String> read = new HashMap<>();
                    read.put("ip", reads.incrementAndGet() == 1 ? null : "10.0.0.1");
                    return read;
                }));
        LeaderElector elector = leader(a);
        assertThat(store().record(KEY).orElseThrow().holder().metadata()).isEqualTo(Map.of("fixed", "1"));
        elector.resign();
        advanceTo(2);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(store().record(KEY).orElseThrow().holder().metadata()).containsEntry("ip", "10.0.0.1");
    }

    // who leads

    @Test
    void leaderThatRenewsIsSeenAllTheTime() {
        process("a", options -> options.lease(seconds(6)).renewInterval(seconds(2)))
                .stand(ROLE);
        world.settle();
        store().on(Kind.READ).delay(Duration.ofMillis(20), Duration.ofMillis(20));
        store().on(Kind.ACQUIRE).delay(Duration.ofMillis(20), Duration.ofMillis(20));
        LeaderWatch watch = process("c").tenure().watch(ROLE);
        LeaderElector follower = process("b").stand(ROLE);
        advanceTo(1);
        for (int i = 0; i < 3000; i++) {
            world.advance(Duration.ofMillis(10));
            assertThat(watch.leader()).as("watch at %s", world.elapsed()).isPresent();
            assertThat(follower.leader()).as("follower at %s", world.elapsed()).isPresent();
        }
        watch.close();
    }

    @Test
    void listenerOfAWatchThatIsRemovedAtOnceIsNotListed() {
        AtomicInteger given = new AtomicInteger();
        LeaderElector elector = leader(process("a"));
        VirtualTenure c = processWith(
                "c",
                setup -> setup.executor(task -> {
                    given.incrementAndGet();
                    throw new RejectedExecutionException("counts only");
                }));
        LeaderWatch watch = c.tenure().watch(ROLE);
        world.settle();
        AtomicInteger told = new AtomicInteger();
        watch.onChange(leader -> told.incrementAndGet()).remove();
        elector.resign();
        advanceTo(5);
        assertThat(given).hasValue(0);
        watch.onChange(leader -> told.incrementAndGet());
        advanceTo(6);
        assertThat(given).hasValue(1); // it would have been seen
        assertThat(told).hasValue(1);
        watch.close();
    }

    // callbacks

    @Test
    void leaseThatIsClosedInItsOwnOnLostDoesNotWaitForItself() {
        VirtualTenure a = process(
                "a",
                options -> options.lease(seconds(600))
                        .renewInterval(seconds(200))
                        .callTimeout(seconds(150))); // longer than a call is waited for in real time
        OwnedLease lease = a.call(() -> a.tenure().acquire(ROLE)).result();
        lease.onLost(why -> lease.close());
        advanceTo(1);
        VirtualCall<Boolean> closing = closing(a);
        assertThat(closing.result()).isTrue();
        assertThat(releases("a")).isEqualTo(allSeconds(1));
        assertThat(store().record(KEY)).isEmpty();
    }

    // a loop of its own, which takes no time either

    @Test
    void electorOfAClosedTenureIsStoppedAndNotWedged() {
        LeaderElector elector;
        try (Tenure tenure = Tenure.builder(new MemoryLeaseStore()).build()) {
            elector = tenure.elector(ROLE).start();
        }
        assertThat(elector.health().status()).isEqualTo(Status.STOPPED);
        assertThat(elector.health().detail()).contains("closed");
    }

    @Test
    void workIsNotRunOnTheLoopByAnExecutorThatRunsInItsCaller() throws Exception {
        CompletableFuture<Boolean> listener = new CompletableFuture<>();
        CompletableFuture<Boolean> work = new CompletableFuture<>();
        Tenure.Builder settings = Tenure.builder(new MemoryLeaseStore())
                .executor(Runnable::run)
                .defaults(options -> options.lease(Duration.ofMinutes(10)));
        try (Tenure tenure = settings.build()) {
            LeaderElector elector = tenure.elector(ROLE, lease -> {
                work.complete(true);
                lease.lost().toCompletableFuture().get(60, TimeUnit.SECONDS);
            });
            elector.onChange(lease -> listener.complete(true), (lease, reason) -> {});
            elector.start();
            listener.get(60, TimeUnit.SECONDS);
            work.get(60, TimeUnit.SECONDS);
            // work has a thread for itself: what the loop has to do is done meanwhile
            assertThat(elector.resign().get(60, TimeUnit.SECONDS)).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    // the log

    /**
     * As an appender that throws when its disk is full.
     */
    private static final class FullLog extends PrintStream {
        private final AtomicInteger lines = new AtomicInteger();

        FullLog() {
            super(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        }

        @Override
        public void println(String line) {
            lines.incrementAndGet();
            throw new IllegalStateException("no space left");
        }
    }

    @Test
    void logThatThrowsKeepsNoElectionAndNoLossFromBeingTold() {
        ScriptedWork work = new ScriptedWork();
        PrintStream before = System.err;
        FullLog full = new FullLog();
        System.setErr(full);
        try {
            VirtualTenure a = process("a");
            LeaderElector elector = leader(a, work);
            Lease lease = leaseOf(elector);
            advanceTo(1);
            assertThat(recorder().times("a", Recorded.Kind.ON_ELECTED)).isEqualTo(allSeconds(0));
            store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
            advanceTo(3);
            assertThat(isDone(lease.lost())).isTrue();
            assertThat(recorder().times("a", Recorded.Kind.ON_LOST)).isEqualTo(allSeconds(3));
            assertThat(work.interrupts()).isEqualTo(1);
            advanceTo(20);
            assertThat(elector.isLeader()).isTrue();
            assertThat(elector.term()).isEqualTo(2);
        } finally {
            System.setErr(before);
        }
        assertThat(full.lines).hasPositiveValue();
    }
}
