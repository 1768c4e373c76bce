package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.StoreUnavailableException;
import dev.tenure.engine.Election;
import dev.tenure.engine.EngineTenure;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.Recorder;
import dev.tenure.test.virtual.ScriptedStore;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualSetup;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * A test in a virtual world. After each one all is closed and the invariants are judged.
 *
 * <p>Times are those of the cases unless a test says otherwise: lease 10 s, renewed every 3 s, margin 1 s, retried after
 * 1 s without jitter. So a call waits 2.4 s, and a grant of time 0 has its deadline at 9 s.
 */
abstract class EngineTest {
    static final String ROLE = "billing";
    static final String KEY = "leader:billing";

    VirtualWorld world = VirtualWorld.create();
    CapturedLog log;

    @BeforeEach
    void captureLog() {
        log = new CapturedLog();
    }

    @AfterEach
    void nothingIsLeftAndInvariantsHold() {
        try {
            world.close();
            world.advance(seconds(60));
            world.checker().verify();
        } finally {
            log.close();
        }
    }

    // the cast

    static void ofTheCases(ElectionOptions.Builder options) {
        options.lease(seconds(10))
                .renewInterval(seconds(3))
                .safetyMargin(seconds(1))
                .retryInterval(seconds(1))
                .retryJitter(Duration.ZERO);
    }

    VirtualTenure process(String name) {
        return process(name, options -> {});
    }

    VirtualTenure process(String name, Consumer<ElectionOptions.Builder> more) {
        return processWith(name, setup -> setup.options(more));
    }

    VirtualTenure processWith(String name, Consumer<VirtualSetup> more) {
        return world.processWith(name, setup -> {
            setup.options(EngineTest::ofTheCases);
            more.accept(setup);
        });
    }

    /**
     * The store says nothing when a key is released.
     */
    void pollingStore() {
        world = VirtualWorld.builder()
                .traits(StoreTraits.builder("polled", StoreTraits.Scope.CLUSTER)
                        .lease(Duration.ofMillis(1), Duration.ofDays(1))
                        .build())
                .build();
    }

    ScriptedStore store() {
        return world.store();
    }

    Recorder recorder() {
        return world.recorder();
    }

    /**
     * An elector of the role that leads now.
     */
    LeaderElector leader(VirtualTenure process) {
        LeaderElector elector = process.stand(ROLE);
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        return elector;
    }

    /**
     * The same, with work.
     */
    LeaderElector leader(VirtualTenure process, LeaderWork work) {
        LeaderElector elector = process.stand(ROLE, work);
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        return elector;
    }

    /**
     * A call that closes.
     */
    VirtualCall<Boolean> closing(VirtualTenure process) {
        return process.call(() -> {
            process.tenure().close();
            return true;
        });
    }

    static Lease leaseOf(LeaderElector elector) {
        return elector.lease().orElseThrow();
    }

    static Election stateOf(VirtualTenure process) {
        List<Election> states = ((EngineTenure) process.tenure()).states();
        assertThat(states).hasSize(1);
        return states.get(0);
    }

    // time

    static Duration seconds(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    static List<Duration> allSeconds(double... seconds) {
        List<Duration> all = new ArrayList<>();
        for (double each : seconds) {
            all.add(seconds(each));
        }
        return all;
    }

    /**
     * Lets time pass until so much has passed since the beginning.
     */
    void advanceTo(double seconds) {
        Duration left = seconds(seconds).minus(world.elapsed());
        assertThat(left).isGreaterThanOrEqualTo(Duration.ZERO);
        world.advance(left);
    }

    /**
     * From within user code: takes that long, unless interrupted.
     */
    void take(Duration time) {
        try {
            world.pass(time);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    // what happened

    static StoreUnavailableException outage() {
        return new StoreUnavailableException("scripted outage", null);
    }

    List<Duration> renewals(String process) {
        return store().times(StoreCall.Kind.RENEW, process);
    }

    List<Duration> acquisitions(String process) {
        return store().times(StoreCall.Kind.ACQUIRE, process);
    }

    List<Duration> releases(String process) {
        return store().times(StoreCall.Kind.RELEASE, process);
    }

    List<Duration> lostAt(String process) {
        return recorder().times(process, Recorded.Kind.LOST);
    }

    /**
     * Why the terms of a process ended, in order.
     */
    List<String> reasons(String process) {
        return recorder().events(process, Recorded.Kind.LOST).stream()
                .map(Recorded::detail)
                .toList();
    }

    /**
     * Whether a stage is complete, without time passing.
     */
    boolean isDone(CompletionStage<?> stage) {
        CompletableFuture<?> future = stage.toCompletableFuture();
        world.settle();
        return future.isDone();
    }

    /**
     * What a stage has completed with, without time passing.
     */
    <T> T now(CompletionStage<T> stage) {
        CompletableFuture<T> future = stage.toCompletableFuture();
        world.settle();
        assertThat(future).isDone();
        return future.join();
    }
}
