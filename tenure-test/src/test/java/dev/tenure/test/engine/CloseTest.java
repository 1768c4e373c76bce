package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/**
 * Rule 13: close leaves nothing. The leak check is made after every test of this package.
 */
class CloseTest extends EngineTest {

    @Test
    void R052_closingReleasesEverythingAtOnce() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(1);
        a.close();
        assertThat(world.elapsed()).isEqualTo(seconds(1));
        assertThat(lease.lossReason()).contains(LossReason.STOPPED);
        advanceTo(1.1);
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void K080_releasesAreIndependent() {
        VirtualTenure a = process("a");
        for (int i = 1; i <= 5; i++) {
            a.stand("role-" + i);
        }
        advanceTo(2.9);
        StoreRule renewal = store().on(Kind.RENEW).key("leader:role-3").once().hold();
        advanceTo(3.1);
        store().on(Kind.RELEASE).key("leader:role-2").fail(EngineTest::outage);
        VirtualCall<Boolean> closing = closing(a);
        world.settle();
        for (int i : new int[] {1, 3, 4, 5}) {
            assertThat(store().record("leader:role-" + i)).isEmpty();
        }
        assertThat(store().record("leader:role-2")).isPresent();
        renewal.call().answer();
        world.settle();
        assertThat(store().record("leader:role-3")).isEmpty();
        advanceTo(14);
        assertThat(closing.result()).isTrue();
        assertThat(store().record("leader:role-2")).isEmpty();
    }

    @Test
    void K088_closingWithADeadStoreIsBounded() {
        VirtualTenure a = process("a");
        for (int i = 0; i < 10; i++) {
            a.stand("role-" + i);
        }
        advanceTo(1);
        store().onAll().hold();
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(1 + 10 + 2.4);
        assertThat(closing.result()).isTrue();
    }

