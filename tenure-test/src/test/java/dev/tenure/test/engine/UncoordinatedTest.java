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
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.List;
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
    void R062_uncoordinatedIsToldOncePerRole() {
        VirtualTenure a = process("a");
        LeaderElector one = a.stand("one");
        LeaderElector two = a.tenure()
                .with(options -> options.whenUncoordinated(WhenUncoordinated.LEAD))
                .elector("two")
                .start();
        advanceTo(60);
        two.resign();
        advanceTo(100);
        one.stop();
        world.settle();
        one.start();
        a.call(() -> a.tenure().tryAcquire("three"));
        a.call(() -> a.tenure().tryAcquire("three"));
        advanceTo(200);
        assertThat(two.term()).isEqualTo(2);
        assertThat(log.lines("WARN", "does not coordinate: one is never led here (whenUncoordinated)"))
                .hasSize(1);
        assertThat(log.lines("WARN", "does not coordinate: two is led by every instance at once (whenUncoordinated)"))
                .hasSize(1);
        assertThat(log.lines("WARN", "does not coordinate")).hasSize(3);
        assertThat(log.told(CoreEvent.UNCOORDINATED_FOLLOWS)).hasSize(2);
        assertThat(log.told(CoreEvent.UNCOORDINATED_LEADS)).hasSize(1);
        for (LeaderElector elector : List.of(one, two)) {
            assertThat(elector.isCoordinated()).isFalse();
            assertThat(elector.describe().coordinated()).isFalse();
            assertThat(elector.describe().lines())
                    .anyMatch(line -> line.startsWith("leading says nothing about other instances"));
            assertThat(elector.health().detail()).contains("does not coordinate");
        }
        assertThat(a.tenure().describe().lines()).anyMatch(line -> line.contains("does not coordinate"));
    }

    @Test
    void R062_onAStoreThatCoordinatesNothingIsTold() {
        world = VirtualWorld.create();
        LeaderElector elector = leader(process("a"));
        assertThat(elector.isCoordinated()).isTrue();
        assertThat(log.text()).doesNotContain("coordinate");
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

    @Test
    void aDescriptionPromisesNoTakeover() {
        List<String> follow = process("a").tenure().elector(ROLE).describe().lines();
        assertThat(follow)
                .contains("after a crash nobody leads either (whenUncoordinated FOLLOW)")
                .noneMatch(line -> line.contains("leads within"));
        List<String> lead = leading("b").tenure().elector(ROLE).describe().lines();
        assertThat(lead)
                .contains("after a crash the others lead on: nothing is taken over (whenUncoordinated LEAD)")
                .noneMatch(line -> line.contains("leads within"));
    }
}
