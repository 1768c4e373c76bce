package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualTenure;
import org.junit.jupiter.api.Test;

/**
 * Rule 1: a lease counts from the moment the request was sent; the deadline never moves back.
 */
class Rule1DeadlineTest extends EngineTest {

    @Test
    void B48_deadlineCountsFromTheSendingOfTheAcquisition() {
        StoreRule held = store().on(Kind.ACQUIRE).once().hold();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.advance(seconds(2));
        held.call().answer();
        world.settle();
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(7));
    }

    @Test
    void B48_deadlineCountsFromTheSendingOfARenewal() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        store().on(Kind.RENEW).once().delay(seconds(1), seconds(1));
        advanceTo(5);
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(3 + 9 - 5));
    }

    @Test
    void B49_grantAfterItsDeadlineIsReleasedAndNeverLed() {
        StoreRule held = store().on(Kind.ACQUIRE).once().hold();
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(20)));
        LeaderElector elector = a.stand(ROLE);
        world.advance(seconds(9));
        held.call().answer();
        world.settle();
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.term()).isZero();
        assertThat(store().record(KEY)).isEmpty();
        assertThat(releases("a")).isNotEmpty();
    }

    @Test
    void grantJustBeforeItsDeadlineIsLed() {
        StoreRule held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(20)));
        LeaderElector elector = a.stand(ROLE);
        world.advance(seconds(8.9));
        held.call().answer();
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        assertThat(recorder().times("a", Recorded.Kind.ELECTED)).isEqualTo(allSeconds(8.9));
        assertThat(renewals("a")).isEqualTo(allSeconds(8.9));
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(9));
    }

    @Test
    void B50_olderAnswerNeverMovesTheDeadlineBack() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        StoreRule first = store().on(Kind.RENEW).once().holdAnswer();
        advanceTo(3 + 2.4 + 1 + 0.1); // unanswered, sent again, answered
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6.4));
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(9 - 0.1));
        first.call().answer();
        world.settle();
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(9 - 0.1));
        advanceTo(10);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6.4, 9.4));
    }

    @Test
    void answerThatComesTwiceExtendsOnce() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        StoreRule first = store().on(Kind.RENEW).once().holdAnswer();
        advanceTo(4);
        first.call().answer();
        world.settle();
        world.advance(seconds(1));
        first.call().answer();
        world.settle();
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(3 + 9 - 5));
        assertThat(renewals("a")).hasSize(1);
        advanceTo(6);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6));
    }

    @Test
    void grantThatComesTwiceIsOneTerm() {
        StoreRule first = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        first.call().answer();
        world.settle();
        first.call().answer();
        world.advance(seconds(1));
        first.call().answer();
        world.settle();
        assertThat(elector.term()).isEqualTo(1);
        assertThat(elector.isLeader()).isTrue();
        assertThat(store().record(KEY)).isPresent();
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(8));
    }

    @Test
    void K034_slowGrantIsRenewedAtOnce() {
        StoreRule held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(20)));
        a.stand(ROLE);
        world.advance(seconds(8));
        held.call().answer();
        world.settle();
        assertThat(renewals("a")).isEqualTo(allSeconds(8));
        assertThat(world.elapsed()).isEqualTo(seconds(8));
    }

    @Test
    void K034_deadlineIsThatOfTheAttemptThatWasAnswered() {
        store().on(Kind.ACQUIRE).once().fail(EngineTest::outage);
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(1);
        assertThat(acquisitions("a")).isEqualTo(allSeconds(0, 1));
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(9));
    }

    @Test
    void confirmationOfAnOlderTermExtendsNothing() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        StoreRule old = store().on(Kind.RENEW).once().hold();
        advanceTo(3.5);
        elector.resign();
        advanceTo(5);
        Lease second = leaseOf(elector);
        assertThat(second.term()).isEqualTo(2);
        old.call().apply();
        old.call().answer(RenewResult.RENEWED);
        world.checker().allow(Invariant.HELD_IS_GRANTED);
        world.settle();
        assertThat(second.remaining()).isLessThanOrEqualTo(seconds(9));
        assertThat(second.isHeld()).isTrue();
    }
}
