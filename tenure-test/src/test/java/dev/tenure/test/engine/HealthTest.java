package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.OwnedLease;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Section P: what an elector says about itself. And tokens that are not above the highest seen.
 */
class HealthTest extends EngineTest {
    private static final long SEEN = 1_000_000_000_000_000_000L >> 10;

    @BeforeEach
    void tokensAreScriptedHere() {
        world.checker().allow(Invariant.TOKENS_RISE, Invariant.HELD_IS_GRANTED);
    }

    @Test
    void statesOfAnOrdinaryElection() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        assertThat(elector.health().status()).isEqualTo(Status.STOPPED);
        elector.start();
        world.settle();
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
        assertThat(elector.health().isHealthy()).isTrue();
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(1);
        assertThat(other.health().status()).isEqualTo(Status.FOLLOWING);
        assertThat(other.health().isHealthy()).isTrue();
        elector.stop();
        world.settle();
        assertThat(elector.health().status()).isEqualTo(Status.STOPPED);
    }

    @Test
    void K169_startReturnsAtOnceAndHealthShowsTheCause() {
        store().on(Kind.ACQUIRE).fail(EngineTest::outage);
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        ElectorHealth health = elector.health();
        assertThat(health.status()).isEqualTo(Status.UNREACHABLE);
        assertThat(health.isHealthy()).isFalse();
        assertThat(health.detail()).contains("scripted outage").contains("attempts=1");
        advanceTo(3);
        assertThat(elector.health().detail()).contains("attempts=4");
    }

    @Test
    void leaderWhoseRenewalsFailIsUnreachableAndStillLeads() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        store().on(Kind.RENEW).once().fail(EngineTest::outage);
        advanceTo(3.5);
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.health().status()).isEqualTo(Status.UNREACHABLE);
        advanceTo(4);
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
    }

    @Test
    void K173_loopThatDoesNotMoveIsWedged() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        VirtualTenure b = process("b");
        LeaderElector follower = b.stand(ROLE);
        advanceTo(1);
        a.pause();
        advanceTo(30);
        assertThat(elector.health().status()).isNotEqualTo(Status.WEDGED);
        advanceTo(40);
        assertThat(elector.health().status()).isEqualTo(Status.WEDGED);
        assertThat(elector.health().isHealthy()).isFalse();
        assertThat(elector.health().detail()).contains("not moved for 3"); // seconds
        assertThat(follower.health().isHealthy()).isTrue();
        a.resume();
        assertThat(elector.health().status()).isNotEqualTo(Status.WEDGED);
        advanceTo(42);
        assertThat(elector.health().isHealthy()).isTrue();
    }

    @Test
    void K173_idleLoopIsNotWedged() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        advanceTo(600);
        assertThat(elector.health().status()).isEqualTo(Status.STOPPED);
    }

    @Test
    void workThatHasNotReturnedIsShown() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(5);
        ElectorHealth health = elector.health();
        assertThat(health.status()).isEqualTo(Status.WORK_STUCK);
        assertThat(health.isHealthy()).isFalse();
        assertThat(health.detail()).contains("term 1");
        work.finish();
        world.settle();
        assertThat(elector.health().status()).isEqualTo(Status.FOLLOWING);
    }

    @Test
    void R051_descriptionAsksNobodyAndChangesNothing() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.describe();
        a.tenure().describe();
        assertThat(store().calls()).isEmpty();
        elector.start();
        advanceTo(1);
        int calls = store().calls().size();
        var told = elector.describe();
        assertThat(told.role()).isEqualTo(ROLE);
        assertThat(told.coordinated()).isTrue();
        assertThat(told.term()).isEqualTo(1);
        assertThat(told.remaining()).isEqualTo(seconds(8));
        assertThat(told.fencingToken()).contains(leaseOf(elector).fencingToken());
        assertThat(told.worstCaseTakeover()).isEqualTo(seconds(12.4));
        assertThat(a.tenure().describe().elections()).hasSize(1);
        assertThat(a.tenure().describe().instance()).isEqualTo("a");
        assertThat(store().calls()).hasSize(calls);
    }

    // tokens

    /**
     * An elector that has seen a high token at another.
     */
    private LeaderElector seenHigh(VirtualTenure a) {
        store().on(Kind.ACQUIRE)
                .once()
                .answer(AcquireResult.denied(new dev.tenure.spi.LeaseRecord(
                        KEY,
                        new dev.tenure.spi.Holder("z", "z-1", java.util.Map.of()),
                        SEEN,
                        seconds(1),
                        java.util.Optional.empty())));
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        return elector;
    }

    @Test
    void B30_K097_grantThatIsNotAboveTheHighestSeenIsRefusedAndShown() {
        VirtualTenure a = process("a");
        LeaderElector elector = seenHigh(a);
        StoreRule low = store().on(Kind.ACQUIRE).answer(AcquireResult.granted(SEEN));
        store().on(Kind.RELEASE).answer(true);
        advanceTo(2);
        assertThat(elector.isLeader()).isFalse();
        ElectorHealth health = elector.health();
        assertThat(health.status()).isEqualTo(Status.FENCING_REGRESSED);
        assertThat(health.detail()).contains(String.valueOf(SEEN));
        assertThat(recorder().events("a", Recorded.Kind.TOKEN_REGRESSED)).hasSize(1);
        assertThat(releases("a")).hasSize(1);
        advanceTo(200);
        assertThat(low.calls().size()).isBetween(6, 8); // every 30 s
        assertThat(recorder().events("a", Recorded.Kind.TOKEN_REGRESSED)).hasSize(1);
        assertThat(log.lines("ERROR", "restored or exchanged")).hasSize(1);
        assertThat(log.told(CoreEvent.TOKEN_REGRESSED)).hasSize(1);
    }

    @Test
    void acceptedTokenMakesCandidatesForgetHigherOnesOnce() {
        VirtualTenure a = process("a");
        LeaderElector elector = seenHigh(a);
        store().on(Kind.RELEASE).answer(true);
        store().on(Kind.ACQUIRE).once().answer(AcquireResult.granted(7));
        advanceTo(2);
        assertThat(elector.health().status()).isEqualTo(Status.FENCING_REGRESSED);
        store().on(Kind.ACQUIRE).once().answer(AcquireResult.granted(51, 50));
        store().on(Kind.RENEW).answer(RenewResult.RENEWED);
        advanceTo(33);
        assertThat(elector.isLeader()).isTrue();
        assertThat(leaseOf(elector).fencingToken().value()).isEqualTo(51);
        elector.resign();
        store().on(Kind.ACQUIRE).once().answer(AcquireResult.granted(40, 50)); // the same mark is not heeded again
        advanceTo(35);
        assertThat(elector.isLeader()).isFalse();
        assertThat(elector.health().status()).isEqualTo(Status.FENCING_REGRESSED);
    }

    @Test
    void acceptTokenRegressionLeadsOn() {
        VirtualTenure a = process("a", options -> options.acceptTokenRegression(true));
        LeaderElector elector = seenHigh(a);
        store().on(Kind.ACQUIRE).once().answer(AcquireResult.granted(7));
        store().on(Kind.RENEW).answer(RenewResult.RENEWED);
        advanceTo(2);
        assertThat(leaseOf(elector).fencingToken().value()).isEqualTo(7);
    }

    @Test
    void acquireThrowsOnATokenThatIsNotAbove() {
        VirtualTenure a = process("a");
        store().on(Kind.ACQUIRE)
                .once()
                .answer(AcquireResult.denied(new dev.tenure.spi.LeaseRecord(
                        KEY,
                        new dev.tenure.spi.Holder("z", "z-1", java.util.Map.of()),
                        SEEN,
                        seconds(1),
                        java.util.Optional.empty())));
        store().on(Kind.ACQUIRE).answer(AcquireResult.granted(SEEN - 1));
        store().on(Kind.RELEASE).answer(true);
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        advanceTo(2);
        assertThat(call.failure())
                .isInstanceOf(StoreRejectedException.class)
                .hasMessageContaining(String.valueOf(SEEN))
                .hasMessageContaining(String.valueOf(SEEN - 1));
    }

    @Test
    void implausibleTokenIsShownAndAskedAgainEveryHalfMinute() {
        StoreRule rule = store().on(Kind.ACQUIRE).fail(() -> new TokenImplausibleException(KEY, Long.MAX_VALUE, 1));
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(95);
        assertThat(elector.health().status()).isEqualTo(Status.FENCING_REGRESSED);
        assertThat(elector.health().detail()).contains("token implausible");
        assertThat(rule.calls().stream().map(StoreCall::sentAt)).containsExactlyElementsOf(allSeconds(0, 30, 60, 90));
        store().heal();
        advanceTo(121);
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
    }

    @Test
    void realStoreWhoseClockWasSetBackKeepsTokensRising() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        long token = leaseOf(elector).fencingToken().value();
        store().time().stepWall(Duration.ofHours(-5));
        elector.resign();
        advanceTo(2);
        assertThat(leaseOf(elector).fencingToken().value()).isEqualTo(token + 1);
    }

    @Test
    void B16_leaseIsOneConsistentSnapshot() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        var lease = leaseOf(elector);
        elector.resign();
        advanceTo(3);
        assertThat(elector.isLeader()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(leaseOf(elector).fencingToken()).isNotEqualTo(lease.fencingToken());
    }
}
