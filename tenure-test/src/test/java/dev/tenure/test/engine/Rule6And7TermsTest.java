package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.OwnedLease;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Rule 6: a new term is never the old one continued. Rule 7: an abandoned acquisition is released until that is
 * confirmed or it has expired.
 */
class Rule6And7TermsTest extends EngineTest {

    @Test
    void B09_K030_newTermHasNewIncarnationAndHigherTokenAlthoughNobodyElseLed() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        Lease first = leaseOf(elector);
        String incarnation = store().record(KEY).orElseThrow().holder().incarnation();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(12);
        Lease second = leaseOf(elector);
        assertThat(second.term()).isEqualTo(2);
        assertThat(first.fencingToken().isOlderThan(second.fencingToken())).isTrue();
        assertThat(store().record(KEY).orElseThrow().holder().incarnation()).isNotEqualTo(incarnation);
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(recorder().events("a", Recorded.Kind.ON_LOST)).hasSize(1);
        assertThat(recorder().events("a", Recorded.Kind.ON_ELECTED)).hasSize(2);
    }

    @Test
    void K009_recordDeletedByAnOperatorIsALossAndANewTerm() {
        store().mute(true);
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        long token = leaseOf(elector).fencingToken().value();
        world.checker().allow(Invariant.HELD_IS_GRANTED);
        advanceTo(4);
        store().direct().forceRelease(KEY);
        advanceTo(6);
        assertThat(lostAt("a")).isEqualTo(allSeconds(6));
        advanceTo(8);
        assertThat(leaseOf(elector).fencingToken().value()).isGreaterThan(token);
        assertThat(elector.term()).isEqualTo(2);
    }

    @Test
    void K007_recordThatNamesMeIsAnothers() {
        VirtualTenure old = process("a");
        leader(old);
        advanceTo(1);
        old.crash();
        VirtualTenure restarted = process("a2", options -> {});
        LeaderElector elector = restarted.stand(ROLE);
        advanceTo(9.9);
        assertThat(elector.isLeader()).isFalse();
        assertThat(recorder().events("a2", Recorded.Kind.ELECTED)).isEmpty();
        advanceTo(10.1);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void K113_B19_sameNameTwiceLeadsOnce() {
        VirtualTenure a1 = processWith("a1", setup -> setup.instance("node-1"));
        VirtualTenure a2 = processWith("a2", setup -> setup.instance("node-1"));
        LeaderElector first = a1.stand(ROLE);
        LeaderElector second = a2.stand(ROLE);
        advanceTo(60);
        assertThat(first.isLeader()).isTrue();
        assertThat(second.isLeader()).isFalse();
        assertThat(second.term()).isZero();
    }

    @Test
    void incarnationStaysWhileAnAcquisitionIsUnanswered() {
        store().on(Kind.ACQUIRE).times(3).fail(EngineTest::outage);
        VirtualTenure a = process("a");
        a.stand(ROLE);
        advanceTo(5);
        assertThat(store().calls(Kind.ACQUIRE).stream()
                        .map(call -> call.holder().orElseThrow().incarnation())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void floorOfTheNextAcquisitionIsTheHighestTokenSeen() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        long token = leaseOf(elector).fencingToken().value();
        elector.resign();
        advanceTo(2);
        assertThat(store().calls(Kind.ACQUIRE, "a").get(1).token()).isEqualTo(token);
        VirtualTenure b = process("b");
        b.stand(ROLE);
        advanceTo(3);
        elector.stop();
        advanceTo(4);
        var last = store().calls(Kind.ACQUIRE, "b");
        assertThat(last.get(last.size() - 1).token()).isGreaterThan(token);
    }

    // rule 7

    @Test
    void K073_interruptedAcquisitionThatWasGrantedIsReleased() {
        StoreRule held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        world.advance(seconds(1));
        call.interrupt();
        assertThat(call.failure()).isInstanceOf(InterruptedException.class);
        assertThat(held.call().applied()).isEqualTo(1);
        assertThat(store().record(KEY)).isEmpty();
        assertThat(releases("a")).isEqualTo(allSeconds(1));
    }

    @Test
    void K074_interruptedTryAcquireIsNeverRenewed() {
        StoreRule held = store().on(Kind.ACQUIRE).once().hold();
        VirtualTenure a = process("a");
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE, seconds(5)));
        world.advance(Duration.ofMillis(2));
        call.interrupt();
        assertThat(call.failure()).isInstanceOf(InterruptedException.class);
        world.advance(Duration.ofMillis(2));
        held.call().answer();
        advanceTo(45);
        assertThat(renewals("a")).isEmpty();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void B18_acquisitionDeliveredAfterItsReleaseIsDeniedOrReleased() {
        StoreRule held = store().on(Kind.ACQUIRE).once().hold();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        world.advance(seconds(1));
        future.cancel(true);
        world.settle();
        assertThat(releases("a")).isEqualTo(allSeconds(1));
        held.call().apply(); // arrives only now; its answer never does
        advanceTo(12);
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void B52_releaseOfAnUnansweredAcquisitionIsRepeatedUntilItHasExpired() {
        store().on(Kind.ACQUIRE).once().loseRequest();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        world.advance(seconds(1));
        future.cancel(true);
        advanceTo(40);
        assertThat(releases("a")).startsWith(seconds(1), seconds(2), seconds(4), seconds(8));
        assertThat(releases("a").get(releases("a").size() - 1)).isLessThan(seconds(20));
        assertThat(store().calls(Kind.RELEASE)).allMatch(call -> call.token() == 0);
    }

    @Test
    void B52_lateGrantOfAnAbandonedAcquisitionIsReleasedByItsToken() {
        StoreRule held = store().on(Kind.ACQUIRE).once().hold();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        world.advance(seconds(1));
        store().on(Kind.RELEASE).fail(EngineTest::outage);
        future.cancel(true);
        world.advance(seconds(1));
        held.call().answer();
        world.settle();
        assertThat(store().record(KEY)).isPresent();
        store().heal();
        world.advance(seconds(8));
        assertThat(store().record(KEY)).isEmpty();
        var releases = store().calls(Kind.RELEASE);
        assertThat(releases.get(releases.size() - 1).token()).isPositive();
    }

    @Test
    void abandonedAcquisitionThatWasDeniedNeedsNoRelease() {
        VirtualTenure b = process("b");
        leader(b);
        StoreRule held = store().on(Kind.ACQUIRE).from("a").once().hold();
        store().on(Kind.RELEASE).from("a").hold();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        world.advance(seconds(1));
        future.cancel(true);
        world.settle();
        held.call().answer();
        advanceTo(30);
        assertThat(releases("a")).hasSize(1);
    }

    @Test
    void candidateThatWasDeniedAndStopsReleasesNothing() {
        VirtualTenure b = process("b");
        leader(b);
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(5);
        elector.stop();
        advanceTo(20);
        assertThat(releases("a")).isEmpty();
    }

    @Test
    void K018_nothingIsPublishedWhileTheAnswerIsHeld() {
        VirtualTenure b = process("b");
        StoreRule held = store().on(Kind.ACQUIRE).from("a").once().hold();
        VirtualTenure a = process("a");
        CompletableFuture<Optional<OwnedLease>> future = a.tenure().tryAcquireAsync(ROLE);
        world.advance(seconds(0.2));
        assertThat(future).isNotDone();
        leader(b);
        held.call().answer();
        world.settle();
        assertThat(now(future)).isEmpty();
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).isEmpty();
    }

    @Test
    void K001_grantOfAnotherIncarnationIsNotTaken() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        StoreRule first = store().on(Kind.ACQUIRE).hold();
        elector.resign();
        advanceTo(2);
        elector.stop();
        advanceTo(3);
        elector.start();
        advanceTo(4);
        assertThat(first.calls()).hasSize(2);
        first.calls().get(0).answer(AcquireResult.granted(Long.MAX_VALUE >> 20));
        world.settle();
        assertThat(elector.isLeader()).isFalse();
        assertThat(store().calls(Kind.RELEASE, "a").stream()
                        .map(call -> call.holder().orElseThrow().incarnation()))
                .contains(first.calls().get(0).holder().orElseThrow().incarnation());
    }
}