    @Test
    void K084_closingWaitsForWorkAtMostForTheDrain() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(4)));
        leader(a, work);
        advanceTo(1);
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(4.99);
        assertThat(closing.isDone()).isFalse();
        advanceTo(5);
        assertThat(closing.result()).isTrue();
        assertThat(store().record(KEY)).isPresent();
        assertThat(releases("a")).isEmpty();
        work.finish();
        world.settle();
    }

    @Test
    void K164_renewalsGoOnUntilTheJobHasEnded() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(30)));
        leader(a, work);
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(5);
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(20);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6, 9, 12, 15, 18));
        assertThat(other.isLeader()).isFalse();
        work.finish();
        world.settle();
        assertThat(closing.result()).isTrue();
        advanceTo(20.1);
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void closingIsIdempotentAndNeverThrows() {
        VirtualTenure a = process("a");
        leader(a);
        a.close();
        VirtualCall<Boolean> again = a.call(() -> {
            a.tenure().close();
            a.tenure().close();
            return true;
        });
        assertThat(again.result()).isTrue();
        assertThat(store().closes("a")).isEqualTo(1);
    }

    @Test
    void closingKeepsTheInterruptStatusAndClosesNevertheless() {
        VirtualTenure a = process("a");
        leader(a);
        VirtualCall<Boolean> closing = a.call(() -> {
            Thread.currentThread().interrupt();
            a.tenure().close();
            return true;
        });
        assertThat(closing.keptInterrupt()).isTrue();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void interruptEndsTheWaitingOfACloseAndNotTheClosing() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(600)));
        leader(a, work);
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(1);
        assertThat(closing.isDone()).isFalse();
        closing.interrupt();
        assertThat(closing.keptInterrupt()).isTrue();
        assertThat(store().closes("a")).isEqualTo(1);
        work.finish();
        world.settle();
    }

    @Test
    void closingFromWithinAListenerDoesNotWaitForIt() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> told = new ArrayList<>();
        elector.onChange(
                lease -> {
                    a.tenure().close();
                    told.add("closed in elected");
                },
                (lease, reason) -> told.add("lost " + reason));
        elector.start();
        world.advanceUntil(() -> told.contains("closed in elected"), seconds(5));
        world.settle();
        assertThat(world.elapsed()).isLessThan(seconds(1));
        assertThat(store().record(KEY)).isEmpty();
        assertThat(told).contains("lost STOPPED");
    }

    @Test
    void closingFromWithinALostListenerDoesNotWaitForIt() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> told = new ArrayList<>();
        elector.onChange(lease -> {}, (lease, reason) -> {
            a.tenure().close();
            told.add("closed");
        });
        elector.start();
        advanceTo(1);
        elector.resign();
        world.advanceUntil(() -> told.contains("closed"), seconds(5));
        assertThat(world.elapsed()).isLessThan(seconds(2));
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void closingFromWithinLeaderWorkDoesNotWaitForIt() {
        VirtualTenure a = process("a");
        boolean[] closed = {false};
        a.stand(ROLE, lease -> {
            a.tenure().close();
            closed[0] = true;
        });
        world.advanceUntil(() -> closed[0], seconds(5));
        assertThat(world.elapsed()).isLessThan(seconds(1));
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void closingFromWithinALostCallbackOfTheLeaseDoesNotWaitForIt() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        boolean[] closed = {false};
        leaseOf(elector).onLost(reason -> {
            a.tenure().close();
            closed[0] = true;
        });
        elector.stop();
        world.advanceUntil(() -> closed[0], seconds(5));
        assertThat(world.elapsed()).isLessThan(seconds(1));
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void waitersForLeadershipAreToldOfTheClosing() {
        leader(process("b"));
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        VirtualCall<Lease> waiting = a.call(elector::awaitLeadership);
        advanceTo(1);
        a.close();
        assertThat(waiting.failure()).isInstanceOf(CancellationException.class);
    }

    @Test
    void waitersOfAnElectorThatWasNeverStartedAreToldOfTheClosing() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        VirtualCall<Lease> waiting = a.call(elector::awaitLeadership);
        advanceTo(1);
        a.close();
        assertThat(waiting.failure()).isInstanceOf(CancellationException.class);
    }

    @Test
    void stoppedElectorCannotStartOnAClosedTenure() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        a.close();
        assertThatThrownBy(elector::start).isInstanceOf(IllegalStateException.class);
        assertThat(elector.isLeader()).isFalse();
    }

    @Test
    void startThatCrossesTheClosingLeavesNothing() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        closing(a);
        assertThatThrownBy(elector::start).isInstanceOf(IllegalStateException.class);
        advanceTo(5);
        assertThat(acquisitions("a")).isEmpty();
    }

    @Test
    void answerAfterTheClosingIsNothing() {
        VirtualTenure a = process("a");
        leader(a);
        StoreRule held = store().on(Kind.RENEW).once().hold();
        advanceTo(3.5);
        a.close();
        held.call().answer();
        world.settle();
        advanceTo(60);
        assertThat(store().record(KEY)).isEmpty();
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).hasSize(1);
    }

    @Test
    void K069_stopRacingAWakeUpLeavesNoRecord() {
        Random random = new Random(69);
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        store().onAll()
                .does(call -> world.after(java.time.Duration.ofNanos(random.nextInt(1_500_000)), () -> {
                    call.apply();
                    world.after(java.time.Duration.ofNanos(random.nextInt(1_500_000)), call::answer);
                }));
        for (int round = 0; round < 1_000; round++) {
            String role = "r" + round;
            LeaderElector first = a.stand(role);
            world.advance(java.time.Duration.ofMillis(4));
            LeaderElector second = b.stand(role);
            world.advance(java.time.Duration.ofMillis(4));
            first.stop();
            world.advance(java.time.Duration.ofNanos(random.nextInt(8_000_000)));
            second.stop();
        }
        world.advance(seconds(25));
        assertThat(store().direct().list().toCompletableFuture().join()).isEmpty();
        assertThat(((dev.tenure.engine.EngineTenure) b.tenure()).states()).isEmpty();
    }

    @Test
    void K069_closeRacingAWakeUpLeavesNoRecord() {
        Random random = new Random(69);
        for (int round = 0; round < 40; round++) {
            String role = "r" + round;
            VirtualTenure a = process("a" + round);
            LeaderElector first = a.stand(role);
            world.settle();
            VirtualTenure b = process("b" + round);
            b.stand(role);
            world.settle();
            store().onAll()
                    .key("leader:" + role)
                    .does(call -> world.after(java.time.Duration.ofNanos(random.nextInt(2_000_000)), call::answer));
            first.stop();
            world.advance(java.time.Duration.ofNanos(random.nextInt(5_000_000)));
            closing(b);
            world.advance(seconds(1));
            assertThat(store().record("leader:" + role)).as("round " + round).isEmpty();
            store().heal();
            a.close();
            b.close();
        }
    }

    @Test
    void K086_electorStartsAgainAfterEveryStop() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        long token = 0;
        for (int i = 1; i <= 3; i++) {
            elector.start();
            world.settle();
            assertThat(elector.isLeader()).isTrue();
            assertThat(leaseOf(elector).fencingToken().value()).isGreaterThan(token);
            assertThat(elector.term()).isEqualTo(i);
            token = leaseOf(elector).fencingToken().value();
            elector.start(); // no effect
            world.settle();
            assertThat(elector.term()).isEqualTo(i);
            elector.stop();
            world.advance(seconds(1));
            assertThat(elector.isLeader()).isFalse();
        }
    }

    @Test
    void startDuringTheDrainOfAStopStandsAgainAfterwards() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        elector.stop();
        advanceTo(1);
        elector.start();
        advanceTo(2);
        assertThat(work.concurrent()).isEqualTo(1);
        work.finish();
        advanceTo(5);
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.term()).isEqualTo(2);
        assertThat(work.concurrent()).isEqualTo(1);
    }

    @Test
    void secondElectorOfAKeyIsRefusedUntilTheFirstStops() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        LeaderElector second = a.tenure().elector(ROLE);
        assertThatThrownBy(second::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("key=" + KEY);
        LeaderElector sameKey = a.tenure().with(options -> options.key(KEY)).elector(ROLE);
        assertThatThrownBy(sameKey::start).isInstanceOf(IllegalStateException.class);
        first.stop();
        world.settle();
        second.start();
        world.settle();
        assertThat(second.isLeader()).isTrue();
        assertThat(a.tenure().electors()).containsExactly(second);
    }

    @Test
    void lateRemovalsAfterTheClosingAreHarmless() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        var registration = elector.onChange(lease -> {}, (lease, reason) -> {});
        a.close();
        registration.remove();
        assertThat(elector.health().status()).isEqualTo(dev.tenure.ElectorHealth.Status.STOPPED);
        assertThat(elector.leader()).isEmpty();
    }
}
