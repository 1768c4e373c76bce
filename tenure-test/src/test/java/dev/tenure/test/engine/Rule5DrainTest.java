package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Rule 5, what the application decides: not held at once, renewed until work and listeners have ended, then released.
 */
class Rule5DrainTest extends EngineTest {

    @Test
    void K084_R053_leaseIsRenewedUntilWorkHasEndedThenReleased() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(8)));
        LeaderElector elector = leader(a, work);
        Lease lease = leaseOf(elector);
        advanceTo(2);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        world.settle();
        assertThat(lease.isHeld()).isFalse();
        assertThat(now(lease.lost())).isEqualTo(LossReason.STOPPED);
        assertThat(lease.remaining()).isPositive();
        assertThat(isDone(lease.lapsed())).isFalse();
        advanceTo(6);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6));
        assertThat(lease.remaining()).isEqualTo(seconds(9));
        assertThat(outcome).isNotDone();
        assertThat(work.interrupts()).isZero();
        work.finish();
        world.settle();
        assertThat(releases("a")).isEqualTo(allSeconds(6));
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(isDone(lease.lapsed())).isTrue();
        assertThat(lease.remaining()).isZero();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void K084_B43_workThatNeverEndsIsLeftToExpire() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(8)));
        LeaderElector elector = leader(a, work);
        advanceTo(1);
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        advanceTo(8.99);
        assertThat(outcome).isNotDone();
        advanceTo(9);
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.LEFT_TO_EXPIRE);
        int sent = renewals("a").size();
        advanceTo(60);
        assertThat(renewals("a")).hasSize(sent);
        assertThat(releases("a")).isEmpty();
        assertThat(acquisitions("a")).hasSize(1);
        assertThat(elector.health().status()).isEqualTo(ElectorHealth.Status.WORK_STUCK);
        work.finish();
        advanceTo(63);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void workIsInterruptedAfterFourFifthsOfTheDrain() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        elector.stop();
        advanceTo(7.99);
        assertThat(work.interrupts()).isZero();
        advanceTo(8);
        assertThat(work.interrupts()).isEqualTo(1);
        assertThat(store().record(KEY)).isEmpty();
        assertThat(elector.health().status()).isEqualTo(ElectorHealth.Status.STOPPED);
    }

    @Test
    void interruptAfterZeroInterruptsAtOnce() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.interruptAfter(Duration.ZERO));
        LeaderElector elector = leader(a, work);
        advanceTo(1);
        elector.stop();
        world.settle();
        assertThat(work.interrupts()).isEqualTo(1);
        assertThat(releases("a")).isEqualTo(allSeconds(1));
    }

    @Test
    void drainTimeoutZeroReleasesWorkThatEndsAtOnce() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.drainTimeout(Duration.ZERO));
        LeaderElector elector = leader(a, work);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(work.interrupts()).isEqualTo(1);
    }

    @Test
    void drainTimeoutZeroLeavesTheRecordIfWorkRunsOn() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a", options -> options.drainTimeout(Duration.ZERO));
        LeaderElector elector = leader(a, work);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        advanceTo(0.5);
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.LEFT_TO_EXPIRE);
        assertThat(work.interrupts()).isPositive();
        work.finish();
        world.settle();
        assertThat(releases("a")).isEmpty();
    }

    @Test
    void lapseIsToldByTheEndOfCloseAlthoughTheRecordIsLeft() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(2)));
        Lease lease = leaseOf(leader(a, work));
        CompletableFuture<Void> lapsed = lease.lapsed().toCompletableFuture();
        a.close();
        assertThat(isDone(lapsed)).isTrue();
    }

    @Test
    void refusalCutsTheDrain() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        Lease lease = leaseOf(elector);
        advanceTo(2);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(work.interrupts()).isEqualTo(1);
        assertThat(isDone(lease.lapsed())).isTrue();
        assertThat(lease.remaining()).isZero();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        advanceTo(20);
        assertThat(releases("a")).isEmpty();
        assertThat(reasons("a")).containsExactly("STOPPED");
    }

    @Test
    void passedDeadlineCutsTheDrain() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(60)));
        LeaderElector elector = leader(a, work);
        Lease lease = leaseOf(elector);
        advanceTo(2);
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        store().on(Kind.RENEW).hold();
        advanceTo(8.99);
        assertThat(work.isRunning()).isTrue();
        advanceTo(9);
        assertThat(work.interrupts()).isEqualTo(1);
        assertThat(isDone(lease.lapsed())).isTrue();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.LEFT_TO_EXPIRE);
        advanceTo(9.5);
        assertThat(releases("a")).isEmpty();
    }

    @Test
    void looksDuringADrainPastItsDeadlineCutIt() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(60)));
        LeaderElector elector = leader(a, work);
        Lease lease = leaseOf(elector);
        elector.resign();
        world.settle();
        a.pause();
        advanceTo(30);
        assertThat(lease.remaining()).isZero();
        a.resume();
        assertThat(work.interrupts()).isEqualTo(1);
        assertThat(lease.lossReason()).contains(LossReason.RESIGNED);
    }

    @Test
    void failedRenewalsDuringADrainAreRetried() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(20)));
        LeaderElector elector = leader(a, work);
        elector.resign();
        store().on(Kind.RENEW).times(2).fail(EngineTest::outage);
        advanceTo(6);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 4, 5));
        work.finish();
        world.settle();
        assertThat(releases("a")).isEqualTo(allSeconds(6));
    }

    @Test
    void lostListenersMayFinishWhileTheLeaseIsRenewed() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        Lease[] seen = new Lease[1];
        elector.onChange(lease -> seen[0] = lease, (lease, reason) -> take(seconds(5)));
        elector.start();
        advanceTo(1);
        elector.stop();
        advanceTo(5.9);
        assertThat(seen[0].remaining()).isPositive();
        assertThat(releases("a")).isEmpty();
        advanceTo(6);
        assertThat(releases("a")).isEqualTo(allSeconds(6));
    }

    @Test
    void electedListenerThatStillRunsDelaysTheRelease() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(lease -> take(seconds(5)), (lease, reason) -> {});
        elector.start();
        advanceTo(1);
        elector.stop();
        advanceTo(4.9);
        assertThat(releases("a")).isEmpty();
        advanceTo(5);
        assertThat(releases("a")).isEqualTo(allSeconds(5));
    }

    @Test
    void workThatReturnsReleasesAndLetsAnotherLead() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a, work));
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(1);
        work.finish();
        advanceTo(1.1);
        assertThat(lease.lossReason()).contains(LossReason.RELEASED);
        assertThat(other.isLeader()).isTrue();
        assertThat(releases("a")).isEqualTo(allSeconds(1));
    }

    @Test
    void B12_B42_releaseThatFailsStillEndsTheTermAndIsTriedAgain() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(2)));
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        store().on(Kind.RELEASE).times(2).fail(EngineTest::outage);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        world.settle();
        assertThat(elector.isLeader()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(outcome).isNotDone();
        advanceTo(4);
        assertThat(releases("a")).isEqualTo(allSeconds(0, 2, 4));
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void B51_releaseThatNeverSucceedsIsLeftToExpireAndNoLoss() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        long token = lease.fencingToken().value();
        store().on(Kind.RELEASE).fail(EngineTest::outage);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        advanceTo(12);
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.LEFT_TO_EXPIRE);
        assertThat(reasons("a")).containsExactly("STOPPED");
        assertThat(lease.fencingToken().value()).isEqualTo(token);
        assertThat(store().record(KEY)).isEmpty(); // expired
    }

    @Test
    void releaseOfARecordThatIsNotOursIsNotHolder() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        store().on(Kind.RELEASE).once().answer(false);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
    }

    @Test
    void releaseThatIsAnsweredTwiceEndsOnce() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        var held = store().on(Kind.RELEASE).once().holdAnswer();
        elector.resign();
        world.settle();
        held.call().answer().answer();
        world.settle();
        assertThat(recorder().events("a", Recorded.Kind.RELEASED)).hasSize(1);
        advanceTo(5);
        assertThat(elector.term()).isEqualTo(2);
        held.call().answer();
        advanceTo(6);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void K082_K080_renewalUnderWayDoesNotReviveAReleasedRecord() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        var renewal = store().on(Kind.RENEW).once().hold();
        advanceTo(3.5);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
        renewal.call().answer(); // arrives after the release
        world.settle();
        assertThat(renewal.call().result()).contains(RenewResult.NOT_HOLDER);
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void endsAskedForTogetherAreAnsweredTogether() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        CompletableFuture<ReleaseOutcome> resigned = elector.resign();
        CompletableFuture<ReleaseOutcome> stopped = elector.stop();
        CompletableFuture<ReleaseOutcome> again = elector.stop();
        advanceTo(1);
        assertThat(resigned).isNotDone();
        work.finish();
        world.settle();
        assertThat(now(resigned)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(now(stopped)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(now(again)).isEqualTo(ReleaseOutcome.RELEASED);
        advanceTo(30);
        assertThat(elector.term()).isEqualTo(1); // it was stopped as well
        assertThat(reasons("a")).containsExactly("RESIGNED");
    }

    @Test
    void workThatThrowsDuringADrainIsLoggedAndReleased() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        advanceTo(1);
        work.fail(new IllegalStateException("on the way out"));
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(reasons("a")).containsExactly("STOPPED");
        assertThat(log.text()).contains("on the way out");
    }

    @Test
    void B35_orderIsNotHeldThenCallbacksThenReleaseThenTheFuture() {
        StringBuilder order = new StringBuilder();
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(
                lease -> {},
                (lease, reason) -> order.append("listener held=")
                        .append(lease.isHeld())
                        .append(" released=")
                        .append(store().record(KEY).isEmpty())
                        .append(';'));
        elector.start();
        advanceTo(1);
        elector.stop()
                .thenRun(() -> order.append("future released=")
                        .append(store().record(KEY).isEmpty()));
        world.settle();
        assertThat(order).hasToString("listener held=false released=false;future released=true");
    }
}
