package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.StoreRejectedException;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The states of an election: each different from the others, since the moment that it began.
 */
class HealthStatesTest extends EngineTest {
    private static final Instant BEGINNING = Instant.parse("2026-01-01T00:00:00Z");

    private static void assertHealth(LeaderElector elector, Status status, double since, String detail) {
        ElectorHealth health = elector.health();
        assertThat(health.status()).isEqualTo(status);
        assertThat(Duration.between(BEGINNING, health.since())).isEqualTo(seconds(since));
        assertThat(health.detail()).contains(detail);
        boolean healthy = status == Status.LEADING || status == Status.FOLLOWING || status == Status.STOPPED;
        assertThat(health.isHealthy()).isEqualTo(healthy);
    }

    @Test
    void ofAnOrdinaryLife() {
        advanceTo(1);
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        advanceTo(2);
        assertHealth(elector, Status.STOPPED, 1, "does not stand");
        elector.start();
        world.settle();
        advanceTo(5);
        assertHealth(
                elector,
                Status.LEADING,
                2,
                "leads with token " + leaseOf(elector).fencingToken().value());
        elector.stop();
        advanceTo(9);
        assertHealth(elector, Status.STOPPED, 5, "does not stand");
    }

    @Test
    void contendedByAnotherThatLeadsOrByAnElectionThatGoesOn() {
        VirtualTenure a = process("a");
        leader(a);
        LeaderElector follower = process("b").stand(ROLE);
        store().on(Kind.ACQUIRE).skipping(1).answer(AcquireResult.denied());
        advanceTo(5);
        assertHealth(follower, Status.FOLLOWING, 0, "a leads");
        a.crash();
        advanceTo(30); // denied, nobody named
        assertHealth(follower, Status.FOLLOWING, 0, "an election is going on: nobody is known to lead");
        store().heal();
        advanceTo(45);
        assertThat(follower.health().status()).isEqualTo(Status.LEADING);
    }

