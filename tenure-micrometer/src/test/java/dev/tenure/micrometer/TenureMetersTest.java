package dev.tenure.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.LossReason;
import dev.tenure.StoreUnavailableException;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.ElectionMonitor.Outcome;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class TenureMetersTest extends MeasuredElections {

    // registered, and removed

    @Test
    void allMetersOfARoleAreThereAtZeroBeforeTheFirstEvent() {
        store().on(Kind.ACQUIRE).hold();
        measured().stand(ROLE);
        world.settle();
        assertThat(registry.getMeters())
                .isNotEmpty()
                .allSatisfy(meter -> assertThat(measured(meter)).as(id(meter)).isZero());
    }

    @Test
    void registeringARoleBeforehandGivesTheSameMetersAsItsElection() {
        meters.register(ROLE);
        Set<String> before = ids();
        VirtualTenure a = measured();
        LeaderElector elector = leader(a);
        store().on(Kind.RENEW).once().fail(() -> new StoreUnavailableException("down", null));
        advanceTo(10);
        elector.resign();
        advanceTo(20);
        assertThat(ids()).isEqualTo(before);
        for (LossReason reason : LossReason.values()) {
            transitions(TenureMeters.TYPE_LOST, reason.label());
            timer(TenureMeters.TERM_DURATION, TenureMeters.TAG_REASON, reason.label());
        }
    }

    @Test
    void metersAreRemovedWhenTheTenureCloses() {
        VirtualTenure a = measured();
        LeaderElector elector = leader(a);
        channel(elector, 1).offer(1);
        meters.scheduleRun(ROLE, "sweep", Instant.EPOCH, SlotOutcome.RAN, Duration.ofSeconds(1));
        assertThat(registry.getMeters()).isNotEmpty();
        a.close();
        world.settle();
        assertThat(registry.getMeters()).isEmpty();
        meters.fault(ROLE, "late", new IllegalStateException("after the end"));
        assertThat(registry.getMeters()).isEmpty();
    }

    /**
     * In the middle of the first report: the role was not closed yet when it looked, and is nobody's to remove yet.
     */
    @Test
    void aRoleThatIsRegisteredWhileTheTenureClosesKeepsNothing() {
        registry.config().onMeterAdded(added -> meters.closed());
        meters.fault(ROLE, "late", new IllegalStateException("as the end came"));
        assertThat(registry.getMeters()).isEmpty();
        assertThatCode(() -> new TenureMeters(registry).register(ROLE)).doesNotThrowAnyException();
    }

    @Test
    void aRegistryThatHasMetersOfTheRoleIsRefusedOnceAndTheFirstOnesStayRight() {
        leader(measured());
        TenureMeters second = new TenureMeters(registry);
        assertThatThrownBy(() -> second.register(ROLE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("role=billing");
        second.acquireFinished(ROLE, Outcome.FAILED, Duration.ofSeconds(1));
        second.closed();
        assertThatThrownBy(() -> new TenureMeters(registry).register(ROLE))
                .as("the first one has it still")
                .isInstanceOf(IllegalStateException.class);
        assertThat(timer(TenureMeters.ACQUIRE, TenureMeters.TAG_OUTCOME, "failed")
                        .count())
                .isZero();
        assertThat(gauge(TenureMeters.LEADER)).isEqualTo(1);
    }

    @Test
    void aTenureMayFollowAClosedOneInOneRegistry() {
        new TenureMeters(registry).register(ROLE).closed();
        meters.register(ROLE);
        assertThat(gauge(TenureMeters.LEADER)).isZero();
    }

    @Test
    void tagsTellTwoTenuresOfOneRegistryApart() {
        new TenureMeters(registry, Tags.of("store", "one")).register(ROLE);
        new TenureMeters(registry, Tags.of("store", "two")).register(ROLE);
        assertThat(registry.find(TenureMeters.LEADER).gauges()).hasSize(2);
    }

    @Test
    void tagsAreBounded() {
        for (int i = 0; i < 1_100; i++) {
            meters.fault("role-" + i, "somewhere", new IllegalStateException("text " + i));
        }
        for (int i = 0; i < 300; i++) {
            meters.channelOpened("role-1", "channel-" + i);
            meters.itemsDropped("role-1", "channel-1", "reason " + i, 1);
            meters.scheduleRun("role-1", "task-" + i, Instant.EPOCH, SlotOutcome.RAN, Duration.ZERO);
        }
        assertThat(values(TenureMeters.TAG_ROLE)).hasSize(1_001).contains(TenureMeters.OTHER);
        assertThat(values(TenureMeters.TAG_CHANNEL)).hasSize(201).contains(TenureMeters.OTHER);
        assertThat(values(TenureMeters.TAG_TASK)).hasSize(201).contains(TenureMeters.OTHER);
        assertThat(registry.get(TenureMeters.SCHEDULE_RUNS)
                        .tag(TenureMeters.TAG_TASK, "task-1")
                        .counters())
                .hasSize(SlotOutcome.values().length);
        assertThat(registry.get(TenureMeters.CHANNEL_DROPPED)
                        .tag(TenureMeters.TAG_CHANNEL, "channel-1")
                        .counters())
                .hasSize(4);
        assertThat(registry.getMeters().toString()).doesNotContain("text 1").doesNotContain("somewhere");
    }

    // leading

    @Test
    void R076_B45_B20_leaderFollowsTheTerm() {
        VirtualTenure a = measured();
        LeaderElector elector = leader(a);
        assertThat(gauge(TenureMeters.LEADER)).isEqualTo(1);
        assertThat(transitions(TenureMeters.TYPE_ELECTED, TenureMeters.NO_REASON))
                .isEqualTo(1);
        assertThat(timer(TenureMeters.ACQUIRE, TenureMeters.TAG_OUTCOME, "granted")
                        .count())
                .isEqualTo(1);
        advanceTo(4);
        elector.stop();
        world.settle();
        assertThat(gauge(TenureMeters.LEADER)).isZero();
        assertThat(onlyLosses("stopped")).isEqualTo(1);
        assertThat(total(timer(TenureMeters.TERM_DURATION, TenureMeters.TAG_REASON, "stopped")))
                .isEqualTo(Duration.ofSeconds(4));
        assertThat(timer(TenureMeters.RELEASE, TenureMeters.TAG_OUTCOME, "released")
                        .count())
                .isEqualTo(1);
    }

    @Test
    void aFrozenProcessShowsNoLeaderFromItsDeadlineOn() {
        VirtualTenure a = measured();
        leader(a);
        a.pause(); // neither loop nor callbacks run: nobody tells anything
        world.advance(Duration.ofSeconds(9).minusNanos(1));
        assertThat(gauge(TenureMeters.LEADER)).isEqualTo(1);
        world.advance(Duration.ofNanos(1));
        assertThat(gauge(TenureMeters.LEADER)).isZero();
        a.resume();
    }

    @Test
    void R112_termsOfTwoInstancesDoNotOverlapAfterAFreeze() {
        VirtualTenure a = measured();
        leader(a);
        LeaderElector second = other().stand(ROLE);
        advanceTo(4);
        a.pause();
        advanceTo(24);
        assertThat(second.isLeader()).isTrue();
        a.resume();
        assertThat(onlyLosses(LossReason.DEADLINE_EXCEEDED.label())).isEqualTo(1);
        assertThat(total(timer(TenureMeters.TERM_DURATION, TenureMeters.TAG_REASON, "deadline_exceeded")))
                .isEqualTo(Duration.ofSeconds(12)); // renewed at 3 s
    }

    @Test
    void aProcessWithoutAFreeThreadShowsNoLeaderFromTheLossOn() {
        VirtualTenure a = measured();
        leader(a);
        a.holdCallbacks();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(gauge(TenureMeters.LEADER)).isZero();
        assertThat(transitions(TenureMeters.TYPE_LOST, "taken_over")).isZero(); // not told yet
        a.releaseCallbacks();
        assertThat(transitions(TenureMeters.TYPE_LOST, "taken_over")).isEqualTo(1);
    }

    @Test
    void endedLeasesAreNotKept() {
        VirtualTenure a = measured();
        LeaderElector elector = leader(a);
        for (int i = 1; i <= 20; i++) {
            elector.resign();
            advanceTo(2 * i);
        }
        assertThat(elector.term()).isGreaterThan(10);
        assertThat(meters.leases()).isEqualTo(1);
        elector.stop();
        world.settle();
        assertThat(meters.leases()).isZero();
    }

    @Test
    void B80_tokenIsAGaugeThatCanFall() {
        world.checker().allow(Invariant.TOKENS_RISE, Invariant.HELD_IS_GRANTED);
        meters.register(ROLE);
        assertThat(gauge(TenureMeters.FENCING_TOKEN)).isZero();
        LeaderElector elector = leader(measured(options -> options.acceptTokenRegression(true)));
        double first = elector.lease().orElseThrow().fencingToken().value();
        assertThat(gauge(TenureMeters.FENCING_TOKEN)).isEqualTo(first).isGreaterThan(1e15);
        elector.resign();
        world.settle();
        assertThat(gauge(TenureMeters.FENCING_TOKEN)).isEqualTo(first);
        store().on(Kind.ACQUIRE).once().answer(AcquireResult.granted(5));
        advanceTo(2);
        assertThat(gauge(TenureMeters.FENCING_TOKEN)).isEqualTo(5);
    }

    @Test
    void aRegressedTokenThatIsNotAcceptedIsCounted() {
        LeaderElector elector = leader(measured());
        elector.resign();
        store().on(Kind.ACQUIRE).once().answer(AcquireResult.granted(5));
        advanceTo(2);
        assertThat(faults("token_regressed")).isEqualTo(1);
        assertThat(gauge(TenureMeters.LEADER)).isZero();
    }

    // why terms end

    @Test
    void R112_R113_R114_theStoresDecisionIsTold() {
        leader(measured());
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(onlyLosses(LossReason.TAKEN_OVER.label())).isEqualTo(1);
        assertThat(timer(TenureMeters.RENEW, TenureMeters.TAG_OUTCOME, "refused")
                        .count())
                .isEqualTo(1);
        assertThat(LossReason.TAKEN_OVER.label()).isEqualTo("taken_over");
    }

    @Test
    void R113_R114_anEndedSessionIsTold() {
        leader(measured());
        store().on(Kind.RENEW).once().answer(RenewResult.SESSION_GONE);
        advanceTo(3);
        assertThat(onlyLosses(LossReason.SESSION_EXPIRED.label())).isEqualTo(1);
        assertThat(LossReason.SESSION_EXPIRED.label()).isEqualTo("session_expired");
    }

    @Test
    void R113_R114_theNodesDeadlineIsToldAndNoDecisionOfTheStore() {
        leader(measured());
        store().down();
        advanceTo(9);
        assertThat(onlyLosses(LossReason.DEADLINE_EXCEEDED.label())).isEqualTo(1);
        assertThat(LossReason.DEADLINE_EXCEEDED.label()).isEqualTo("deadline_exceeded");
        assertThat(timer(TenureMeters.RENEW, TenureMeters.TAG_OUTCOME, "failed").count())
                .isPositive();
        assertThat(timer(TenureMeters.RENEW, TenureMeters.TAG_OUTCOME, "refused")
                        .count())
                .isZero();
        assertThat(faults("store_failing")).isEqualTo(1);
        world.advance(Duration.ofSeconds(5));
        assertThat(timer(TenureMeters.ACQUIRE, TenureMeters.TAG_OUTCOME, "failed")
                        .count())
                .isPositive();
        assertThat(timer(TenureMeters.ACQUIRE, TenureMeters.TAG_OUTCOME, "denied")
                        .count())
                .isZero();
    }

    @Test
    void B80_anOrdinaryReleaseIsNoFault() {
        LeaderElector elector = leader(measured());
        elector.resign();
        world.settle();
        assertThat(onlyLosses("resigned")).isEqualTo(1);
        for (FaultKind kind : FaultKind.values()) {
            assertThat(faults(kind.label())).as(kind.label()).isZero();
        }
    }

    @Test
    void whatWorkThrowsIsAFault() {
        VirtualTenure a = measured();
        a.stand(ROLE, lease -> {
            throw new IllegalStateException("no such table");
        });
        world.settle();
        assertThat(onlyLosses("work_failed")).isEqualTo(1);
        assertThat(faults("survived")).isEqualTo(1);
    }

    @Test
    void aJumpOfTheWallClockIsCounted() {
        VirtualTenure a = measured();
        leader(a);
        a.time().stepWall(Duration.ofHours(1));
        world.advance(Duration.ofSeconds(5));
        assertThat(faults("wall_clock_jumped")).isEqualTo(1);
        assertThat(gauge(TenureMeters.LEADER)).isEqualTo(1);
    }

    // renewing and taking over

    @Test
    void slackIsWhatWasLeftWhenARenewalWasConfirmed() {
        leader(measured());
        store().on(Kind.RENEW).once().delay(Duration.ofMillis(500), Duration.ofMillis(500));
        advanceTo(5);
        assertThat(timer(TenureMeters.LEASE_SLACK).count()).isEqualTo(1);
        assertThat(total(timer(TenureMeters.LEASE_SLACK))).isEqualTo(Duration.ofSeconds(5)); // 9 s − 4 s
        assertThat(total(timer(TenureMeters.RENEW, TenureMeters.TAG_OUTCOME, "renewed")))
                .isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void takeoverCountsFromTheWakeUp() {
        LeaderElector first = leader(other());
        VirtualTenure a = measured();
        LeaderElector second = a.stand(ROLE);
        advanceTo(4);
        first.stop();
        advanceTo(5);
        assertThat(second.isLeader()).isTrue();
        assertThat(timer(TenureMeters.TAKEOVER).count()).isEqualTo(1);
        assertThat(total(timer(TenureMeters.TAKEOVER))).isLessThan(Duration.ofMillis(100)); // virtual time
        assertThat(timer(TenureMeters.ACQUIRE, TenureMeters.TAG_OUTCOME, "denied")
                        .count())
                .isPositive();
    }

    @Test
    void takeoverFromACrashedLeaderCountsFromTheLastLookAtItsRecord() {
        VirtualTenure b = other();
        leader(b);
        VirtualTenure a = measured();
        LeaderElector second = a.stand(ROLE);
        world.settle(); // denied at 0, asks again when the record ends
        b.crash();
        advanceTo(30);
        assertThat(second.isLeader()).isTrue();
        assertThat(timer(TenureMeters.TAKEOVER).count()).isEqualTo(1);
        assertThat(total(timer(TenureMeters.TAKEOVER))).isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
    }

    @Test
    void takeoverWithoutWakeUpsIsAtMostOneIntervalOfAsking() {
        world.close();
        world = VirtualWorld.builder()
                .traits(StoreTraits.builder("polled", StoreTraits.Scope.CLUSTER)
                        .lease(Duration.ofMillis(1), Duration.ofDays(1))
                        .build())
                .build();
        LeaderElector first = leader(other());
        LeaderElector second = measured().stand(ROLE);
        advanceTo(4.5);
        first.stop();
        advanceTo(7);
        assertThat(second.isLeader()).isTrue();
        assertThat(total(timer(TenureMeters.TAKEOVER))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void ownTermsFollowingEachOtherAreNoTakeover() {
        LeaderElector elector = leader(measured());
        elector.resign();
        advanceTo(5);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(timer(TenureMeters.TAKEOVER).count()).isZero();
    }

    // channels and schedules

    private LeaderChannel<Integer> channel(LeaderElector elector, int capacity) {
        return LeaderChannel.<Integer>builder("changes", elector)
                .capacity(capacity)
                .drainOnLoss(true)
                .build();
    }

    private double dropped(String reason) {
        return registry.get(TenureMeters.CHANNEL_DROPPED)
                .tags(TenureMeters.TAG_ROLE, ROLE, TenureMeters.TAG_CHANNEL, "changes", TenureMeters.TAG_REASON, reason)
                .counter()
                .count();
    }

    @Test
    void R067_B45_dropsAreCountedByReasonAndStartAtZero() {
        VirtualTenure a = measured();
        LeaderElector elector = a.tenure().elector(ROLE);
        LeaderChannel<Integer> channel = channel(elector, 1);
        world.settle();
        assertThat(List.of(dropped("follower"), dropped("full"), dropped("loss")))
                .containsOnly(0.0);
        channel.offer(1);
        channel.offer(2);
        elector.start();
        world.settle();
        channel.offer(3);
        channel.offer(4);
        channel.offer(5);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        channel.close();
        world.settle();
        assertThat(List.of(dropped("follower"), dropped("full"), dropped("loss")))
                .containsExactly(2.0, 2.0, 1.0);
    }

    private double runs(String outcome) {
        return registry.get(TenureMeters.SCHEDULE_RUNS)
                .tags(TenureMeters.TAG_ROLE, ROLE, TenureMeters.TAG_TASK, "sweep", TenureMeters.TAG_OUTCOME, outcome)
                .counter()
                .count();
    }

    @Test
    void aTaskHasItsMetersBeforeItsFirstRun() {
        meters.scheduleAdded(ROLE, "sweep");
        assertThat(List.of(runs("ran"), runs("failed"), runs("follower"))).containsExactly(0.0, 0.0, 0.0);
        assertThat(total(timer(TenureMeters.SCHEDULE_DURATION, TenureMeters.TAG_TASK, "sweep")))
                .isEqualTo(Duration.ZERO);
    }

    @Test
    void runsOfTasksAreCountedByOutcomeAndTimed() {
        meters.scheduleRun(ROLE, "sweep", Instant.EPOCH, SlotOutcome.RAN, Duration.ofSeconds(2));
        assertThat(List.of(runs("ran"), runs("failed"), runs("follower"))).containsExactly(1.0, 0.0, 0.0);
        meters.scheduleSkipped(ROLE, "sweep", Instant.EPOCH, SlotOutcome.MISSED, 3);
        meters.scheduleSkipped(ROLE, "sweep", Instant.EPOCH, SlotOutcome.LEASE_TOO_SHORT, 1);
        assertThat(List.of(runs("ran"), runs("missed"), runs("lease_too_short")))
                .containsExactly(1.0, 3.0, 1.0);
        assertThat(total(timer(TenureMeters.SCHEDULE_DURATION, TenureMeters.TAG_TASK, "sweep")))
                .isEqualTo(Duration.ofSeconds(2));
    }

    // helpers

    private static double measured(Meter meter) {
        double sum = 0;
        for (var measurement : meter.measure()) {
            assertThat(measurement.getStatistic()).isNotEqualTo(Statistic.UNKNOWN);
            sum += Math.abs(measurement.getValue());
        }
        return sum;
    }

    private Set<String> ids() {
        Set<String> all = new TreeSet<>();
        registry.getMeters().forEach(meter -> all.add(id(meter)));
        return all;
    }

    private Set<String> values(String tag) {
        Set<String> all = new TreeSet<>();
        for (Meter meter : registry.getMeters()) {
            String value = meter.getId().getTag(tag);
            if (value != null) {
                all.add(value);
            }
        }
        return all;
    }
}
