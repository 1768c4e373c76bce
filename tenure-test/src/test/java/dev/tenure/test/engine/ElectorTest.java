package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * A standing candidate as its user sees it.
 */
class ElectorTest extends EngineTest {

    @Test
    void R027_startReturnsAtOnce() {
        store().on(Kind.ACQUIRE).hold();
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        assertThat(elector.start()).isSameAs(elector);
        assertThat(elector.isLeader()).isFalse();
        advanceTo(1);
        assertThat(recorder().times("a", Recorded.Kind.STANDING)).isEqualTo(allSeconds(0));
    }

    @Test
    void R003_R004_R008_tokensStayWithinATermAndMoveWithTheNext() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        List<Long> tokens = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            advanceTo((i + 1) * 3);
            tokens.add(store().record(KEY).orElseThrow().token());
        }
        assertThat(tokens.stream().distinct()).hasSize(1);
        elector.resign();
        advanceTo(62);
        assertThat(store().record(KEY).orElseThrow().token()).isGreaterThan(tokens.get(0));
    }

    @Test
    void R006_R008_countingTokensMoveByOne() {
        world = dev.tenure.test.virtual.VirtualWorld.builder().countingTokens().build();
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector first = leader(a);
        LeaderElector second = b.stand(ROLE);
        assertThat(leaseOf(first).fencingToken().value()).isEqualTo(1);
        advanceTo(10);
        for (int i = 2; i < 20; i++) {
            (first.isLeader() ? first : second).resign();
            world.advance(seconds(2));
            assertThat(leaseOf(first.isLeader() ? first : second).fencingToken().value())
                    .isEqualTo(i);
        }
    }

    @Test
    void R049_termIsCountedPerInstanceAndIsNoToken() {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector first = leader(a);
        LeaderElector second = b.stand(ROLE);
        advanceTo(1);
        first.stop();
        advanceTo(2);
        assertThat(first.term()).isEqualTo(1);
        assertThat(second.term()).isEqualTo(1);
        assertThat(leaseOf(second).fencingToken().value()).isNotEqualTo(1);
    }

    @Test
    void R028_B44_awaitLeadershipGivesTheLeaseOfTheTerm() {
        VirtualTenure b = process("b");
        LeaderElector other = leader(b);
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        VirtualCall<Lease> waiting = a.call(elector::awaitLeadership);
        VirtualCall<Optional<Lease>> limited = a.call(() -> elector.awaitLeadership(Duration.ofDays(1_000)));
        advanceTo(5);
        assertThat(waiting.isDone()).isFalse();
        other.stop();
        advanceTo(5.1);
        assertThat(waiting.result().isHeld()).isTrue();
        assertThat(waiting.result().fencingToken()).isEqualTo(leaseOf(elector).fencingToken());
        assertThat(limited.result()).isPresent();
        assertThat(a.call(elector::awaitLeadership).result().term()).isEqualTo(1);
    }

    @Test
    void R028_awaitLeadershipEndsByTimeoutInterruptAndStop() {
        leader(process("b"));
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        assertThat(a.call(() -> elector.awaitLeadership(Duration.ZERO)).result())
                .isEmpty();
        assertThat(a.call(() -> elector.awaitLeadership(Duration.ofMillis(3))).result())
                .isEmpty();
        assertThat(a.call(() -> elector.awaitLeadership(seconds(-1))).result()).isEmpty();
        VirtualCall<Lease> interrupted = a.call(elector::awaitLeadership);
        interrupted.interrupt();
        assertThat(interrupted.failure()).isInstanceOf(InterruptedException.class);
        VirtualCall<Lease> stopped = a.call(elector::awaitLeadership);
        elector.stop();
        world.settle();
        assertThat(stopped.failure()).isInstanceOf(CancellationException.class);
    }

    @Test
    void awaitLeadershipDoesNotGiveATermThatIsOver() {
        VirtualTenure a = process("a");
        a.stallAfter("Acquired", seconds(60));
        LeaderElector elector = a.tenure().elector(ROLE);
        VirtualCall<Lease> waiting = a.call(elector::awaitLeadership);
        elector.start();
        world.settle();
        advanceTo(62);
        assertThat(waiting.result().term()).isEqualTo(2);
        assertThat(waiting.result().isHeld()).isTrue();
    }

    @Test
    void R029_R083_workEndsWithTheTerm() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.interruptAfter(Duration.ZERO));
        LeaderElector elector = leader(a, work);
        assertThat(work.isRunning()).isTrue();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(work.isRunning()).isFalse();
        advanceTo(11);
        assertThat(work.isRunning()).isTrue();
        elector.resign();
        world.settle();
        assertThat(work.isRunning()).isFalse();
        advanceTo(13);
        assertThat(work.isRunning()).isTrue();
        elector.stop();
        world.settle();
        assertThat(work.isRunning()).isFalse();
        assertThat(work.runs()).isEqualTo(3);
        assertThat(work.interrupts()).isEqualTo(3);
    }

    @Test
    void R115_R117_R136_workIsCalledOncePerTermWithItsLease() {
        List<Long> terms = new ArrayList<>();
        List<Long> tokens = new ArrayList<>();
        VirtualTenure a = process("a");
        a.stand(ROLE, lease -> {
            terms.add(lease.term());
            tokens.add(lease.fencingToken().value());
            world.pass(seconds(2));
        });
        advanceTo(20);
        assertThat(terms).startsWith(1L, 2L, 3L, 4L);
        assertThat(tokens).isSorted().doesNotHaveDuplicates();
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).hasSize(terms.size());
        assertThat(reasons("a")).allMatch("RELEASED"::equals);
    }

    @Test
    void R137_stoppingWhileWorkRunsIsNoError() {
        VirtualTenure a = process("a", options -> options.interruptAfter(Duration.ZERO));
        LeaderElector elector = a.stand(ROLE, lease -> world.pass(seconds(1000)));
        advanceTo(2);
        assertThat(now(elector.stop())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(recorder().events("a", Recorded.Kind.FAULT)).isEmpty();
        assertThat(log.lines("WARN")).isEmpty();
    }

    @Test
    void workThatThrowsLeadershipLostAfterTheLossIsNoError() {
        VirtualTenure a = process("a");
        a.stand(ROLE, lease -> {
            try {
                world.pass(seconds(1000));
            } catch (InterruptedException lost) {
                lease.ensureHeld();
            }
        });
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(recorder().events("a", Recorded.Kind.FAULT)).isEmpty();
    }

    @Test
    void resignAffectsOnlyThePresentTerm() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        assertThat(now(elector.resign())).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        elector.start();
        world.settle();
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void stopOfAnElectorThatDoesNotStandIsNotHolder() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        assertThat(now(elector.stop())).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(now(elector.stop())).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        advanceTo(10);
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void stopRacingAGrantReleasesIt() {
        var held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        held.call().answer();
        CompletableFuture<ReleaseOutcome> outcome = elector.stop(); // both wait for the loop
        world.settle();
        assertThat(now(outcome)).isIn(ReleaseOutcome.RELEASED, ReleaseOutcome.NOT_HOLDER);
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void stopThatOvertakesAGrantReleasesIt() {
        var held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        held.call().answer();
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(store().record(KEY)).isEmpty();
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).isEmpty();
    }

    @Test
    void startAgainRightAfterAStopThatWaitsForItsGrant() {
        var held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        elector.stop();
        elector.start();
        world.settle();
        held.call().answer();
        advanceTo(11);
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.term()).isEqualTo(1);
        assertThat(store().record(KEY).orElseThrow().token())
                .isEqualTo(leaseOf(elector).fencingToken().value());
    }

    @Test
    void B41_resignRacingALossEndsAsACandidate() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        var held = store().on(Kind.RENEW).once().hold();
        advanceTo(3);
        held.call().answer(RenewResult.NOT_HOLDER);
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
        advanceTo(12);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void B41_stopRacingALossEndsAsStopped() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        var held = store().on(Kind.RENEW).once().hold();
        advanceTo(3);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        held.call().answer(RenewResult.NOT_HOLDER);
        world.settle();
        assertThat(now(outcome)).isIn(ReleaseOutcome.NOT_HOLDER, ReleaseOutcome.RELEASED);
        advanceTo(30);
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void futuresOfEndsCompleteOnCallbackThreadsAndAreCopies() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        List<String> threads = new ArrayList<>();
        CompletableFuture<ReleaseOutcome> mine = elector.stop();
        CompletableFuture<ReleaseOutcome> other = elector.stop();
        mine.complete(ReleaseOutcome.LEFT_TO_EXPIRE);
        other.thenRun(() -> threads.add(Thread.currentThread().getName()));
        world.settle();
        assertThat(now(other)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(threads).hasSize(1);
        assertThat(threads.get(0)).startsWith("virtual-a-");
    }

    @Test
    void R093_endOfATermIsSignalledHoweverItEnds() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        List<LossReason> told = new ArrayList<>();
        leaseOf(elector).onLost(told::add);
        elector.resign();
        advanceTo(2);
        leaseOf(elector).onLost(told::add);
        elector.stop();
        world.settle();
        assertThat(told).containsExactly(LossReason.RESIGNED, LossReason.STOPPED);
        assertThat(told).allMatch(LossReason::isVoluntary);
    }

    @Test
    void R055_leaderRenewsAsLongAsItLives() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        world.advance(Duration.ofHours(1));
        assertThat(elector.term()).isEqualTo(1);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void electionsWithOtherOptionsShareTheTenure() {
        VirtualTenure a = process("a");
        LeaderElector quick = a.tenure()
                .with(options ->
                        options.lease(seconds(2)).renewInterval(seconds(0.5)).safetyMargin(seconds(0.2)))
                .elector("quick")
                .start();
        LeaderElector slow = leader(a);
        advanceTo(2.9);
        assertThat(quick.isLeader() && slow.isLeader()).isTrue();
        assertThat(renewals("a")).hasSize(5);
        assertThat(a.tenure().electors()).containsExactlyInAnyOrder(quick, slow);
    }

    @Test
    void leaseOfAFollowerIsEmpty() {
        leader(process("b"));
        LeaderElector elector = process("a").stand(ROLE);
        advanceTo(1);
        assertThat(elector.lease()).isEmpty();
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.isCoordinated()).isTrue();
        assertThatThrownBy(() -> elector.lease().orElseThrow()).isInstanceOf(java.util.NoSuchElementException.class);
    }
}
