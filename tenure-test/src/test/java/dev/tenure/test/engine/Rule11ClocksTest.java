package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.log.CoreEvent;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Rule 11: suspend, and a wall clock that jumps.
 */
class Rule11ClocksTest extends EngineTest {

    @Test
    void suspendOverTheMarginEndsTheTermSoonAfterWaking() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(1);
        a.suspend();
        advanceTo(31);
        assertThat(other.isLeader()).isTrue();
        world.checker().allow(Invariant.HELD_IS_GRANTED, Invariant.ONE_LEADER);
        a.resume();
        world.advance(Duration.ofMillis(500));
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains(LossReason.DEADLINE_EXCEEDED);
    }

    @Test
    void suspendBelowTheMarginEndsNothing() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        advanceTo(1);
        a.suspend();
        advanceTo(1.9);
        a.resume();
        advanceTo(20);
        assertThat(lease.isHeld()).isTrue();
        assertThat(log.lines("WARN", "suspended for")).hasSize(1);
        assertThat(log.told(CoreEvent.MACHINE_SUSPENDED)).hasSize(1);
    }

    @Test
    void suspendIsJudgedByEachElectionsOwnMargin() {
        VirtualTenure a = process("a");
        LeaderElector narrow = leader(a);
        LeaderElector wide = a.tenure()
                .with(options -> options.safetyMargin(seconds(4)).renewInterval(seconds(2)))
                .elector("wide")
                .start();
        advanceTo(1);
        a.suspend();
        advanceTo(3);
        a.resume();
        world.advance(seconds(0.5));
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
        assertThat(wide.term()).isEqualTo(1);
        assertThat(wide.isLeader()).isTrue();
        assertThat(narrow.isLeader()).isFalse();
    }

    @Test
    void withoutAClockThatCountsSuspendTheRefusedRenewalTells() {
        VirtualTenure a = process("a");
        a.time().withoutUptime();
        leader(a);
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(1);
        a.suspend();
        advanceTo(31);
        assertThat(other.isLeader()).isTrue();
        world.checker().allow(Invariant.HELD_IS_GRANTED, Invariant.ONE_LEADER);
        a.resume();
        world.advance(seconds(2.1));
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
    }

    @Test
    void suspendDuringADrainCutsIt() {
        var work = new dev.tenure.test.virtual.ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        elector.stop();
        advanceTo(1);
        a.suspend();
        advanceTo(4);
        a.resume();
        world.advance(seconds(0.5));
        assertThat(work.interrupts()).isEqualTo(1);
    }

    @Test
    void K039_R095_B66_wallClockJumpsEndNothing() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(1);
        a.time().stepWall(Duration.ofHours(-1));
        advanceTo(4);
        a.time().stepWall(Duration.ofHours(2));
        advanceTo(30);
        assertThat(elector.term()).isEqualTo(1);
        assertThat(lostAt("a")).isEmpty();
        assertThat(recorder().events("a", Recorded.Kind.WALL_CLOCK_JUMPED)).hasSize(2);
        assertThat(log.lines("WARN", "wall clock jumped")).hasSize(2);
        assertThat(log.told(CoreEvent.WALL_CLOCK_JUMPED)).hasSize(2);
    }

    @Test
    void K039_wallClockJumpRenewsNowAndMovesNoDeadline() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        advanceTo(1);
        a.time().stepWall(Duration.ofHours(1));
        advanceTo(1.5);
        assertThat(renewals("a")).isEqualTo(allSeconds(1.5));
        store().on(Kind.RENEW).hold();
        a.time().stepWall(Duration.ofHours(-3));
        advanceTo(10.49);
        assertThat(lease.isHeld()).isTrue();
        advanceTo(10.5);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lostAt("a")).isEqualTo(allSeconds(10.5));
    }

    @Test
    void smallStepsOfTheWallClockAreNoEvent() {
        VirtualTenure a = process("a");
        leader(a);
        for (int i = 0; i < 20; i++) {
            world.advance(seconds(1));
            a.time().stepWall(Duration.ofMillis(300));
        }
        assertThat(recorder().events("a", Recorded.Kind.WALL_CLOCK_JUMPED)).isEmpty();
    }

    @Test
    void pauseThatTheMonotonicClockCountsIsNoSuspend() {
        VirtualTenure a = process("a");
        leader(a);
        a.pause();
        advanceTo(3);
        a.resume();
        advanceTo(20);
        assertThat(log.lines("WARN", "suspended for")).isEmpty();
        assertThat(lostAt("a")).isEmpty();
    }

    @Test
    void jumpsWhileNobodyStandsAreNothing() {
        VirtualTenure a = process("a");
        advanceTo(5);
        a.time().stepWall(Duration.ofHours(5));
        a.suspend();
        advanceTo(60);
        a.resume();
        advanceTo(62);
        LeaderElector elector = leader(a);
        advanceTo(70);
        assertThat(elector.term()).isEqualTo(1);
        assertThat(log.lines("WARN")).isEmpty();
    }

    @Test
    void storeClockThatStepsForwardMakesTheRefusalDecide() {
        VirtualTenure a = process("a");
        leader(a);
        VirtualTenure b = process("b");
        b.stand(ROLE);
        advanceTo(1);
        world.checker().allow(Invariant.HELD_IS_GRANTED, Invariant.ONE_LEADER);
        store().time().stepMonotonic(Duration.ofMinutes(1));
        advanceTo(3);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
    }
}
