package dev.tenure.test.engine;

import static dev.tenure.schedule.SlotOutcome.FOLLOWER;
import static dev.tenure.schedule.SlotOutcome.MISSED;
import static dev.tenure.schedule.SlotOutcome.RAN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.AfterHandOver;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Schedules when clocks are set, processes pause and calendars misbehave.
 */
class ScheduleClockTest extends ScheduleTestBase {
    private static final Duration TEN_YEARS = Duration.ofDays(3_650);

    private static ZonedDateTime nextMinute(ZonedDateTime after) {
        return after.withSecond(0).withNano(0).plusMinutes(1);
    }

    private static Schedule dailyInBerlin() {
        return Schedule.calendar(ZoneId.of("Europe/Berlin"), after -> {
            LocalDate day = after.toLocalDate();
            ZonedDateTime today = day.atTime(2, 30).atZone(after.getZone());
            return today.isAfter(after) ? today : day.plusDays(1).atTime(2, 30).atZone(after.getZone());
        });
    }

    @Test
    void aClockSetBackDoesNotBringASlotAgain() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted fixed = new Noted(1);
        Noted calendar = new Noted(1);
        scheduler.schedule("fixed", EVERY_MINUTE, fixed);
        scheduler.schedule("calendar", Schedule.calendar(ZoneOffset.UTC, ScheduleClockTest::nextMinute), calendar);
        advanceTo(125);
        a.time().stepWall(seconds(-90)); // shows 35 s: 60 s and 120 s come once more
        advanceTo(400);
        assertThat(fixed.slots).containsExactly(slot(60), slot(120), slot(180), slot(240), slot(300));
        assertThat(fixed.began).isEqualTo(allSeconds(60, 120, 270, 330, 390));
        assertThat(calendar.slots).isEqualTo(fixed.slots);
        assertThat(calendar.began).isEqualTo(fixed.began);
        assertCounts(scheduler, "fixed", RAN, 5);
    }

    @Test
    void aSlotThatIsDueWhenTheClockWasSetBackIsNotLost() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(119);
        a.pause();
        advanceTo(123);
        a.time().stepWall(seconds(-2)); // shows 121 s
        a.resume();
        advanceTo(190);
        assertThat(work.slots).containsExactly(slot(60), slot(120), slot(180));
        assertCounts(scheduler, "job", RAN, 3);
    }

    @Test
    void aClockSetForwardMissesAllButTheNewest() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted fixed = new Noted(1);
        Noted calendar = new Noted(1);
        scheduler.schedule("fixed", EVERY_MINUTE, fixed);
        scheduler.schedule("calendar", Schedule.calendar(ZoneOffset.UTC, ScheduleClockTest::nextMinute), calendar);
        advanceTo(65);
        a.time().stepWall(seconds(300)); // shows 365 s
        advanceTo(66);
        assertThat(fixed.slots).as("noticed within a second").containsExactly(slot(60), slot(360));
        advanceTo(121);
        assertThat(fixed.slots).containsExactly(slot(60), slot(360), slot(420));
        assertThat(fixed.began.get(2)).isEqualTo(seconds(120));
        assertThat(calendar.slots).isEqualTo(fixed.slots);
        assertCounts(scheduler, "fixed", RAN, 3, MISSED, 4);
        assertCounts(scheduler, "calendar", RAN, 3, MISSED, 4);
    }

    @Test
    void missedSlotsAreToldAtOnce() {
        List<String> told = new ArrayList<>();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(new ElectionMonitor() {
                    @Override
                    public void scheduleSkipped(
                            String role, String task, Instant slot, SlotOutcome outcome, long count) {
                        told.add(slot + " " + outcome + " " + count);
                    }
                }));
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        scheduler.schedule("job", EVERY_MINUTE, lease -> {});
        advanceTo(65);
        a.time().stepWall(seconds(300));
        advanceTo(66);
        assertThat(told).containsExactly("2026-01-01T00:02:00Z MISSED 4");
    }

    @Test
    void anElectorThatDoesNotStandNoticesWithinHalfAMinute() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        scheduler.schedule("job", Schedule.fixedRate(Duration.ofDays(1)), lease -> {});
        advanceTo(10);
        a.time().stepWall(Duration.ofDays(1));
        advanceTo(41);
        assertCounts(scheduler, "job", FOLLOWER, 1);
    }

    @Test
    void aClockThatWasYearsAheadForAWhileStopsNoTask() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(65);
        a.time().stepWall(TEN_YEARS);
        advanceTo(70);
        a.time().stepWall(TEN_YEARS.negated());
        advanceTo(190);
        Instant ahead = slot(60).plus(TEN_YEARS);
        assertThat(work.slots).containsExactly(slot(60), ahead, slot(120), slot(180));
        assertThat(work.began).hasSize(4);
        assertThat(work.began.get(2)).isEqualTo(seconds(120));
    }

    @Test
    void ofTheSlotsDuringAPauseInATermTheNewestRuns() {
        VirtualTenure a = process("a", options -> options.lease(seconds(300)).renewInterval(seconds(100)));
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(59);
        a.pause();
        advanceTo(185);
        a.resume();
        assertThat(work.slots).containsExactly(slot(180));
        assertCounts(scheduler, "job", MISSED, 2);
        advanceTo(190);
        assertCounts(scheduler, "job", MISSED, 2, RAN, 1);
    }

    @Test
    void aSlotThatOnlyANewClockPutsBeforeTheTermIsNotItsOwn() {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        advanceTo(30);
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        LeaderScheduler careless = LeaderScheduler.on(b.tenure().elector(ROLE));
        Noted work = new Noted(1);
        scheduler.schedule("once", Schedule.fixedRate(Duration.ofHours(1)), work);
        scheduler.schedule(
                "again",
                Schedule.fixedRate(Duration.ofHours(1)),
                options -> options.afterHandOver(AfterHandOver.AT_LEAST_ONCE),
                lease -> {});
        careless.close();
        advanceTo(40);
        a.time().stepWall(Duration.ofMinutes(90)); // the term is 10 s old, the slot of 01:00 half an hour
        advanceTo(41);
        assertCounts(scheduler, "once", FOLLOWER, 1);
        assertCounts(scheduler, "again", RAN, 2); // that of midnight, with which its term began, and this one
        assertThat(work.began).isEmpty();
    }

    @Test
    void aNightWithoutHalfPastTwoAndOneWithTwo() {
        VirtualTenure a = process("a");
        setTo(a, "2026-03-28T12:00:00Z");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted spring = new Noted(1);
        Registration registration = scheduler.schedule("spring", dailyInBerlin(), spring);
        setTo(a, "2026-03-29T00:29:59Z");
        setTo(a, "2026-03-29T01:29:59Z");
        setTo(a, "2026-03-30T00:29:59Z");
        setTo(a, "2026-03-30T01:29:59Z");
        assertThat(spring.slots)
                .containsExactly(Instant.parse("2026-03-29T01:30:00Z"), Instant.parse("2026-03-30T00:30:00Z"));
        registration.remove();
        setTo(a, "2026-10-24T12:00:00Z");
        Noted autumn = new Noted(1);
        scheduler.schedule("autumn", dailyInBerlin(), autumn);
        setTo(a, "2026-10-25T00:29:59Z");
        setTo(a, "2026-10-25T01:29:59Z");
        setTo(a, "2026-10-26T00:29:59Z");
        setTo(a, "2026-10-26T01:29:59Z");
        assertThat(autumn.slots)
                .containsExactly(Instant.parse("2026-10-25T00:30:00Z"), Instant.parse("2026-10-26T01:30:00Z"));
        assertThat(spring.slots).hasSize(2);
    }

    /**
     * Sets the wall clock, and lets three seconds pass.
     */
    private void setTo(VirtualTenure process, String wall) {
        process.time().stepWall(Duration.between(process.time().wall(), Instant.parse(wall)));
        world.advance(seconds(3));
    }

    @Test
    void aCalendarThatFailsIsToldOnceAndWaitsWhileOthersGoOn() {
        AtomicInteger calls = new AtomicInteger();
        AtomicBoolean broken = new AtomicBoolean();
        UnaryOperator<ZonedDateTime> function = after -> {
            calls.incrementAndGet();
            if (broken.get()) {
                throw new IllegalStateException("of the calendar");
            }
            return nextMinute(after);
        };
        LeaderScheduler scheduler = LeaderScheduler.on(leader(process("a")));
        Noted failing = new Noted(1);
        Noted other = new Noted(1);
        scheduler.schedule("failing", Schedule.calendar(ZoneOffset.UTC, function), failing);
        scheduler.schedule("same", Schedule.calendar(ZoneOffset.UTC, after -> after), lease -> {});
        scheduler.schedule("null", Schedule.calendar(ZoneOffset.UTC, after -> null), lease -> {});
        scheduler.schedule("other", Schedule.calendar(ZoneOffset.UTC, ScheduleClockTest::nextMinute), other);
        advanceTo(59);
        broken.set(true);
        calls.set(0);
        advanceTo(605);
        assertThat(failing.slots).as("known before").containsExactly(slot(60));
        assertThat(task(scheduler, "failing").next()).isEmpty();
        assertThat(calls.get()).isBetween(10, 25);
        assertThat(other.began).hasSize(10);
        assertThat(log.lines("WARN", "calendar of task")).hasSize(3);
        assertThat(log.told(CoreEvent.CALENDAR_FAILED)).hasSize(3);
        broken.set(false);
        advanceTo(725);
        assertThat(failing.slots).containsExactly(slot(60), slot(660), slot(720));
        assertCounts(scheduler, "same");
        assertCounts(scheduler, "null");
    }

    @Test
    void theNewestSlotBeforeATermIsRunThoughTheCalendarFailsAtItsBegin() {
        AtomicInteger failures = new AtomicInteger();
        UnaryOperator<ZonedDateTime> hourly = after -> {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new IllegalStateException("of the calendar");
            }
            return after.withMinute(0).withSecond(0).withNano(0).plusHours(1);
        };
        LeaderElector elector = process("a").tenure().elector(ROLE);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(1);
        scheduler.schedule(
                "job",
                Schedule.calendar(ZoneOffset.UTC, hourly),
                options -> options.afterHandOver(AfterHandOver.AT_LEAST_ONCE),
                work);
        advanceTo(100);
        failures.set(2);
        elector.start();
        advanceTo(101);
        assertThat(failures).hasValue(1);
        assertThat(task(scheduler, "job").next()).contains(slot(3_600));
        assertThat(work.began).isEmpty();
        advanceTo(200);
        assertThat(work.slots).containsExactly(slot(0));
        assertThat(work.began).as("asked again after half a minute, twice").isEqualTo(allSeconds(160));
        assertThat(log.lines("WARN", "calendar of task job")).hasSize(1);
        advanceTo(3_000);
        assertCounts(scheduler, "job", RAN, 1);
    }

    @Test
    void aNewerSlotStandsForTheOneThatTheCalendarDidNotTellAtTheBeginOfATerm() {
        AtomicBoolean broken = new AtomicBoolean();
        UnaryOperator<ZonedDateTime> function = after -> {
            if (broken.get()) {
                throw new IllegalStateException("of the calendar");
            }
            return nextMinute(after);
        };
        LeaderElector elector = process("a").tenure().elector(ROLE);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(1);
        scheduler.schedule(
                "job",
                Schedule.calendar(ZoneOffset.UTC, function),
                options -> options.afterHandOver(AfterHandOver.AT_LEAST_ONCE),
                work);
        advanceTo(50);
        broken.set(true);
        elector.start();
        advanceTo(59);
        broken.set(false);
        advanceTo(115);
        assertThat(work.slots).containsExactly(slot(60));
        assertCounts(scheduler, "job", RAN, 1);
    }

    @Test
    void aCalendarThatHangsHoldsUpItsOwnTaskOnly() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted other = new Noted(1);
        AtomicBoolean hangs = new AtomicBoolean(true);
        scheduler.schedule(
                "hangs",
                Schedule.calendar(ZoneOffset.UTC, after -> {
                    if (hangs.getAndSet(false)) {
                        take(seconds(600));
                    }
                    return nextMinute(after);
                }),
                lease -> {});
        scheduler.schedule("other", Schedule.calendar(ZoneOffset.UTC, ScheduleClockTest::nextMinute), other);
        advanceTo(190);
        assertThat(other.began).isEqualTo(allSeconds(60, 120, 180));
        assertThat(elector.isLeader()).isTrue();
        assertCounts(scheduler, "hangs");
        advanceTo(670);
        assertThat(count(scheduler, "hangs", RAN)).isPositive();
    }

    @Test
    void calendarsThatHangAreToldAndHoldUpNoOtherForLong() {
        LeaderElector elector = leader(process("a"));
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        AtomicBoolean hang = new AtomicBoolean(true);
        AtomicInteger inside = new AtomicInteger();
        for (int i = 0; i < 9; i++) {
            scheduler.schedule(
                    "hangs-" + i,
                    Schedule.calendar(ZoneOffset.UTC, after -> {
                        if (hang.get()) {
                            inside.incrementAndGet();
                            take(seconds(600));
                        }
                        return nextMinute(after);
                    }),
                    lease -> {});
        }
        Noted other = new Noted(1);
        scheduler.schedule("other", Schedule.calendar(ZoneOffset.UTC, ScheduleClockTest::nextMinute), other);
        advanceTo(29);
        assertThat(inside).as("four threads").hasValue(4);
        advanceTo(31);
        assertThat(inside).hasValue(8);
        assertThat(log.lines("WARN", "calendar of task hangs-")).hasSize(4);
        advanceTo(61);
        assertThat(inside).as("once for each task").hasValue(9);
        advanceTo(550);
        assertThat(other.began).endsWith(seconds(480), seconds(540));
        assertThat(inside).hasValue(9);
        for (int i = 0; i < 9; i++) {
            assertThat(log.lines("WARN", "calendar of task hangs-" + i)).hasSize(1);
        }
        hang.set(false);
        advanceTo(800);
        assertThat(scheduler.tasks())
                .allSatisfy(task -> assertThat(task.count(RAN)).isPositive());
        assertThat(log.lines("WARN", "calendar of task")).hasSize(9);
    }

    @Test
    void aCalendarIsAskedABoundedNumberOfTimesWhenTheClockIsSet() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        AtomicInteger calls = new AtomicInteger();
        Schedule everySecond = Schedule.calendar(ZoneOffset.UTC, after -> {
            calls.incrementAndGet();
            return after.withNano(0).plusSeconds(1);
        });
        scheduler.schedule("job", everySecond, lease -> {});
        advanceTo(10.5);
        calls.set(0);
        a.time().stepWall(TEN_YEARS);
        advanceTo(10.9);
        world.advanceUntil(() -> count(scheduler, "job", MISSED) > 0, seconds(2));
        assertThat(calls.get()).isBetween(1_000, 1_100);
    }

    @Test
    void aDateInTheFarFutureIsWaitedFor() {
        LeaderScheduler scheduler = LeaderScheduler.on(leader(process("a")));
        Instant far = Instant.parse("+900000000-01-01T00:00:00Z");
        scheduler.schedule("job", Schedule.calendar(ZoneOffset.UTC, after -> far.atZone(ZoneOffset.UTC)), lease -> {});
        scheduler.schedule("year", Schedule.fixedRate(Duration.ofDays(365)), lease -> {});
        advanceTo(200);
        assertThat(task(scheduler, "job").next()).contains(far);
        assertCounts(scheduler, "job");
        assertCounts(scheduler, "year");
        assertThat(log.lines("WARN")).isEmpty();
    }

    @Test
    void theShortestPeriodIsKept() {
        LeaderScheduler scheduler = LeaderScheduler.on(leader(process("a")));
        AtomicInteger runs = new AtomicInteger();
        scheduler.schedule("job", Schedule.fixedRate(Duration.ofMillis(1)), lease -> runs.incrementAndGet());
        advanceTo(0.5);
        assertCounts(scheduler, "job", RAN, 500);
        assertThat(runs).hasValue(500);
    }
}
