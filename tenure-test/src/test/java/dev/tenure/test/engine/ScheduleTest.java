package dev.tenure.test.engine;

import static dev.tenure.schedule.SlotOutcome.FAILED;
import static dev.tenure.schedule.SlotOutcome.FOLLOWER;
import static dev.tenure.schedule.SlotOutcome.INTERRUPTED;
import static dev.tenure.schedule.SlotOutcome.LEASE_TOO_SHORT;
import static dev.tenure.schedule.SlotOutcome.RAN;
import static dev.tenure.schedule.SlotOutcome.STILL_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectorHealth;
import dev.tenure.FencedOutException;
import dev.tenure.InvalidOptionsException;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.AfterHandOver;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.schedule.TaskOptions;
import dev.tenure.schedule.TaskStatus.Passed;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Schedules on real elections.
 */
class ScheduleTest extends ScheduleTestBase {

    /**
     * Due once, so many seconds after midnight, and then after ten years.
     */
    private static Schedule once(double afterMidnight) {
        return Schedule.calendar(
                ZoneOffset.UTC,
                after -> after.toInstant().isBefore(slot(afterMidnight))
                        ? slot(afterMidnight).atZone(ZoneOffset.UTC)
                        : after.plusYears(10));
    }

    @Test
    void R078_theLeaderRunsAndAFollowerRecordsASkip() {
        List<String> told = new ArrayList<>();
        ElectionMonitor monitor = new ElectionMonitor() {
            @Override
            public void scheduleAdded(String role, String task) {
                told.add(role + " " + task);
            }

            @Override
            public void scheduleRun(String role, String task, Instant slot, SlotOutcome outcome, Duration took) {
                told.add(role + " " + task + " " + slot + " " + outcome + " " + took);
            }

            @Override
            public void scheduleSkipped(String role, String task, Instant slot, SlotOutcome outcome, long count) {
                told.add(role + " " + task + " " + slot + " " + outcome + " " + count);
            }
        };
        VirtualTenure a = processWith("a", setup -> setup.monitor(monitor));
        VirtualTenure b = processWith("b", setup -> setup.monitor(monitor));
        LeaderScheduler ofA = LeaderScheduler.on(leader(a));
        LeaderScheduler ofB = LeaderScheduler.on(b.stand(ROLE));
        Noted onA = new Noted(2);
        Noted onB = new Noted(2);
        ofA.schedule("job", EVERY_MINUTE, onA);
        ofB.schedule("job", EVERY_MINUTE, onB);
        advanceTo(59);
        int asked = store().calls().size();
        assertThat(task(ofA, "job").next()).contains(slot(60));
        advanceTo(130);
        assertThat(onA.began).isEqualTo(allSeconds(60, 120));
        assertThat(onA.slots).containsExactly(slot(60), slot(120));
        assertThat(onB.began).isEmpty();
        assertCounts(ofA, "job", RAN, 2);
        assertCounts(ofB, "job", FOLLOWER, 2);
        assertThat(task(ofA, "job").lastRun()).contains(new Passed(slot(120), RAN, seconds(2)));
        assertThat(task(ofB, "job").lastRun()).isEmpty();
        assertThat(task(ofB, "job").last()).contains(new Passed(slot(120), FOLLOWER, Duration.ZERO));
        assertThat(told)
                .containsExactlyInAnyOrder(
                        "billing job",
                        "billing job",
                        "billing job 2026-01-01T00:01:00Z RAN PT2S",
                        "billing job 2026-01-01T00:01:00Z FOLLOWER 1",
                        "billing job 2026-01-01T00:02:00Z RAN PT2S",
                        "billing job 2026-01-01T00:02:00Z FOLLOWER 1");
        assertThat(store().calls().size() - asked)
                .as("renewals and denied candidates only")
                .isEqualTo(renewals("a").stream()
                                .filter(at -> at.compareTo(seconds(59)) > 0)
                                .count()
                        + acquisitions("b").stream()
                                .filter(at -> at.compareTo(seconds(59)) > 0)
                                .count());
        assertThat(log.lines("WARN")).isEmpty();
    }

