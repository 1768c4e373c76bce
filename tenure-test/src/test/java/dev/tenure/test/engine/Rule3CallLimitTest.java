package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Rule 3: every store call has its own limit; a hung one does not stop the next.
 */
class Rule3CallLimitTest extends EngineTest {

    @Test
    void K019_hungRenewalsEndTheTermAtTheDeadline() {
        VirtualTenure a = world.process(
                "a",
                options -> options.lease(seconds(15)).renewInterval(seconds(5)).safetyMargin(seconds(1)));
        leader(a);
        store().cut("a");
        advanceTo(13.999);
        assertThat(lostAt("a")).isEmpty();
        advanceTo(14);
        assertThat(lostAt("a")).isEqualTo(allSeconds(14));
    }

    @Test
    void K026_everyCallCarriesALimitFarBelowTheLease() {
        VirtualTenure a = world.process("a");
        LeaderElector elector = leader(a);
        advanceTo(11);
        elector.stop();
        advanceTo(12);
        assertThat(store().calls().stream().map(StoreCall::timeLimit).distinct())
                .containsExactly(ElectionOptions.defaults().callTimeout());
        assertThat(ElectionOptions.defaults().callTimeout()).isEqualTo(seconds(4));
    }

    @Test
    void K027_oneSlowCallDoesNotUseUpTheBudget() {
        VirtualTenure a = process(
                "a",
                options -> options.lease(seconds(15))
                        .safetyMargin(seconds(5))
                        .renewInterval(seconds(5))
                        .callTimeout(seconds(2.5)));
        leader(a);
        StoreRule slow = store().on(Kind.RENEW).once().delay(seconds(60), Duration.ZERO);
        store().on(Kind.RENEW).delay(Duration.ofMillis(10), Duration.ofMillis(10));
        advanceTo(120);
        assertThat(slow.calls()).hasSize(1);
        assertThat(lostAt("a")).isEmpty();
        assertThat(renewals("a")).startsWith(seconds(5), seconds(8.5));
    }

    @Test
    void hungAcquisitionIsAskedAgainUnderTheSameIncarnation() {
        StoreRule hung = store().on(Kind.ACQUIRE).once().loseRequest();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(2.4 + 1);
        assertThat(acquisitions("a")).isEqualTo(allSeconds(0, 3.4));
        assertThat(store().calls(Kind.ACQUIRE).get(1).holder())
                .isEqualTo(hung.call().holder());
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void K053_acquisitionWithoutAnAnswerIsResolvedByAskingAgain() {
        store().on(Kind.ACQUIRE).once().loseAnswer();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(3.4);
        Lease lease = leaseOf(elector);
        assertThat(lease.fencingToken().value())
                .isEqualTo(store().record(KEY).orElseThrow().token());
        assertThat(lease.remaining()).isEqualTo(seconds(9));
    }

    @Test
    void lateGrantOfAnUnansweredAcquisitionIsTaken() {
        StoreRule late = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(2.5);
        assertThat(elector.isLeader()).isFalse();
        late.call().answer();
        world.settle();
        assertThat(leaseOf(elector).remaining()).isEqualTo(seconds(6.5));
        advanceTo(3);
        assertThat(acquisitions("a")).hasSize(1);
        assertThat(renewals("a")).isEqualTo(allSeconds(3));
    }

    @Test
    void lateRenewalCountsFromItsOwnSendTime() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        StoreRule late = store().on(Kind.RENEW).once().holdAnswer();
        store().on(Kind.RENEW).hold();
        advanceTo(8.5);
        late.call().answer();
        world.settle();
        assertThat(lease.remaining()).isEqualTo(seconds(3.5));
        advanceTo(12);
        assertThat(lostAt("a")).isEqualTo(allSeconds(12));
    }

    @Test
    void failureThatComesAfterItsLimitCountsOnce() {
        VirtualTenure a = process("a");
        leader(a);
        StoreRule late = store().on(Kind.RENEW).once().hold();
        advanceTo(6);
        late.call().fail(outage());
        world.settle();
        advanceTo(30);
        assertThat(renewals("a")).startsWith(seconds(3), seconds(6.4), seconds(9.4));
        assertThat(lostAt("a")).isEmpty();
    }

    @Test
    void hungReleaseIsSentAgain() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        store().on(Kind.RELEASE).once().loseRequest();
        elector.stop();
        advanceTo(3.4);
        assertThat(releases("a")).isEqualTo(allSeconds(0, 3.4));
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void limitFollowsFromTheOptions() {
        ElectionOptions cases = ElectionOptions.builder()
                .lease(seconds(10))
                .renewInterval(seconds(3))
                .safetyMargin(seconds(1))
                .build();
        assertThat(cases.callTimeout()).isEqualTo(seconds(2.4));
        ElectionOptions half = cases.toBuilder().renewInterval(seconds(4.5)).build();
        assertThat(half.callTimeout()).isEqualTo(seconds(2.25));
    }
}
