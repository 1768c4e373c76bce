package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions.WhenUncoordinated;
import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.OwnedLease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Where two things meet in an election: a stop and a loss, a late answer and a denial, no coordination and a clock.
 */
class EdgesTest extends EngineTest {

    /**
     * A process that leads on a store that coordinates nothing.
     */
    private VirtualTenure uncoordinated() {
        world = VirtualWorld.builder()
                .traits(StoreTraits.builder("nothing", StoreTraits.Scope.NONE)
                        .lease(Duration.ofMillis(1), Duration.ofDays(1))
                        .build())
                .build();
        return process("a", options -> options.whenUncoordinated(WhenUncoordinated.LEAD));
    }

    /**
     * The term is lost, its work runs on.
     */
    private void lose() {
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
    }

    // nothing is coordinated

    @Test
    void uncoordinatedLeaderIsNotEndedByAWallClockJump() {
        VirtualTenure a = uncoordinated();
        LeaderElector elector = leader(a);
        advanceTo(1);
        a.time().stepWall(Duration.ofHours(1));
        advanceTo(60);
        assertThat(recorder().events("a", Recorded.Kind.WALL_CLOCK_JUMPED)).isNotEmpty();
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.term()).isEqualTo(1);
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void uncoordinatedDrainIsNotCutByAWallClockJump() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = uncoordinated();
        LeaderElector elector = leader(a, work);
        CompletableFuture<ReleaseOutcome> outcome = elector.stop();
        advanceTo(1);
        a.time().stepWall(Duration.ofHours(1));
        advanceTo(5);
        assertThat(work.interrupts()).isZero();
        assertThat(isDone(outcome)).isFalse();
        work.finish();
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void uncoordinatedLeaderIsHealthy() {
        LeaderElector elector = leader(uncoordinated());
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
        advanceTo(600);
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
        assertThat(elector.health().isHealthy()).isTrue();
    }

