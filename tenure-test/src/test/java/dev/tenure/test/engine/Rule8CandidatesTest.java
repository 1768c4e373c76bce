package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.spi.AcquireResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Rule 8: when a candidate asks again.
 */
class Rule8CandidatesTest extends EngineTest {

    @Test
    void deniedCandidateAsksWhenTheStoreSaid() {
        store().on(Kind.ACQUIRE).once().answer(AcquireResult.denied(seconds(4)));
        VirtualTenure a = process("a");
        a.stand(ROLE);
        advanceTo(10);
        List<Duration> asked = acquisitions("a");
        assertThat(asked).hasSize(2);
        assertThat(asked.get(1)).isBetween(seconds(4), seconds(4.01));
    }

    @Test
    void deniedCandidateWaitsAtMostTenSeconds() {
        store().on(Kind.ACQUIRE).times(2).answer(AcquireResult.denied(Duration.ofDays(3)));
        VirtualTenure a = process("a");
        a.stand(ROLE);
        advanceTo(25);
        assertThat(acquisitions("a")).isEqualTo(allSeconds(0, 10, 20));
    }

    @Test
    void denialThatTellsNothingIsAskedAgainAtTheRetryInterval() {
        store().on(Kind.ACQUIRE).times(3).answer(AcquireResult.denied());
        VirtualTenure a = process("a");
        a.stand(ROLE);
        advanceTo(5);
        assertThat(acquisitions("a")).isEqualTo(allSeconds(0, 1, 2, 3));
    }

    @Test
    void denialThatSaysNowIsNotAskedWithoutPause() {
        store().on(Kind.ACQUIRE).answer(AcquireResult.denied(Duration.ZERO));
        VirtualTenure a = process("a");
        a.stand(ROLE);
        advanceTo(1);
        assertThat(acquisitions("a").size()).isBetween(2, 12);
    }

    @Test
    void withoutPushACandidateAlsoAsksEveryRetryInterval() {
        pollingStore();
        VirtualTenure b = process("b");
        leader(b);
        VirtualTenure a = process("a");
        a.stand(ROLE);
        advanceTo(5.5);
        assertThat(acquisitions("a")).isEqualTo(allSeconds(0, 1, 2, 3, 4, 5));
    }

    @Test
    void jitterIsAddedToTheRetryIntervalAndNeverMoreThanGiven() {
        pollingStore();
        VirtualTenure b = process("b");
        leader(b);
        VirtualTenure a = process("a", options -> options.retryJitter(seconds(1)));
        a.stand(ROLE);
        advanceTo(120);
        List<Duration> asked = acquisitions("a");
        for (int i = 1; i < asked.size(); i++) {
            assertThat(asked.get(i).minus(asked.get(i - 1))).isBetween(seconds(1), seconds(2));
        }
        assertThat(asked.size()).isBetween(65, 100);
    }

