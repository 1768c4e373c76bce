package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Rule 2: a refused renewal ends the term at once; one without an answer ends nothing.
 */
class Rule2RenewalTest extends EngineTest {

    @Test
    void R021_R010_renewsOnItsOwnCadenceInOneTerm() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(100);
        assertThat(renewals("a")).hasSize(33).startsWith(seconds(3), seconds(6), seconds(9));
        assertThat(elector.term()).isEqualTo(1);
        assertThat(lostAt("a")).isEmpty();
    }

    @Test
    void R022_K010_refusedRenewalEndsTheTermAtOnce() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains(LossReason.TAKEN_OVER);
        assertThat(lostAt("a")).isEqualTo(allSeconds(3));
        assertThat(recorder().times("a", Recorded.Kind.LAPSED)).isEqualTo(allSeconds(3));
    }

    @Test
    void R090_goneSessionEndsTheTermAsSessionExpired() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        store().on(Kind.RENEW).once().answer(RenewResult.SESSION_GONE);
        advanceTo(3);
        assertThat(lease.lossReason()).contains(LossReason.SESSION_EXPIRED);
    }

    @Test
    void R024_K033_failedRenewalKeepsTermAndLeadership() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        store().on(Kind.RENEW).once().fail(EngineTest::outage);
        advanceTo(15);
        assertThat(lease.isHeld()).isTrue();
        assertThat(elector.term()).isEqualTo(1);
        assertThat(renewals("a")).startsWith(seconds(3), seconds(4), seconds(7));
        assertThat(lostAt("a")).isEmpty();
    }

    @Test
    void R025_retriesAtHalfTheRestUntilTheDeadline() {
        VirtualTenure a = world.process(
                "a",
                options -> options.lease(seconds(15))
                        .renewInterval(seconds(5))
                        .safetyMargin(Duration.ZERO)
                        .retryInterval(seconds(5))
                        .retryJitter(Duration.ZERO));
        leader(a);
        store().on(Kind.RENEW).fail(EngineTest::outage);
        advanceTo(14.999);
        assertThat(renewals("a")).startsWith(seconds(5), seconds(10), seconds(12.5), seconds(13.75), seconds(14.5));
        assertThat(lostAt("a")).isEmpty();
        advanceTo(15);
        assertThat(lostAt("a")).isEqualTo(allSeconds(15));
        assertThat(renewals("a")).hasSize(5);
    }

    @Test
    void R023_K022_termEndsExactlyAtTheDeadlineWithoutTheStore() {
        VirtualTenure a = process(
                "a",
                options -> options.lease(seconds(15))
                        .safetyMargin(seconds(5))
                        .renewInterval(seconds(3))
                        .retryInterval(seconds(2))
                        .callTimeout(seconds(1)));
        Lease lease = leaseOf(leader(a));
        store().on(Kind.RENEW).hold();
        advanceTo(9.999);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lostAt("a")).isEmpty();
        advanceTo(10);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lostAt("a")).isEqualTo(allSeconds(10));
        assertThat(lease.lossReason()).contains(LossReason.DEADLINE_EXCEEDED);
    }

    @Test
    void K020_writesThatFailEndTheTermAtTheDeadlineAlthoughReadsSucceed() {
        VirtualTenure a = process("a");
        leader(a);
        store().on(Kind.RENEW).fail(EngineTest::outage);
        store().on(Kind.ACQUIRE).fail(EngineTest::outage);
        advanceTo(20);
        assertThat(lostAt("a")).isEqualTo(allSeconds(9));
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
        assertThat(acquisitions("a").size()).isGreaterThan(5);
    }

    @Test
    void K032_outageShorterThanTheLeaseLosesNothing() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        long token = leaseOf(elector).fencingToken().value();
        advanceTo(2.5);
        store().down();
        advanceTo(5.5);
        store().heal();
        advanceTo(6.5);
        assertThat(renewals("a").get(renewals("a").size() - 1)).isLessThanOrEqualTo(seconds(6.5));
        advanceTo(30);
        assertThat(lostAt("a")).isEmpty();
        assertThat(leaseOf(elector).fencingToken().value()).isEqualTo(token);
    }

    @Test
    void K021_unknownExceptionsAndErrorsDoNotEndRenewing() {
        VirtualTenure a = process("a");
        leader(a);
        store().on(Kind.RENEW).skipping(2).once().throwing(() -> new UnsupportedOperationException("odd"));
        store().on(Kind.RENEW).skipping(2).once().throwingError(() -> new AssertionError("odder"));
        advanceTo(30);
        assertThat(lostAt("a")).isEmpty();
        assertThat(renewals("a")).startsWith(seconds(3), seconds(6), seconds(9), seconds(10), seconds(11), seconds(14));
        assertThat(recorder().events("a", Recorded.Kind.RENEW_FINISHED).stream()
                        .filter(event -> event.detail().equals("FAILED")))
                .hasSize(2);
    }

    @Test
    void K035_renewalThatTookEffectButFailedIsAskedAgain() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        store().on(Kind.RENEW).once().failAfterEffect(EngineTest::outage);
        advanceTo(4);
        assertThat(lease.remaining()).isEqualTo(seconds(9));
        advanceTo(20);
        assertThat(lostAt("a")).isEmpty();
    }

    @Test
    void K008_takenRecordIsLearnedFromTheRenewalNotFromAWatch() {
        store().mute(true);
        VirtualTenure a = process("a");
        leader(a);
        world.checker().allow(Invariant.HELD_IS_GRANTED, Invariant.ONE_LEADER);
        advanceTo(2);
        store().direct().forceRelease(KEY);
        VirtualTenure b = process("b");
        b.stand(ROLE);
        advanceTo(3);
        assertThat(lostAt("a")).isEqualTo(allSeconds(3));
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
        int sent = renewals("a").size();
        advanceTo(30);
        assertThat(renewals("a")).hasSize(sent);
    }

    @Test
    void wakeUpRenewsWithinHalfASecondHoweverLongTheLeaseIs() {
        VirtualTenure a = process(
                "a",
                options -> options.lease(Duration.ofHours(1))
                        .renewInterval(Duration.ofMinutes(20))
                        .safetyMargin(Duration.ofMinutes(1)));
        leader(a);
        world.checker().allow(Invariant.HELD_IS_GRANTED, Invariant.ONE_LEADER);
        advanceTo(0.1);
        store().direct().forceRelease(KEY);
        world.settle();
        assertThat(lostAt("a"))
                .as("at once would let a store that wakes all the time be asked all the time")
                .isEmpty();
        advanceTo(0.6);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
    }

    @Test
    void renewalThatIsNotDueIsNotSent() {
        VirtualTenure a = process("a");
        leader(a);
        advanceTo(2.9);
        assertThat(renewals("a")).isEmpty();
    }

    @Test
    void retriesOfRenewalsAreNeverCloserThanATwentiethOfTheLease() {
        VirtualTenure a = process("a", options -> options.retryInterval(Duration.ofMillis(1)));
        leader(a);
        store().on(Kind.RENEW).fail(EngineTest::outage);
        advanceTo(10);
        for (int i = 1; i < renewals("a").size(); i++) {
            assertThat(renewals("a").get(i).minus(renewals("a").get(i - 1))).isGreaterThanOrEqualTo(seconds(0.5));
        }
        assertThat(renewals("a")).hasSize(12); // 3.0, 3.5, … 8.5
    }
}
