package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.log.CoreEvent;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.VirtualTenure;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Rule 12: a health check of the leader's work.
 */
class Rule12HealthCheckTest extends EngineTest {

    @Test
    void healthyWorkLeadsOnAndIsAskedBeforeEveryRenewal() {
        AtomicInteger asked = new AtomicInteger();
        VirtualTenure a = process("a", options -> options.healthCheck(() -> asked.incrementAndGet() > 0, seconds(5)));
        LeaderElector elector = leader(a);
        advanceTo(31);
        assertThat(asked).hasValue(10);
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void K055_workThatSaysNoForItsGraceLosesTheTerm() {
        AtomicBoolean healthy = new AtomicBoolean(true);
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process(
                "a", options -> options.healthCheck(healthy::get, seconds(5)).retryInterval(seconds(1)));
        Lease lease = leaseOf(leader(a, work));
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(4);
        healthy.set(false);
        advanceTo(10.99);
        assertThat(lease.isHeld()).isTrue();
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6, 9));
        advanceTo(11);
        assertThat(lease.lossReason()).contains(LossReason.WORK_FAILED);
        assertThat(work.interrupts()).isEqualTo(1);
        advanceTo(11.1);
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void K055_checkThatHangsLosesTheTermAsWell() {
        VirtualTenure a = process(
                "a",
                options -> options.healthCheck(
                        () -> {
                            take(seconds(3_000));
                            return true;
                        },
                        seconds(5)));
        Lease lease = leaseOf(leader(a));
        advanceTo(7.99);
        assertThat(lease.isHeld()).isTrue();
        advanceTo(8);
        assertThat(lease.lossReason()).contains(LossReason.WORK_FAILED);
    }

    @Test
    void checkThatThrowsSaysNo() {
        VirtualTenure a = process(
                "a",
                options -> options.healthCheck(
                        () -> {
                            throw new IllegalStateException("check");
                        },
                        seconds(5)));
        Lease lease = leaseOf(leader(a));
        advanceTo(8);
        assertThat(lease.lossReason()).contains(LossReason.WORK_FAILED);
        assertThat(log.text()).contains("health check of the leader");
        assertThat(log.told(CoreEvent.HEALTH_CHECK_FAILED)).isNotEmpty();
    }

    /**
     * Asked every 3 s.
     */
    @Test
    void K055_aCheckThatGoesOnThrowingIsLoggedOnceAMinuteAtMost() {
        AtomicBoolean broken = new AtomicBoolean(true);
        VirtualTenure a = process(
                "a",
                options -> options.healthCheck(
                        () -> {
                            if (broken.get()) {
                                throw new IllegalStateException("no such table");
                            }
                            return true;
                        },
                        seconds(600)));
        LeaderElector elector = leader(a);
        advanceTo(62);
        assertThat(recorder().events("a", Recorded.Kind.FAULT)).hasSize(20);
        assertThat(log.told(CoreEvent.HEALTH_CHECK_FAILED))
                .containsExactly(Map.of("role", ROLE, "where", "health check of the leader"));
        advanceTo(64);
        assertThat(log.told(CoreEvent.HEALTH_CHECK_FAILED))
                .hasSize(2)
                .last()
                .isEqualTo(Map.of("role", ROLE, "where", "health check of the leader, failure 21 in a row"));
        broken.set(false);
        advanceTo(67);
        broken.set(true);
        advanceTo(75);
        assertThat(log.told(CoreEvent.HEALTH_CHECK_FAILED))
                .as("a yes ended the row")
                .hasSize(3)
                .last()
                .isEqualTo(Map.of("role", ROLE, "where", "health check of the leader"));
        assertThat(log.text().split("no such table", -1)).hasSize(1 + 3);
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void K055_theEndByGraceIsALineWithoutATrace() {
        VirtualTenure a = process("a", options -> options.healthCheck(() -> false, seconds(5)));
        leader(a);
        advanceTo(8);
        assertThat(reasons("a")).containsExactly("WORK_FAILED");
        assertThat(log.told(CoreEvent.HEALTH_CHECK_FAILED))
                .containsExactly(
                        Map.of("role", ROLE, "where", "health check of the leader, not healthy for its grace"));
        assertThat(log.text()).doesNotContain("Exception");
        assertThat(recorder().events("a", Recorded.Kind.FAULT)).hasSize(1);
    }

    @Test
    void oneNoWithinTheGraceIsForgiven() {
        AtomicInteger asked = new AtomicInteger();
        VirtualTenure a =
                process("a", options -> options.healthCheck(() -> asked.incrementAndGet() % 2 == 0, seconds(5)));
        LeaderElector elector = leader(a);
        advanceTo(60);
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void graceBelowTheRenewalIntervalIsKept() {
        VirtualTenure a = process("a", options -> options.healthCheck(() -> false, seconds(1)));
        Lease lease = leaseOf(leader(a));
        advanceTo(4);
        assertThat(lease.lossReason()).contains(LossReason.WORK_FAILED);
        assertThat(lostAt("a")).isEqualTo(allSeconds(4));
    }

    @Test
    void hungCheckIsNotAskedAgainMeanwhile() {
        AtomicInteger asked = new AtomicInteger();
        VirtualTenure a = process(
                "a",
                options -> options.healthCheck(
                        () -> {
                            asked.incrementAndGet();
                            take(seconds(10));
                            return true;
                        },
                        seconds(20)));
        LeaderElector elector = leader(a);
        advanceTo(14);
        assertThat(asked).hasValue(1);
        assertThat(renewals("a")).hasSize(4);
        advanceTo(60);
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void lateAnswerOfAnOlderTermSaysNothingAboutTheNext() {
        AtomicInteger asked = new AtomicInteger();
        VirtualTenure a = process(
                "a",
                options -> options.healthCheck(
                        () -> {
                            if (asked.incrementAndGet() == 1) {
                                take(seconds(9));
                                return false;
                            }
                            return true;
                        },
                        seconds(5)));
        LeaderElector elector = leader(a);
        advanceTo(30);
        assertThat(reasons("a")).containsExactly("WORK_FAILED");
        assertThat(elector.term()).isEqualTo(2);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void K055_withoutACheckAHungLeaderLeadsOn() {
        ScriptedWork hung = new ScriptedWork().ignoreInterrupts();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, hung);
        advanceTo(600);
        assertThat(elector.isLeader()).isTrue();
        world.settle();
    }
}