    @Test
    void R013_R052_wakeUpLetsTheNextLeadAtOnce() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure b = process("b");
        LeaderElector second = b.stand(ROLE);
        advanceTo(4);
        first.stop();
        advanceTo(4.003);
        assertThat(second.isLeader()).isTrue();
    }

    @Test
    void lostWakeUpDelaysUntilTheEndOfTheRecordAtMost() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        store().mute(true);
        VirtualTenure b = process("b");
        LeaderElector second = b.stand(ROLE);
        advanceTo(1);
        first.stop();
        advanceTo(10.1);
        assertThat(second.isLeader()).isTrue();
    }

    @Test
    void B76_K133_wakeUpWhileAskingMakesADenialOld() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        var held = store().on(Kind.ACQUIRE).from("b").once().holdAnswer();
        VirtualTenure b = process("b");
        LeaderElector second = b.stand(ROLE);
        advanceTo(1);
        assertThat(held.call().applied()).isEqualTo(1);
        first.stop();
        world.settle();
        held.call().answer(); // a denial from before the release
        advanceTo(1.1);
        assertThat(second.isLeader()).isTrue();
    }

    @Test
    void wakeUpsAreSpread() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        for (int i = 0; i < 20; i++) {
            process("b" + i).stand(ROLE);
        }
        advanceTo(1);
        first.stop();
        advanceTo(1.02);
        long distinct = store().calls(Kind.ACQUIRE).stream()
                .filter(call -> call.sentAt().compareTo(seconds(1)) >= 0)
                .map(call -> call.sentAt())
                .distinct()
                .count();
        assertThat(distinct).isGreaterThan(10);
    }

    @Test
    void K120_storeThatWakesAllTheTimeIsNotAskedAllTheTime() {
        VirtualTenure b = process("b");
        leader(b);
        VirtualTenure a = process("a");
        a.stand(ROLE);
        for (int i = 0; i < 10_000; i++) {
            world.after(Duration.ofMillis(i), () -> store().wake(KEY));
        }
        advanceTo(10);
        assertThat(acquisitions("a").size()).isLessThan(1_100); // 10 ms at the soonest
        assertThat(renewals("b").size()).isLessThan(25); // a twentieth of the lease at the soonest
    }

    @Test
    void wakeUpWhileLeadingRenewsNow() {
        VirtualTenure a = process("a");
        leader(a);
        advanceTo(1);
        store().wake(KEY);
        world.settle();
        assertThat(renewals("a")).isEqualTo(allSeconds(1));
        advanceTo(4);
        assertThat(renewals("a")).isEqualTo(allSeconds(1, 4));
    }

    @Test
    void wakeUpRightAfterARenewalWaitsATwentiethOfTheLease() {
        VirtualTenure a = process("a");
        leader(a);
        advanceTo(3.1);
        store().wake(KEY);
        store().wake(KEY);
        advanceTo(3.6);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 3.5));
    }

    @Test
    void revokedLeaderIsWokenAndLearnsItAtOnce() {
        world.checker().allow(Invariant.HELD_IS_GRANTED);
        VirtualTenure a = process("a");
        leader(a);
        advanceTo(1);
        store().direct().revoke(KEY);
        world.settle();
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
        assertThat(lostAt("a")).isEqualTo(allSeconds(1));
    }

    @Test
    void B36_R053_afterResignTheInstanceWaitsTheRetryInterval() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(2);
        elector.resign();
        advanceTo(2.99);
        assertThat(acquisitions("a")).hasSize(1);
        advanceTo(3);
        assertThat(acquisitions("a")).isEqualTo(allSeconds(0, 3));
        assertThat(elector.term()).isEqualTo(2);
    }

    @Test
    void B36_withoutPushAnotherGoesFirstAfterAResignation() {
        pollingStore();
        VirtualTenure a = process("a", options -> options.retryJitter(seconds(0.5)));
        LeaderElector first = leader(a);
        VirtualTenure b = process("b", options -> options.retryJitter(seconds(0.5)));
        LeaderElector second = b.stand(ROLE);
        advanceTo(2);
        first.resign();
        advanceTo(20);
        assertThat(second.isLeader()).isTrue();
        assertThat(acquisitions("a").get(1)).isGreaterThanOrEqualTo(seconds(2 + 1 + 2.4));
        assertThat(first.term()).isEqualTo(1);
    }

    @Test
    void wakeUpsDoNotShortenThePauseAfterAResignation() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(2);
        elector.resign();
        for (int i = 1; i < 9; i++) {
            world.after(seconds(i / 10.0), () -> store().wake(KEY));
        }
        advanceTo(2.95);
        assertThat(acquisitions("a")).hasSize(1);
    }

    @Test
    void afterWorkReturnedTheInstanceWaitsAsAfterAResignation() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        advanceTo(2);
        work.finish();
        advanceTo(2.99);
        assertThat(acquisitions("a")).hasSize(1);
        advanceTo(3.1);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(work.runs()).isEqualTo(2);
    }

    @Test
    void B36_afterALossTheInstanceWaitsTheRetryIntervalWithJitter() {
        VirtualTenure a = process("a", options -> options.retryJitter(seconds(0.5)));
        leader(a);
        store().on(Kind.RENEW).once().answer(dev.tenure.spi.RenewResult.NOT_HOLDER);
        advanceTo(5);
        assertThat(acquisitions("a").get(1)).isBetween(seconds(4), seconds(4.5));
    }

    @Test
    void K152_storeTrafficStaysWithinItsBudget() {
        pollingStore();
        for (String name : List.of("a", "b", "c")) {
            world.process(name, options -> options.retryInterval(seconds(2)).renewInterval(seconds(5)))
                    .stand(ROLE);
        }
        world.advance(Duration.ofMinutes(30));
        assertThat(store().calls().size()).isLessThanOrEqualTo(3 * 900 + 270);
        assertThat(store().calls(Kind.READ)).isEmpty();
        assertThat(store().calls(Kind.LIST)).isEmpty();
    }

    @Test
    void K120_K152_withPushAFollowerCostsNextToNothing() {
        VirtualTenure b = world.process("b");
        leader(b);
        VirtualTenure a = world.process("a");
        a.stand(ROLE);
        world.advance(Duration.ofMinutes(30));
        assertThat(acquisitions("a").size()).isLessThan(400);
    }

    @Test
    void K038_holdersRecordCountsNotTheCandidatesLease() {
        VirtualTenure a = process("a", options -> options.lease(seconds(30)).renewInterval(seconds(10)));
        leader(a);
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(12);
        a.crash();
        advanceTo(39.9);
        assertThat(other.isLeader()).isFalse();
        advanceTo(41);
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void K104_R011_R054_anotherLeadsWhenTheCrashedLeadersRecordHasExpired() {
        VirtualTenure a = process("a");
        long token = leaseOf(leader(a)).fencingToken().value();
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(4);
        a.crash();
        advanceTo(12.99);
        assertThat(other.isLeader()).isFalse();
        advanceTo(13.1);
        assertThat(leaseOf(other).fencingToken().value()).isGreaterThan(token);
    }
}
