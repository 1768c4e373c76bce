package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualTenure;
import org.junit.jupiter.api.Test;

/**
 * Rule 4: each event is first judged at its now; once not held, never again.
 */
class Rule4JudgedNowTest extends EngineTest {

    @Test
    void answerAtTheDeadlineEndsTheTermAndIsReleased() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        StoreRule last = store().on(Kind.RENEW).skipping(1).once().holdAnswer();
        store().on(Kind.RENEW).skipping(1).hold();
        advanceTo(6); // the second renewal is under way; deadline 12
        a.pause();
        advanceTo(12);
        last.call().answer();
        a.resume();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains(LossReason.DEADLINE_EXCEEDED);
        assertThat(lostAt("a")).isEqualTo(allSeconds(12));
        assertThat(releases("a")).contains(seconds(12));
    }

    @Test
    void answerAfterTheDeadlineDoesNotReviveTheHandle() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        StoreRule held = store().on(Kind.RENEW).hold();
        advanceTo(9);
        assertThat(lease.isHeld()).isFalse();
        held.calls().forEach(call -> call.answer());
        world.settle();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isZero();
    }

    @Test
    void answerAfterTheDeadlineIsReleasedSoThatOthersMayLead() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(30)));
        leader(a);
        StoreRule held = store().on(Kind.RENEW).hold();
        advanceTo(9.5);
        assertThat(store().record(KEY)).isPresent();
        held.calls().get(0).answer();
        world.settle();
        assertThat(releases("a")).hasSize(1);
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void R096_pauseOverTheLeaseIsSeenByTheThreadThatLooksFirst() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        a.pause();
        advanceTo(60);
        assertThat(lease.isHeld()).isFalse(); // before the loop had a turn
        assertThat(lease.lossReason()).contains(LossReason.DEADLINE_EXCEEDED);
        assertThat(lostAt("a")).isEmpty();
        a.resume();
        assertThat(lostAt("a")).isEqualTo(allSeconds(60));
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
    }

    @Test
    void sealedHandleStaysSealedAlthoughAPositiveAnswerWaits() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        StoreRule held = store().on(Kind.RENEW).once().holdAnswer();
        advanceTo(3);
        held.call().answer(); // posted, not yet taken
        a.pause();
        advanceTo(9);
        assertThat(lease.isHeld()).isFalse();
        a.resume();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lostAt("a")).isEqualTo(allSeconds(9));
    }

    @Test
    void K047_grantThatIsTakenAfterAPauseIsNeverTold() {
        VirtualTenure a = process("a");
        StoreRule held = store().on(Kind.ACQUIRE).once().holdAnswer();
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        world.advance(seconds(1));
        held.call().answer();
        a.pause();
        advanceTo(15);
        assertThat(other.isLeader()).isTrue();
        a.resume();
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.term()).isZero();
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).isEmpty();
    }

    @Test
    void stallBetweenAGrantAndItsHandleGivesAnExpiredHandle() {
        VirtualTenure a = process("a");
        a.stallAfter("Acquired", seconds(60));
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        assertThat(world.elapsed()).isEqualTo(seconds(60));
        assertThat(recorder().events("a", Recorded.Kind.ON_ELECTED)).isEmpty();
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
        advanceTo(62);
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.term()).isEqualTo(2);
    }

    @Test
    void stallBetweenAConfirmationAndItsExtensionEndsTheTerm() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        advanceTo(2.9);
        a.stallAfter("Renewed", seconds(60));
        boolean[] seen = {true};
        world.after(seconds(30), () -> seen[0] = lease.isHeld());
        advanceTo(3);
        assertThat(seen[0]).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
    }

    @Test
    void stallBetweenTheDecisionToRenewAndTheSendingCountsFromTheDecision() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        advanceTo(2.9);
        a.stallAfter("Tick", seconds(5));
        store().on(Kind.RENEW).skipping(1).hold();
        advanceTo(3);
        assertThat(world.elapsed()).isGreaterThanOrEqualTo(seconds(7.9));
        assertThat(lease.remaining()).isLessThanOrEqualTo(seconds(12).minus(world.elapsed()));
    }

    @Test
    void isHeldIsFalseAtTheVeryDeadline() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        a.pause();
        advanceTo(8.999999999);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(java.time.Duration.ofNanos(1));
        world.advance(java.time.Duration.ofNanos(1));
        assertThat(lease.isHeld()).isFalse();
    }
}