    @Test
    void followerSinceItsTermEnded() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(4);
        ScriptedWork other = new ScriptedWork();
        process("b").stand(ROLE, other);
        advanceTo(5);
        elector.resign();
        advanceTo(12);
        assertHealth(elector, Status.FOLLOWING, 5, "b leads");
    }

    @Test
    void drainingAndAfterTheEndOfTheTerm() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        LeaderElector elector = leader(process("a"), work);
        advanceTo(1);
        elector.resign();
        advanceTo(3);
        assertHealth(elector, Status.FOLLOWING, 1, "gave leadership up; work drains");
        advanceTo(11.5);
        assertHealth(elector, Status.WORK_STUCK, 1, "work of term 1 has not returned");
        work.finish();
        advanceTo(30);
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
    }

    @Test
    void unreachableSinceTheFirstFailureWithTheLastError() {
        LeaderElector elector = process("a").stand(ROLE);
        advanceTo(1);
        elector.resign();
        store().on(Kind.ACQUIRE).fail(EngineTest::outage);
        advanceTo(20);
        assertHealth(elector, Status.UNREACHABLE, 2, "no answer, attempts=");
        assertThat(elector.health().lastError()).containsInstanceOf(dev.tenure.StoreUnavailableException.class);
        store().heal();
        advanceTo(22);
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
        assertThat(elector.health().lastError()).isEmpty();
    }

    @Test
    void leaderWithoutAnAnswerIsUnreachableAndSaysHowLongItLeads() {
        LeaderElector elector = leader(process("a"));
        store().on(Kind.RENEW).fail(EngineTest::outage);
        advanceTo(5);
        assertThat(elector.isLeader()).isTrue();
        assertHealth(elector, Status.UNREACHABLE, 3, "; leads on for at most 4s");
        advanceTo(9.5);
        assertThat(elector.isLeader()).isFalse();
    }

    @Test
    void misconfiguredSinceItIsRefused() {
        LeaderElector elector = process("a").stand(ROLE);
        advanceTo(1);
        elector.resign();
        store().on(Kind.ACQUIRE).once().fail(EngineTest::outage);
        store().on(Kind.ACQUIRE).fail(() -> new StoreRejectedException("permission denied", null));
        advanceTo(2.5);
        assertHealth(elector, Status.UNREACHABLE, 2, "scripted outage");
        advanceTo(4);
        assertHealth(elector, Status.MISCONFIGURED, 3, "the store refuses this client");
        assertThat(elector.health().detail()).contains("permission denied");
        assertThat(elector.health().lastError()).containsInstanceOf(StoreRejectedException.class);
    }

    @Test
    void fencingRegressedSinceTheGrantThatWasNotAbove() {
        world.checker().allow(Invariant.TOKENS_RISE, Invariant.HELD_IS_GRANTED);
        store().on(Kind.ACQUIRE)
                .once()
                .answer(AcquireResult.denied(
                        new LeaseRecord(KEY, new Holder("z", "z-1", Map.of()), 1000, seconds(1), Optional.empty())));
        store().on(Kind.ACQUIRE).answer(AcquireResult.granted(999));
        store().on(Kind.RELEASE).answer(true);
        LeaderElector elector = process("a").stand(ROLE);
        advanceTo(0.5);
        assertHealth(elector, Status.FOLLOWING, 0, "z leads");
        advanceTo(50);
        ElectorHealth health = elector.health();
        assertThat(health.status()).isEqualTo(Status.FENCING_REGRESSED);
        assertThat(Duration.between(BEGINNING, health.since())).isBetween(seconds(1), seconds(1.1));
        assertThat(health.detail()).contains("not above 1000").contains("tenure fence accept");
    }

    @Test
    void workStuckAfterALoss() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        LeaderElector elector = leader(process("a"), work);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3.5);
        assertHealth(elector, Status.FOLLOWING, 3, "its term has ended");
        advanceTo(20);
        assertHealth(elector, Status.WORK_STUCK, 3, "term 1");
        work.finish();
        advanceTo(20.5);
        assertThat(elector.health().status()).isEqualTo(Status.FOLLOWING);
    }

    @Test
    void workThatFailedIsToldWhileItsInstanceStaysAway() {
        LeaderElector elector = process("a").stand(ROLE, lease -> {
            throw new IllegalStateException("no cache");
        });
        advanceTo(5);
        assertHealth(elector, Status.FOLLOWING, 3, "leader work failed here, times in a row=3");
    }

    @Test
    void K173_wedgedWhenTheLoopDoesNotMove() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(1);
        a.pause(); // its next step, a look at the clocks, was due at 1.5 s
        advanceTo(8);
        assertHealth(elector, Status.LEADING, 0, "leads with token");
        advanceTo(20);
        assertHealth(elector, Status.FOLLOWING, 9, "its deadline has passed");
        assertThat(elector.isLeader()).isFalse();
        advanceTo(40);
        assertHealth(elector, Status.WEDGED, 1.5, "the loop has not moved for 38.5s");
        a.resume();
        advanceTo(43);
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
    }

    @Test
    void wedgedWhenItLeadsPastItsDeadlineThoughTheLoopMoves() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(1);
        world.checker().allow(Invariant.LOST_BY_DEADLINE); // on purpose
        a.failAt("", Integer.MAX_VALUE); // the rules throw, whatever happens
        advanceTo(38);
        assertHealth(elector, Status.FOLLOWING, 9, "its deadline has passed");
        advanceTo(40);
        assertHealth(elector, Status.WEDGED, 9, "leads past its deadline for 31s");
        assertThat(elector.isLeader()).isFalse();
        a.failAt("", 0);
        advanceTo(43);
        assertThat(elector.health().isHealthy()).isTrue();
    }

    @Test
    void closedTenureIsStopped() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(4);
        a.close();
        advanceTo(10);
        assertHealth(elector, Status.STOPPED, 4, "");
    }

    @Test
    void uncoordinatedSaysSo() {
        world = dev.tenure.test.virtual.VirtualWorld.builder()
                .traits(dev.tenure.spi.StoreTraits.builder("nothing", dev.tenure.spi.StoreTraits.Scope.NONE)
                        .build())
                .build();
        LeaderElector follows = process("a").stand(ROLE);
        LeaderElector leads = process(
                        "b", options -> options.whenUncoordinated(dev.tenure.ElectionOptions.WhenUncoordinated.LEAD))
                .stand(ROLE);
        advanceTo(2);
        assertHealth(follows, Status.FOLLOWING, 0, "does not coordinate, so this instance does not lead");
        assertHealth(leads, Status.LEADING, 0, "does not coordinate, as others may");
    }
}