    @Test
    void uncoordinatedTermWhoseWorkIsLeftBehindLapses() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        LeaderElector elector = leader(uncoordinated(), work);
        Lease lease = leaseOf(elector);
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        advanceTo(9.9);
        assertThat(isDone(lease.lapsed())).isFalse();
        advanceTo(10);
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.LEFT_TO_EXPIRE);
        assertThat(isDone(lease.lapsed())).isTrue();
        assertThat(lease.remaining()).isZero();
        assertThat(recorder().times("a", Recorded.Kind.LAPSED)).isEqualTo(allSeconds(10));
        work.finish();
        advanceTo(20);
        assertThat(elector.term()).isEqualTo(2);
    }

    // health

    @Test
    void electorThatWasStoppedInAnOutageIsStopped() {
        LeaderElector elector = process("a").stand(ROLE);
        store().down();
        LeaderElector other = process("b").stand("other");
        advanceTo(20);
        assertThat(elector.health().status()).isEqualTo(Status.UNREACHABLE);
        elector.stop();
        other.stop();
        advanceTo(40);
        assertThat(elector.health().status()).isEqualTo(Status.STOPPED);
        assertThat(other.health().status()).isEqualTo(Status.STOPPED);
    }

    @Test
    void workThatIsStuckAfterAnOutageIsShownAsStuck() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        LeaderElector elector = leader(process("a"), work);
        store().down();
        advanceTo(15);
        ElectorHealth health = elector.health();
        assertThat(health.status()).isEqualTo(Status.WORK_STUCK);
        assertThat(health.detail()).contains("term 1");
        store().heal();
        advanceTo(200);
        assertThat(elector.health().status()).isEqualTo(Status.WORK_STUCK);
        work.finish();
        advanceTo(203);
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
    }

    // a stop while work is stuck

    @Test
    void whoeverWaitsForLeadershipIsToldOfAStopAlthoughWorkIsStuck() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        lose();
        VirtualCall<Lease> waiting = a.call(elector::awaitLeadership);
        advanceTo(4);
        assertThat(waiting.isDone()).isFalse();
        elector.stop();
        assertThat(waiting.failure()).isInstanceOf(CancellationException.class);
        assertThat(work.isRunning()).isTrue();
        work.finish();
        world.settle();
    }

    @Test
    void whoeverWaitsForLeadershipIsToldOfAStopBeforeTheDrainIsOver() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        elector.resign();
        world.settle();
        VirtualCall<Lease> waiting = a.call(elector::awaitLeadership);
        assertThat(waiting.isDone()).isFalse();
        elector.stop();
        assertThat(waiting.failure()).isInstanceOf(CancellationException.class);
        work.finish();
        world.settle();
    }

    @Test
    void resignationDoesNotCompleteAStopThatIsPending() {
        ScriptedWork work = new ScriptedWork().ignoreInterrupts();
        LeaderElector elector = leader(process("a"), work);
        lose();
        CompletableFuture<ReleaseOutcome> stop = elector.stop();
        advanceTo(4);
        CompletableFuture<ReleaseOutcome> resignation = elector.resign();
        assertThat(isDone(stop)).isFalse();
        work.finish();
        advanceTo(5);
        assertThat(now(stop)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(now(resignation)).isEqualTo(ReleaseOutcome.NOT_HOLDER);
    }

    @Test
    void resignationInTheCleanUpOfWorkDoesNotLetCloseGoOn() {
        boolean[] ended = {false};
        VirtualTenure a = process("a");
        LeaderElector[] elector = {null};
        elector[0] = leader(a, lease -> {
            take(seconds(1000)); // until interrupted
            Thread.interrupted();
            take(seconds(2));
            elector[0].resign();
            take(seconds(2));
            ended[0] = true;
        });
        lose();
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(6.9);
        assertThat(closing.isDone()).isFalse();
        advanceTo(7);
        assertThat(closing.result()).isTrue();
        assertThat(ended[0]).isTrue();
    }

    // no drain

    @Test
    void withoutADrainWhatHasNothingToWaitForIsReleased() {
        VirtualTenure a = process("a", options -> options.drainTimeout(Duration.ZERO));
        LeaderElector elector = leader(a);
        assertThat(now(elector.resign())).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(store().record(KEY)).isEmpty();
        OwnedLease lease = a.call(() -> a.tenure().acquire("owned")).result();
        assertThat(now(lease.release())).isEqualTo(ReleaseOutcome.RELEASED);
        advanceTo(2);
        assertThat(elector.isLeader()).isTrue();
        a.close();
        assertThat(store().record(KEY)).isEmpty();
    }

    // monitors

    @Test
    void lapseOfATermWhoseWorkFailedIsToldOnce() {
        ScriptedWork work = new ScriptedWork();
        LeaderElector elector = leader(process("a"), work);
        advanceTo(1);
        work.fail(new IllegalStateException("work"));
        advanceTo(1.5);
        assertThat(reasons("a")).containsExactly("WORK_FAILED");
        assertThat(releases("a")).isEqualTo(allSeconds(1));
        assertThat(recorder().times("a", Recorded.Kind.LAPSED)).isEqualTo(allSeconds(1));
        elector.stop();
    }

    // late grants

    /**
     * The first grant of "a" is under way until "b" leads and has denied "a".
     */
    private StoreRule grantUnderWay() {
        StoreRule first = store().on(Kind.ACQUIRE).from("a").once().holdAnswer();
        StoreRule lost = store().on(Kind.ACQUIRE).from("a").loseRequest();
        world.after(seconds(10.5), lost::remove);
        return first;
    }

    @Test
    void grantThatComesAfterADenialIsLateAndNoRegression() {
        StoreRule first = grantUnderWay();
        LeaderElector elector = process("a").stand(ROLE);
        advanceTo(1);
        LeaderElector other = leaderLater();
        first.call().answer();
        advanceTo(16);
        assertThat(recorder().events("a", Recorded.Kind.TOKEN_REGRESSED)).isEmpty();
        assertThat(log.lines("ERROR")).isEmpty();
        assertThat(elector.health().status()).isEqualTo(Status.FOLLOWING);
        assertThat(other.isLeader()).isTrue();
        other.stop();
        advanceTo(19);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void grantThatComesAfterADenialFailsNoAcquisition() {
        StoreRule first = grantUnderWay();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> acquisition = a.tenure().acquireAsync(ROLE);
        advanceTo(0.5);
        a.tenure().watch(ROLE); // the store is heard of
        advanceTo(1);
        LeaderElector other = leaderLater();
        first.call().answer();
        advanceTo(16);
        assertThat(isDone(acquisition)).isFalse();
        other.stop();
        advanceTo(19);
        assertThat(now(acquisition).isHeld()).isTrue();
    }

    private LeaderElector leaderLater() {
        LeaderElector other = process("b").stand(ROLE);
        advanceTo(15);
        assertThat(other.isLeader()).isTrue();
        assertThat(recorder().events("a", Recorded.Kind.ACQUIRE_FINISHED))
                .anyMatch(told -> told.detail().contains("REFUSED"));
        return other;
    }
}
