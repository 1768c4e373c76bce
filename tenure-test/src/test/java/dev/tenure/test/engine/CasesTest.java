package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Cases that belong to no single rule.
 */
class CasesTest extends EngineTest {

    @Test
    void K004_K015_isolatedLeaderIsLostBeforeAnotherLeads() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure b = process("b");
        b.stand(ROLE);
        advanceTo(2);
        store().cut("a");
        advanceTo(11);
        store().mend("a");
        advanceTo(40);
        Duration lost = lostAt("a").get(0);
        Duration elected = recorder().times("b", Recorded.Kind.ELECTED).get(0);
        assertThat(lost).isEqualTo(seconds(9));
        assertThat(elected).isBetween(seconds(10), seconds(10.1));
        assertThat(first.isLeader()).isFalse();
    }

    @Test
    void K017_R009_R101_tokenProtectsTheResourceFromAFrozenLeader() {
        AtomicLong highest = new AtomicLong();
        List<Long> accepted = new ArrayList<>();
        VirtualTenure a = process("a");
        Lease old = leaseOf(leader(a));
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(1);
        write(old, highest, accepted);
        a.pause();
        advanceTo(43);
        write(leaseOf(other), highest, accepted);
        for (int queued = 0; queued < 20; queued++) {
            write(old, highest, accepted);
        }
        write(leaseOf(other), highest, accepted);
        a.resume();
        assertThat(accepted).hasSize(3);
        assertThat(accepted).isSorted();
    }

    private static void write(Lease lease, AtomicLong highest, List<Long> accepted) {
        long token = lease.fencingToken().value();
        if (highest.accumulateAndGet(token, Math::max) == token) {
            accepted.add(token);
        }
    }

    @Test
    void K070_twoWaitingCandidatesDoNotDisturbEachOther() {
        VirtualTenure a = process("a");
        leader(a);
        VirtualTenure b = process("b");
        VirtualTenure c = process("c");
        LeaderElector second = b.stand(ROLE);
        LeaderElector third = c.stand(ROLE);
        advanceTo(5);
        a.close();
        int calls = store().calls().size();
        advanceTo(7);
        assertThat(second.isLeader() ^ third.isLeader()).isTrue();
        advanceTo(15);
        assertThat(store().calls().size() - calls).isLessThanOrEqualTo(5 + 3);
    }

    @Test
    void K081_R099_releaseOutlivesTheClosingThatCausesIt() {
        VirtualTenure a = process("a", options -> options.lease(seconds(60)).renewInterval(seconds(20)));
        leader(a);
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(3);
        store().on(Kind.RELEASE).once().fail(EngineTest::outage);
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(5);
        assertThat(closing.result()).isTrue();
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void K091_K101_emptiedStoreIsALossThenExactlyOneLeader() {
        store().mute(true);
        world.checker().allow(Invariant.HELD_IS_GRANTED, Invariant.ONE_LEADER);
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure b = process("b");
        LeaderElector second = b.stand(ROLE);
        advanceTo(2);
        store().onAll().hold();
        advanceTo(20);
        assertThat(lostAt("a")).isEqualTo(allSeconds(9));
        store().direct().forceRelease(KEY);
        store().heal();
        advanceTo(35);
        assertThat(first.isLeader() ^ second.isLeader()).isTrue();
    }

    @Test
    void K108_B17_R012_releaseOfAnOlderTermFreesNobody() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        StoreRule release = store().on(Kind.RELEASE).once().hold();
        elector.resign();
        advanceTo(2.4); // unanswered; sent again, and confirmed
        advanceTo(6);
        assertThat(elector.term()).isEqualTo(2);
        release.call().apply(); // the old one arrives at last
        world.settle();
        assertThat(release.call().result()).contains(false);
        assertThat(store().record(KEY).orElseThrow().token())
                .isEqualTo(leaseOf(elector).fencingToken().value());
        advanceTo(20);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void K061_answerToTheReleaseOfAnOlderTermDoesNotEndTheNextOne() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        StoreRule old = store().on(Kind.RELEASE).once().hold();
        elector.resign();
        advanceTo(6); // unanswered; sent again, and confirmed; a second term
        StoreRule present = store().on(Kind.RELEASE).once().hold();
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        world.settle();
        old.call().answer();
        world.settle();
        assertThat(outcome).isNotDone();
        assertThat(store().record(KEY)).isPresent();
        present.call().answer();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void K108_renewalOfAnOlderTermProlongsNobody() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        StoreRule renewal = store().on(Kind.RENEW).once().hold();
        advanceTo(3.5);
        elector.resign();
        advanceTo(5);
        Duration before = store().record(KEY).orElseThrow().remaining();
        renewal.call().answer();
        world.settle();
        assertThat(renewal.call().result()).contains(RenewResult.NOT_HOLDER);
        assertThat(store().record(KEY).orElseThrow().remaining()).isEqualTo(before);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void K110_storeTroubleDuringAReleaseLeavesNoLocalLock() {
        VirtualTenure a = process("a");
        OwnedLease lease = a.call(() -> a.tenure().acquire(ROLE)).result();
        advanceTo(1);
        store().down();
        lease.release();
        VirtualCall<OwnedLease> second = a.call(() -> a.tenure().acquire(ROLE));
        advanceTo(6);
        store().heal();
        advanceTo(12);
        assertThat(second.result().isHeld()).isTrue();
    }

    @Test
    void K114_restartIsANewTermAndTheFrozenOneIsLost() {
        VirtualTenure old = processWith("old", setup -> setup.instance("node-1"));
        Lease before = leaseOf(leader(old));
        advanceTo(1);
        old.pause();
        VirtualTenure restarted = processWith("new", setup -> setup.instance("node-1"));
        LeaderElector elector = restarted.stand(ROLE);
        advanceTo(9.9);
        assertThat(elector.isLeader()).isFalse();
        advanceTo(12);
        assertThat(before.fencingToken().isOlderThan(leaseOf(elector).fencingToken()))
                .isTrue();
        old.resume();
        assertThat(before.isHeld()).isFalse();
        assertThat(reasons("old")).containsExactly("DEADLINE_EXCEEDED");
    }

    @Test
    void K167_R001_atMostOneSaysThatItLeadsAtAnySample() {
        List<VirtualTenure> processes = List.of(process("a"), process("b"), process("c"));
        List<LeaderElector> electors =
                processes.stream().map(each -> each.stand(ROLE)).toList();
        store().on(Kind.ACQUIRE).from("c").fail(EngineTest::outage);
        for (int sample = 0; sample < 600; sample++) {
            world.advance(Duration.ofMillis(100));
            if (sample % 97 == 96) {
                store().on(Kind.RENEW).times(6).fail(EngineTest::outage);
            }
            if (sample % 150 == 149) {
                electors.forEach(LeaderElector::resign);
            }
            assertThat(electors.stream().filter(LeaderElector::isLeader).count())
                    .isLessThanOrEqualTo(1);
            assertThat(electors.get(2).isLeader()).isFalse();
        }
    }

    @Test
    void B69_storesReasonIsKeptAlthoughTheDeadlinePassesLater() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(60)));
        Lease lease = leaseOf(leader(a));
        store().on(Kind.RENEW).once().answer(RenewResult.SESSION_GONE);
        advanceTo(30);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains(LossReason.SESSION_EXPIRED);
        assertThat(lease.lossReason().orElseThrow().decidedBy()).isEqualTo(LossReason.Decision.STORE);
    }

    @Test
    void R091_R092_storeDecidedAndNodeDecidedLossesAreToldApart() {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector one = a.stand("one");
        LeaderElector two = b.stand("two");
        world.settle();
        assertThat(one.isLeader() && two.isLeader()).isTrue();
        store().cut("a");
        store().on(Kind.RENEW).from("b").once().answer(RenewResult.NOT_HOLDER);
        advanceTo(9);
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
        assertThat(reasons("b")).containsExactly("TAKEN_OVER");
    }

    @Test
    void B33_statesOfAnElectorOverItsLife() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<Status> states = new ArrayList<>();
        states.add(elector.health().status());
        elector.start();
        elector.start();
        world.settle();
        states.add(elector.health().status());
        elector.resign();
        world.settle();
        states.add(elector.health().status());
        advanceTo(2);
        states.add(elector.health().status());
        elector.stop();
        world.settle();
        states.add(elector.health().status());
        elector.start();
        world.settle();
        states.add(elector.health().status());
        assertThat(states)
                .containsExactly(
                        Status.STOPPED,
                        Status.LEADING,
                        Status.FOLLOWING,
                        Status.LEADING,
                        Status.STOPPED,
                        Status.LEADING);
        assertThat(recorder().events("a", Recorded.Kind.STANDING)).hasSize(2);
    }

    @Test
    void B11_storeFaultOfATryLeavesEverythingAsItWas() {
        VirtualTenure a = process("a");
        store().on(Kind.ACQUIRE).once().throwing(() -> new IllegalStateException("odd"));
        VirtualCall<Optional<OwnedLease>> failing = a.call(() -> a.tenure().tryAcquire(ROLE));
        assertThat(failing.failure()).isInstanceOf(dev.tenure.StoreException.class);
        advanceTo(25);
        VirtualCall<Optional<OwnedLease>> again = a.call(() -> a.tenure().tryAcquire(ROLE));
        assertThat(again.result()).isPresent();
    }

    @Test
    void B37_tryAcquireSkipsIfBusyAndNeverWaits() {
        VirtualTenure a = process("a");
        OwnedLease lease = a.call(() -> a.tenure().acquire(ROLE)).result();
        VirtualCall<Optional<OwnedLease>> busy = a.call(() -> a.tenure().tryAcquire(ROLE));
        assertThat(busy.result()).isEmpty();
        assertThat(world.elapsed()).isZero();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void R080_R119_leaseCarriesSignalTokenAndValidityTogether() {
        VirtualTenure a = process("a");
        OwnedLease lease = a.call(() -> a.tenure().acquire(ROLE)).result();
        assertThat(lease.fencingToken().role()).isEqualTo(ROLE);
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isEqualTo(seconds(9));
        assertThat(isDone(lease.lost())).isFalse();
        assertThat(lease.lossReason()).isEmpty();
        assertThat(now(lease.release())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(now(lease.lost())).isEqualTo(LossReason.RELEASED);
    }
}