    @Test
    void R078_aRunInProgressIsInterruptedOnLoss() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(20);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(61);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(63);
        assertThat(work.ended).isEqualTo(allSeconds(63));
        assertThat(work.interrupts).isEqualTo(1);
        assertCounts(scheduler, "job", INTERRUPTED, 1);
        assertThat(log.lines("WARN", "fault")).as("it ended as asked").isEmpty();
    }

    @Test
    void B63_aRunHasTheTokenOfTheTermAndItsEndReleasesNothing() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(130);
        assertThat(work.tokens).containsExactly(lease.fencingToken(), lease.fencingToken());
        assertThat(lease.isHeld()).isTrue();
        assertThat(releases("a")).isEmpty();
        assertThat(acquisitions("a")).hasSize(1);
    }

    @Test
    void B63_nothingBeginsPastTheDeadlineThoughNobodyWasToldOfTheLoss() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        world.after(seconds(49), () -> store().cut("a")); // the deadline is that of the renewal at 48 s: 57 s
        advanceTo(65);
        assertThat(lostAt("a")).isEqualTo(allSeconds(57));
        assertThat(work.began).isEmpty();
        assertCounts(scheduler, "job", FOLLOWER, 1);
    }

    @ParameterizedTest
    @EnumSource
    void K160_aHandOverDoesNotRunASlotTwiceUnlessThatWasChosen(AfterHandOver choice) {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        LeaderElector second = process("b").stand(ROLE);
        LeaderScheduler ofA = LeaderScheduler.on(first);
        LeaderScheduler ofB = LeaderScheduler.on(second);
        Noted onA = new Noted(20);
        Noted onB = new Noted(20);
        ofA.schedule("job", EVERY_MINUTE, options -> options.afterHandOver(choice), onA);
        ofB.schedule("job", EVERY_MINUTE, options -> options.afterHandOver(choice), onB);
        advanceTo(1);
        int before = onA.began.size(); // at least once: the slot of midnight, with which a's term began
        advanceTo(64);
        store().on(Kind.RENEW).from("a").once().answer(RenewResult.NOT_HOLDER);
        world.after(seconds(1), () -> store().wake(KEY));
        world.after(seconds(2), first::stop);
        world.after(seconds(8), () -> store().direct().forceRelease(KEY));
        advanceTo(170);
        assertThat(onA.began.subList(before, onA.began.size())).isEqualTo(allSeconds(60));
        assertThat(onA.ended.get(before)).isEqualTo(seconds(65));
        assertThat(onA.interrupts).isEqualTo(1);
        if (choice == AfterHandOver.AT_MOST_ONCE) {
            assertThat(onB.began).isEqualTo(allSeconds(120));
            assertThat(onB.slots).containsExactly(slot(120));
            assertCounts(ofB, "job", FOLLOWER, 1, RAN, 1);
        } else {
            assertThat(onB.began)
                    .extracting(Duration::toMillis)
                    .containsExactly(72_000L, 120_000L); // a wake-up has a small spread
            assertThat(onB.slots).containsExactly(slot(60), slot(120));
            assertCounts(ofB, "job", FOLLOWER, 1, RAN, 2);
        }
        assertThat(onB.tokens)
                .allMatch(token -> token.value() > onA.tokens.get(before).value());
    }

    @Test
    void K164_closingRenewsUntilTheRunHasEndedAndNobodyElseBegins() {
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(30)));
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        LeaderElector other = process("b").stand(ROLE);
        LeaderScheduler ofA = LeaderScheduler.on(elector);
        LeaderScheduler ofB = LeaderScheduler.on(other);
        Noted onA = new Noted(20);
        Noted onB = new Noted(1);
        ofA.schedule("job", EVERY_MINUTE, onA);
        ofA.schedule("often", Schedule.fixedRate(seconds(1)), new Noted(0));
        ofB.schedule("job", EVERY_MINUTE, options -> options.afterHandOver(AfterHandOver.AT_LEAST_ONCE), onB);
        advanceTo(65);
        long oftenBefore = count(ofA, "often", RAN);
        var closing = closing(a);
        assertThat(lease.isHeld()).isFalse();
        advanceTo(79.9);
        assertThat(closing.isDone()).isFalse();
        assertThat(lease.remaining()).isPositive();
        assertThat(renewals("a")).contains(seconds(66), seconds(69), seconds(72), seconds(75), seconds(78));
        assertThat(onB.began).isEmpty();
        world.advanceUntil(closing::isDone, seconds(30));
        advanceTo(115);
        assertThat(onA.ended).isEqualTo(allSeconds(80));
        assertThat(onA.interrupts).isZero();
        assertThat(releases("a")).isEqualTo(allSeconds(80));
        assertThat(onB.began).hasSize(1).allMatch(at -> at.compareTo(seconds(80)) >= 0);
        assertCounts(ofA, "job", RAN, 1);
        assertThat(count(ofA, "often", RAN)).as("no new fires").isEqualTo(oftenBefore);
    }

    @Test
    void aRunStartsOnlyWithAsMuchOfTheLeaseAsItNeeds() {
        LeaderScheduler scheduler = LeaderScheduler.on(leader(process("a")));
        Noted patient = new Noted(1);
        Noted demanding = new Noted(1);
        // renewed at 60 s: 7 s are left at 62 s
        scheduler.schedule("patient", once(62), options -> options.needs(seconds(7)), patient);
        scheduler.schedule("demanding", once(62), options -> options.needs(seconds(7.001)), demanding);
        advanceTo(70);
        assertThat(patient.began).isEqualTo(allSeconds(62));
        assertThat(demanding.began).isEmpty();
        assertCounts(scheduler, "demanding", LEASE_TOO_SHORT, 1);
    }

    @Test
    void whatNoLeaseCanGiveIsRefusedAtOnce() {
        LeaderScheduler scheduler = LeaderScheduler.on(leader(process("a")));
        assertThatThrownBy(() ->
                        scheduler.schedule("job", EVERY_MINUTE, options -> options.needs(seconds(9.001)), lease -> {}))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("needs must be at most lease - safetyMargin = 9s: needs=9.001s");
        assertThatThrownBy(
                        () -> scheduler.schedule(" ", EVERY_MINUTE, options -> options.needs(seconds(-1)), lease -> {}))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("task must be not blank: task=' '; needs must be zero or above: needs=-1s");
        scheduler.schedule("job", EVERY_MINUTE, options -> options.needs(seconds(9)), lease -> {});
        assertThatThrownBy(() -> scheduler.schedule("job", EVERY_MINUTE, lease -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is a task of this name already: task=job");
    }

    @Test
    void aTaskDoesNotOverlapItselfAndDelaysNoOther() {
        LeaderScheduler scheduler = LeaderScheduler.on(leader(process("a")));
        Noted slow = new Noted(90);
        Noted quick = new Noted(1);
        scheduler.schedule("slow", EVERY_MINUTE, slow);
        scheduler.schedule("quick", EVERY_MINUTE, quick);
        advanceTo(130);
        assertThat(task(scheduler, "slow").running()).isTrue();
        assertThat(last(scheduler, "slow")).isEqualTo(STILL_RUNNING);
        advanceTo(200);
        assertThat(slow.began).isEqualTo(allSeconds(60, 180));
        assertThat(quick.began).isEqualTo(allSeconds(60, 120, 180));
        assertCounts(scheduler, "slow", RAN, 1, STILL_RUNNING, 1);
    }

    @Test
    void aRunThatThrowsIsToldAndTheNextSlotIsTried() {
        List<String> faults = new ArrayList<>();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(new ElectionMonitor() {
                    @Override
                    public void fault(String role, String where, Throwable error) {
                        faults.add(where);
                    }
                }));
        LeaderElector elector = leader(a);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        List<Duration> tried = new ArrayList<>();
        scheduler.schedule("job", Schedule.fixedRate(seconds(10)), lease -> {
            tried.add(world.elapsed());
            throw new IllegalStateException("of the task");
        });
        advanceTo(125);
        assertThat(tried).hasSize(12);
        assertCounts(scheduler, "job", FAILED, 12);
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.term()).isEqualTo(1);
        assertThat(faults).hasSize(12).startsWith("task job", "task job, failure 2 in a row");
        assertThat(log.lines("WARN", "task job")).as("at 10 s and 70 s").hasSize(2);
        assertThat(log.told(CoreEvent.TASK_FAILED)).hasSize(2);
    }

    @Test
    void beingFencedOutEndsTheTerm() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        scheduler.schedule("job", EVERY_MINUTE, lease -> {
            throw new FencedOutException(
                    lease.fencingToken(), lease.fencingToken().value() + 1);
        });
        advanceTo(60);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
        assertCounts(scheduler, "job", FAILED, 1);
    }

    @Test
    void aRunIsInterruptedLateAtAVoluntaryEnd() {
        LeaderElector elector = leader(process("a"));
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(100);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(61);
        elector.resign();
        advanceTo(68.99);
        assertThat(work.ended).isEmpty();
        advanceTo(69); // four fifths of 10 s
        assertThat(work.ended).isEqualTo(allSeconds(69));
        assertThat(releases("a")).isEqualTo(allSeconds(69));
        assertCounts(scheduler, "job", INTERRUPTED, 1);
    }

    @Test
    void aStuckRunLeavesTheRecordToExpireAndKeepsItsInstanceAway() {
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(8)));
        LeaderElector elector = leader(a);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        scheduler.schedule("job", once(60), lease -> {
            Duration until = seconds(120);
            while (world.elapsed().compareTo(until) < 0) {
                take(until.minus(world.elapsed())); // swallows interrupts
                Thread.interrupted();
            }
        });
        advanceTo(61);
        CompletableFuture<ReleaseOutcome> outcome = elector.resign();
        advanceTo(69);
        assertThat(now(outcome)).isEqualTo(ReleaseOutcome.LEFT_TO_EXPIRE);
        advanceTo(100);
        assertThat(elector.health().status()).isEqualTo(ElectorHealth.Status.WORK_STUCK);
        assertThat(acquisitions("a")).hasSize(1);
        advanceTo(125);
        assertThat(elector.isLeader()).isTrue();
        assertCounts(scheduler, "job", INTERRUPTED, 1);
    }

    @Test
    void aRunThatReturnsAfterALossWasInterrupted() {
        LeaderScheduler scheduler = LeaderScheduler.on(leader(process("a")));
        scheduler.schedule("job", EVERY_MINUTE, lease -> take(seconds(20))); // returns early when interrupted
        advanceTo(61);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(64);
        assertCounts(scheduler, "job", INTERRUPTED, 1);
    }

    @Test
    void aFixedDelayBeginsWithEachTerm() {
        LeaderElector elector = process("a").tenure().elector(ROLE);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(2);
        scheduler.schedule("job", Schedule.fixedDelay(seconds(10)), work);
        advanceTo(20);
        assertThat(work.began).as("a follower has no slot").isEmpty();
        assertCounts(scheduler, "job");
        elector.start();
        advanceTo(50);
        assertThat(work.began).isEqualTo(allSeconds(20, 32, 44));
        assertThat(task(scheduler, "job").next()).contains(slot(56));
        elector.resign();
        world.advanceUntil(elector::isLeader, seconds(10));
        Duration again = world.elapsed();
        world.advance(seconds(13));
        assertThat(work.began.subList(3, work.began.size())).containsExactly(again, again.plus(seconds(12)));
        assertCounts(scheduler, "job", RAN, 4);
    }

    @Test
    void atLeastOnceDoesNotRepeatWhatThisInstanceCompleted() {
        LeaderElector elector = leader(process("a"));
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted works = new Noted(1);
        List<Instant> failing = new ArrayList<>();
        advanceTo(30);
        scheduler.schedule("works", EVERY_MINUTE, ScheduleTest::atLeastOnce, works);
        scheduler.schedule("fails", EVERY_MINUTE, ScheduleTest::atLeastOnce, (lease, slot) -> {
            failing.add(slot);
            throw new IllegalStateException("of the task");
        });
        world.settle();
        assertThat(works.slots).as("its first term begins with the newest slot").containsExactly(slot(0));
        advanceTo(65);
        elector.resign();
        world.settle();
        assertThat(elector.isLeader()).isFalse();
        world.advanceUntil(elector::isLeader, seconds(10));
        world.advance(seconds(1));
        assertThat(works.slots).containsExactly(slot(0), slot(60));
        assertThat(failing).containsExactly(slot(0), slot(60), slot(60));
    }

    @Test
    void atLeastOnceFindsTheNewestSlotOfACalendar() {
        LeaderElector elector = process("a").tenure().elector(ROLE);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(1);
        Schedule daily = Schedule.calendar(ZoneOffset.UTC, after -> {
            var today = after.toLocalDate().atTime(2, 30).atZone(ZoneOffset.UTC);
            return today.isAfter(after) ? today : today.plusDays(1);
        });
        scheduler.schedule("job", daily, ScheduleTest::atLeastOnce, work);
        advanceTo(100);
        elector.start();
        advanceTo(102);
        assertThat(work.slots).containsExactly(Instant.parse("2025-12-31T02:30:00Z"));
        assertThat(work.began).isEqualTo(allSeconds(100));
        assertThat(task(scheduler, "job").next()).isEqualTo(Optional.of(Instant.parse("2026-01-01T02:30:00Z")));
    }

    @Test
    void K160_aSlotThatWasDueBeforeItsTermIsNotRunThoughItIsSeenInIt() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(59);
        store().on(Kind.ACQUIRE).once().delay(seconds(0.1), seconds(0.1));
        elector.start();
        world.settle();
        a.pause(); // the answer comes at 59.2 s and is seen at 60.5 s, as is the slot
        advanceTo(60.5);
        a.resume();
        assertThat(elector.isLeader()).isTrue();
        assertCounts(scheduler, "job", FOLLOWER, 1);
        advanceTo(121);
        assertThat(work.began).isEqualTo(allSeconds(120));
    }

    @Test
    void schedulesGoOnWhenTheirElectorIsStartedAgain() {
        LeaderElector elector = leader(process("a"));
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(70);
        elector.stop();
        advanceTo(130);
        elector.start();
        advanceTo(190);
        assertThat(work.began).isEqualTo(allSeconds(60, 180));
        assertCounts(scheduler, "job", RAN, 2, FOLLOWER, 1);
    }

    @Test
    void K102_theTaskGoesOnAfterAnOutageOfTheStore() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        scheduler.schedule("job", Schedule.fixedRate(seconds(10)), work);
        world.after(seconds(15), () -> store().cut("a"));
        world.after(Duration.ofMinutes(12), () -> store().mend("a"));
        advanceTo(12 * 60 + 20);
        assertThat(work.began.stream().filter(at -> at.compareTo(seconds(24)) > 0 && at.compareTo(seconds(720)) < 0))
                .isEmpty();
        assertThat(work.began.get(work.began.size() - 1)).isGreaterThan(seconds(720));
        assertThat(count(scheduler, "job", FOLLOWER)).isBetween(69L, 71L);
    }

    @Test
    void aTaskThatResignsFromWithinIsNotItsOwnObstacle() {
        LeaderElector elector = leader(process("a"));
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        AtomicReference<CompletableFuture<ReleaseOutcome>> outcome = new AtomicReference<>();
        scheduler.schedule("job", once(60), lease -> outcome.set(elector.resign()));
        advanceTo(60);
        assertThat(now(outcome.get())).isEqualTo(ReleaseOutcome.RELEASED);
        assertCounts(scheduler, "job", RAN, 1);
    }

    private static void atLeastOnce(TaskOptions options) {
        options.afterHandOver(AfterHandOver.AT_LEAST_ONCE);
    }
}
