package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencedOutException;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Rule 5, what store or node decide: invalid, interrupted, told, at once; nothing is renewed, nothing released.
 */
class Rule5LossTest extends EngineTest {

    @Test
    void refusalInterruptsWorkAndCompletesBothSignalsAtOnce() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a, work));
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(work.interrupts()).isEqualTo(1);
        assertThat(work.isRunning()).isFalse();
        assertThat(now(lease.lost())).isEqualTo(LossReason.TAKEN_OVER);
        assertThat(isDone(lease.lapsed())).isTrue();
    }

    @Test
    void deadlineInterruptsWorkAndCompletesBothSignalsAtOnce() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a, work));
        store().on(Kind.RENEW).hold();
        advanceTo(9);
        assertThat(work.isRunning()).isFalse();
        assertThat(now(lease.lost())).isEqualTo(LossReason.DEADLINE_EXCEEDED);
        assertThat(isDone(lease.lapsed())).isTrue();
    }

    @Test
    void lostRecordIsLeftToExpire() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(30)));
        leader(a);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(9.9);
        assertThat(store().record(KEY)).isPresent();
        assertThat(releases("a")).isEmpty();
        assertThat(renewals("a")).hasSize(1);
        advanceTo(10);
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void K031_renewalsStopWithTheTerm() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(30)));
        leader(a);
        store().on(Kind.RENEW).hold();
        advanceTo(9);
        int sent = renewals("a").size();
        advanceTo(29);
        assertThat(renewals("a")).hasSize(sent);
    }

    @Test
    void workThatDoesNotEndAfterALossKeepsTheInstanceFromStanding() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(60);
        assertThat(acquisitions("a")).hasSize(1);
        assertThat(work.concurrent()).isEqualTo(1);
        work.finish();
        advanceTo(61.1);
        assertThat(elector.isLeader()).isTrue();
        assertThat(work.runs()).isEqualTo(2);
        assertThat(elector.term()).isEqualTo(2);
    }

    @Test
    void listenerThatDoesNotEndAfterALossKeepsTheInstanceFromStanding() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(lease -> {}, (lease, reason) -> take(seconds(30)));
        elector.start();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(32.9);
        assertThat(acquisitions("a")).hasSize(1);
        advanceTo(34.1);
        assertThat(acquisitions("a")).hasSize(2);
    }

    @Test
    void K055_workThatThrowsEndsTheTermAndIsReleasedWhenItHasEnded() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a, work));
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(5);
        work.fail(new IllegalStateException("work failed"));
        world.settle();
        assertThat(lease.lossReason()).contains(LossReason.WORK_FAILED);
        assertThat(releases("a")).isEqualTo(allSeconds(5));
        advanceTo(5.1);
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void failedWorkIsReleasedOnlyWhenLostListenersHaveEnded() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE, work);
        elector.onChange(lease -> {}, (lease, reason) -> take(seconds(2)));
        elector.start();
        advanceTo(4);
        work.fail(new IllegalStateException("work failed"));
        advanceTo(5.9);
        assertThat(releases("a")).isEmpty();
        advanceTo(6);
        assertThat(releases("a")).isEqualTo(allSeconds(6));
    }

    @Test
    void failedWorkIsNotReleasedPastTheDeadline() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(60)));
        LeaderElector elector = a.tenure().elector(ROLE, work);
        elector.onChange(lease -> {}, (lease, reason) -> take(seconds(20)));
        elector.start();
        advanceTo(4);
        work.fail(new IllegalStateException("work failed"));
        advanceTo(30);
        assertThat(releases("a")).isEmpty();
        assertThat(renewals("a")).isEqualTo(allSeconds(3));
    }

    @Test
    void workThatIsFencedOutEndsTheTermAsTakenOver() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(60)));
        Lease lease = leaseOf(leader(a, work));
        work.fail(new FencedOutException(
                lease.fencingToken(), lease.fencingToken().value() + 1));
        world.settle();
        assertThat(lease.lossReason()).contains(LossReason.TAKEN_OVER);
        assertThat(releases("a")).isEmpty();
    }

    @Test
    void errorThrownByWorkEndsTheTermOnly() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        work.fail(new StackOverflowError("deep"));
        advanceTo(10);
        assertThat(reasons("a")).containsExactly("WORK_FAILED");
        assertThat(elector.term()).isEqualTo(2);
    }

    @Test
    void interruptReachesTheWorkOnlyAndIsNotLeftOnTheThread() {
        boolean[] left = {false};
        VirtualTenure a = process("a");
        ScriptedWork work = new ScriptedWork();
        LeaderElector elector = a.stand(ROLE, lease -> {
            try {
                work.lead(lease);
            } finally {
                left[0] = Thread.currentThread().isInterrupted();
            }
        });
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(left[0]).isFalse();
        assertThat(recorder().events("a", Recorded.Kind.FAULT)).isEmpty();
    }

    @Test
    void workThatWasNotStartedWhenItsTermIsLostIsNotStartedAnyMore() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(60)));
        a.holdCallbacks();
        a.stand(ROLE, work);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(4);
        a.releaseCallbacks();
        assertThat(work.runs()).isZero();
    }

    @Test
    void listenersThatWereNotToldOfATermBeforeItsEndAreToldNothing() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(60)));
        a.holdCallbacks();
        a.stand(ROLE);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(4);
        a.releaseCallbacks();
        assertThat(recorder().events("a", Recorded.Kind.ON_ELECTED)).isEmpty();
        assertThat(recorder().events("a", Recorded.Kind.ON_LOST)).isEmpty();
    }

    @Test
    void K029_lossAfterAStallIsToldOnceAndTheInstanceCanWinAgain() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure b = process("b");
        LeaderElector second = b.stand(ROLE);
        advanceTo(1);
        a.pause();
        advanceTo(66);
        assertThat(second.isLeader()).isTrue();
        a.resume();
        advanceTo(67);
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
        second.stop();
        advanceTo(68);
        assertThat(first.isLeader()).isTrue();
        assertThat(log.lines("WARN", "leadership lost")).hasSize(1);
    }

    @Test
    void firstDetectorWins() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        store().on(Kind.RENEW).hold();
        a.pause();
        advanceTo(9);
        assertThat(lease.lossReason()).contains(LossReason.DEADLINE_EXCEEDED);
        a.resume();
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
        assertThat(recorder().events("a", Recorded.Kind.ON_LOST).get(0).detail())
                .isEqualTo("DEADLINE_EXCEEDED");
    }

    @Test
    void K109_endOfATermThatIsLostAlreadyIsNotHolder() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(60)));
        LeaderElector elector = leader(a);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(4);
        CompletableFuture<ReleaseOutcome> resigned = elector.resign();
        CompletableFuture<ReleaseOutcome> stopped = elector.stop();
        world.settle();
        assertThat(now(resigned)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(now(stopped)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
    }

    @Test
    void K003_positiveAnswerAfterTheOwnReleaseIsNoTerm() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(30)));
        var late = store().on(Kind.ACQUIRE).once().hold();
        LeaderElector elector = a.stand(ROLE);
        advanceTo(1);
        elector.stop();
        world.settle();
        late.call().answer();
        advanceTo(4);
        assertThat(elector.isLeader()).isFalse();
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).isEmpty();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void revokedRecordIsGivenUpAtTheNextRenewalAndNobodyEntersEarly() {
        world.checker().allow(Invariant.HELD_IS_GRANTED);
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(60)));
        leader(a);
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(2);
        store().mute(true);
        store().direct().revoke(KEY);
        advanceTo(3);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
        advanceTo(9.99);
        assertThat(other.isLeader()).isFalse();
        advanceTo(11);
        assertThat(other.isLeader()).isTrue();
    }
}
