package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectionOptions.WhenUncoordinated;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.OwnedLease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A store that does not coordinate: never leads, or leads at once and says so.
 */
class UncoordinatedTest extends EngineTest {

    @BeforeEach
    void nothingIsCoordinated() {
        world = VirtualWorld.builder()
                .traits(StoreTraits.builder("nothing", StoreTraits.Scope.NONE)
                        .lease(Duration.ofMillis(1), Duration.ofDays(1))
                        .build())
                .build();
    }

    private VirtualTenure leading(String name) {
        return process(name, options -> options.whenUncoordinated(WhenUncoordinated.LEAD));
    }

    @Test
    void R060_followNeverLeadsAndAsksNothing() {
        LeaderElector first = process("a").stand(ROLE);
        LeaderElector second = process("b").stand(ROLE);
        advanceTo(60);
        assertThat(first.isLeader() || second.isLeader()).isFalse();
        assertThat(first.term()).isZero();
        assertThat(first.isCoordinated()).isFalse();
        assertThat(first.health().status()).isEqualTo(Status.FOLLOWING);
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void R061_leadLeadsAtOnceOnEveryInstance() {
        LeaderElector first = leading("a").stand(ROLE);
        LeaderElector second = leading("b").stand(ROLE);
        world.settle();
        assertThat(first.isLeader() && second.isLeader()).isTrue();
        advanceTo(600);
        assertThat(first.isLeader()).isTrue();
        assertThat(first.term()).isEqualTo(1);
        assertThat(store().calls()).isEmpty();
        assertThat(first.describe().coordinated()).isFalse();
        assertThat(first.describe().lines()).anyMatch(line -> line.contains("whenUncoordinated"));
    }

    @Test
    void thereIsNoToken() {
        VirtualTenure a = leading("a");
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        assertThatThrownBy(lease::fencingToken)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(ROLE);
        assertThat(elector.leader().orElseThrow().fencingToken()).isEmpty();
        assertThat(elector.describe().fencingToken()).isEmpty();
        elector.stop();
        world.settle();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOfSatisfying(
                        LeadershipLostException.class,
                        lost -> assertThat(lost.token()).isEmpty());
    }

    @Test
    void voluntaryEndsDrainAndStandAgain() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = leading("a");
        LeaderElector elector = leader(a, work);
        Lease lease = leaseOf(elector);
        var outcome = elector.resign();
        advanceTo(2);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.remaining()).isPositive();
        work.finish();
        world.settle();
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(isDone(lease.lapsed())).isTrue();
        advanceTo(10);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void failingWorkBacksOff() {
        VirtualTenure a = leading("a");
        int[] runs = {0};
        a.stand(ROLE, lease -> {
            runs[0]++;
            throw new IllegalStateException("work");
        });
        advanceTo(60);
        assertThat(runs[0]).isBetween(4, 8);
    }

    @Test
    void pauseEndsNothingSinceNothingExpires() {
        VirtualTenure a = leading("a");
        LeaderElector elector = leader(a);
        a.pause();
        advanceTo(600);
        assertThat(elector.isLeader()).isTrue();
        a.resume();
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void acquisitionsFollowTheSameOption() {
        VirtualTenure a = process("a");
        VirtualCall<Optional<OwnedLease>> none = a.call(() -> a.tenure().tryAcquire(ROLE));
        assertThat(none.result()).isEmpty();
        VirtualCall<Optional<OwnedLease>> limited = a.call(() -> a.tenure().tryAcquire(ROLE, seconds(5)));
        advanceTo(5);
        assertThat(limited.result()).isEmpty();
        VirtualTenure b = leading("b");
        OwnedLease lease = b.call(() -> b.tenure().acquire(ROLE)).result();
        assertThat(lease.isHeld()).isTrue();
        lease.release();
        world.settle();
        assertThat(lease.isHeld()).isFalse();
    }
}
