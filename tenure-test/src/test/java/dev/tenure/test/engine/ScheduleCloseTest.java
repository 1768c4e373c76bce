package dev.tenure.test.engine;

import static dev.tenure.schedule.SlotOutcome.FOLLOWER;
import static dev.tenure.schedule.SlotOutcome.LEASE_TOO_SHORT;
import static dev.tenure.schedule.SlotOutcome.RAN;
import static dev.tenure.schedule.SlotOutcome.STILL_RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Registration;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * The end of schedules, and what crosses it.
 */
class ScheduleCloseTest extends ScheduleTestBase {

    private static VirtualCall<Boolean> closing(VirtualTenure process, LeaderScheduler scheduler) {
        return process.call(() -> {
            scheduler.close();
            return true;
        });
    }

    @Test
    void closingWaitsForRunsAndBeginsNone() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        Noted work = new Noted(8);
        scheduler.schedule("job", EVERY_MINUTE, work);
        scheduler.schedule("often", Schedule.fixedRate(seconds(1)), lease -> {});
        advanceTo(61.5);
        long often = count(scheduler, "often", RAN);
        VirtualCall<Boolean> closing = closing(a, scheduler);
        VirtualCall<Boolean> again = closing(a, scheduler);
        advanceTo(67.9);
        assertThat(closing.isDone()).isFalse();
        assertThat(again.isDone()).isFalse();
        world.advanceUntil(() -> closing.isDone() && again.isDone(), seconds(60));
        assertThat(work.ended).isEqualTo(allSeconds(68));
        advanceTo(190);
        assertThat(work.began).isEqualTo(allSeconds(60));
        assertThat(work.interrupts).isZero();
        assertCounts(scheduler, "job", RAN, 1);
        assertCounts(scheduler, "often", RAN, often);
        assertThat(elector.isLeader()).as("the term goes on").isTrue();
        assertThat(closing(a, scheduler).result()).isTrue();
        assertThatThrownBy(() -> scheduler.schedule("late", EVERY_MINUTE, lease -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this scheduler is closed: task=late");
    }

    @Test
    void closingWaitsAtMostForTheDrainTimeout() {
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(3)));
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(30);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(61);
        VirtualCall<Boolean> closing = closing(a, scheduler);
        advanceTo(63.9);
        assertThat(closing.isDone()).isFalse();
        world.advanceUntil(closing::isDone, seconds(20));
        assertThat(work.ended).isEmpty();
        advanceTo(95);
        assertThat(work.ended).isEqualTo(allSeconds(90));
    }

    @Test
    void closingFromWithinARunWaitsForTheOthersOnly() {
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(100)));
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(4);
        List<Integer> othersEnded = new CopyOnWriteArrayList<>();
        LeaderWork closes = lease -> {
            world.pass(seconds(1)); // until all have begun
            scheduler.close();
            othersEnded.add(work.ended.size());
        };
        scheduler.schedule("closes", EVERY_MINUTE, closes);
        scheduler.schedule("closes as well", EVERY_MINUTE, closes);
        scheduler.schedule("works", EVERY_MINUTE, work);
        advanceTo(61);
        world.advanceUntil(() -> othersEnded.size() == 2, seconds(80)); // not as long as closing waits
        assertThat(othersEnded).containsExactly(1, 1);
        advanceTo(200);
        assertCounts(scheduler, "closes", RAN, 1);
        assertCounts(scheduler, "closes as well", RAN, 1);
    }

    @Test
    void aTenureThatIsClosedFromWithinARunIsNotHeldUpByIt() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        AtomicBoolean closed = new AtomicBoolean();
        scheduler.schedule("job", EVERY_MINUTE, lease -> {
            a.tenure().close();
            closed.set(true);
        });
        advanceTo(60);
        world.advanceUntil(closed::get, seconds(60));
        assertThat(releases("a")).isEqualTo(allSeconds(60));
        assertThat(closing(a, scheduler).result()).isTrue();
    }

    @Test
    void aRunThatWaitsForAThreadIsNotBegunAfterClose() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(59);
        a.holdCallbacks();
        advanceTo(60);
        assertThat(task(scheduler, "job").running()).isTrue();
        VirtualCall<Boolean> closing = closing(a, scheduler);
        a.releaseCallbacks();
        world.advanceUntil(closing::isDone, seconds(60));
        assertThat(work.began).isEmpty();
        assertCounts(scheduler, "job");
    }

    @Test
    void aRunThatWaitsForAThreadIsNotBegunAfterItsTerm() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(59);
        a.holdCallbacks();
        store().on(Kind.RENEW).skipping(1).once().answer(RenewResult.NOT_HOLDER); // the one at 63 s
        advanceTo(64);
        a.releaseCallbacks();
        assertThat(work.began).isEmpty();
        assertCounts(scheduler, "job", FOLLOWER, 1);
        assertThat(task(scheduler, "job").running()).isFalse();
    }

    @Test
    void aRunThatWaitedForAThreadLooksAtTheLeaseAgain() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(1);
        Schedule secondOneOfEachMinute = Schedule.calendar(
                ZoneOffset.UTC,
                after -> after.minusSeconds(1).withSecond(1).withNano(0).plusMinutes(1));
        scheduler.schedule("job", secondOneOfEachMinute, options -> options.needs(seconds(7)), work);
        advanceTo(60.5);
        a.holdCallbacks();
        advanceTo(61);
        a.runCallback(); // the calendar; the task is due, with 8 s left, and waits for a thread
        assertThat(task(scheduler, "job").running()).isTrue();
        advanceTo(62.5); // 6.5 s
        a.releaseCallbacks();
        assertThat(work.began).isEqualTo(allSeconds(1));
        assertCounts(scheduler, "job", RAN, 1, LEASE_TOO_SHORT, 1);
        advanceTo(125);
        assertThat(work.began).isEqualTo(allSeconds(1, 121));
    }

    @Test
    void aRemovedTaskBeginsNoRunAndGivesItsNameBack() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted first = new Noted(20);
        Noted second = new Noted(1);
        Registration registration = scheduler.schedule("job", EVERY_MINUTE, first);
        advanceTo(61);
        registration.remove();
        registration.remove();
        assertThat(scheduler.tasks()).isEmpty();
        scheduler.schedule("job", EVERY_MINUTE, second);
        advanceTo(130);
        assertThat(first.began).isEqualTo(allSeconds(60));
        assertThat(first.ended).as("what is under way goes on").isEqualTo(allSeconds(80));
        assertThat(second.began).isEqualTo(allSeconds(120));
        registration.remove(); // is not that of the second
        advanceTo(190);
        assertThat(second.began).isEqualTo(allSeconds(120, 180));
    }

    @Test
    void closingWaitsForTheRunOfARemovedTask() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(8);
        Registration registration = scheduler.schedule("job", EVERY_MINUTE, work);
        advanceTo(61);
        registration.remove();
        VirtualCall<Boolean> closing = closing(a, scheduler);
        advanceTo(67.9);
        assertThat(closing.isDone()).isFalse();
        world.advanceUntil(closing::isDone, seconds(60));
        assertThat(work.ended).isEqualTo(allSeconds(68));
    }

    @Test
    void aTaskOfTheSameNameDoesNotRunBesideARemovedOne() {
        VirtualTenure a = process("a", options -> options.drainTimeout(seconds(200)));
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted first = new Noted(90);
        Noted second = new Noted(1);
        Noted delayed = new Noted(1);
        scheduler.schedule("job", EVERY_MINUTE, first);
        Registration registration = scheduler.schedule("delay", EVERY_MINUTE, new Noted(90));
        advanceTo(61);
        scheduler.tasks().forEach(task -> assertThat(task.running()).isTrue());
        registration.remove();
        scheduler.schedule("delay", Schedule.fixedDelay(seconds(100)), delayed);
        assertThat(task(scheduler, "delay").running()).isFalse();
        advanceTo(149);
        assertThat(delayed.began).isEmpty();
        advanceTo(260);
        assertThat(delayed.began).as("from the end of the run before").isEqualTo(allSeconds(250));
        Registration slots = scheduler.schedule("slots", Schedule.fixedRate(seconds(10)), new Noted(25));
        advanceTo(271);
        slots.remove();
        scheduler.schedule("slots", Schedule.fixedRate(seconds(10)), second);
        advanceTo(300.5);
        assertThat(second.began).isEqualTo(allSeconds(300));
        assertCounts(scheduler, "slots", RAN, 0, STILL_RUNNING, 2);
        advanceTo(302);
        assertCounts(scheduler, "slots", RAN, 1, STILL_RUNNING, 2);
    }

    @Test
    void nothingIsScheduledOnAClosedTenure() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        VirtualCall<Boolean> closing = closing(a);
        world.advanceUntil(closing::isDone, seconds(60));
        assertThatThrownBy(() -> scheduler.schedule("late", EVERY_MINUTE, lease -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this Tenure is closed");
        assertThat(scheduler.tasks()).isEmpty();
        assertThatThrownBy(() -> LeaderScheduler.on(elector))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("this Tenure is closed");
        scheduler.close();
    }

    @Test
    void aRemovedTaskIsNotAwokenByTheEndOfItsRun() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        Noted work = new Noted(5);
        Registration registration = scheduler.schedule("job", Schedule.fixedDelay(seconds(1)), work);
        advanceTo(1);
        registration.remove();
        advanceTo(60);
        assertThat(work.began).isEqualTo(allSeconds(0));
        assertThat(work.ended).isEqualTo(allSeconds(5));
    }

    @Test
    void aFailedAlarmOfACalendarLeavesNothingAfterClose() {
        VirtualTenure a = process("a");
        LeaderScheduler scheduler = LeaderScheduler.on(leader(a));
        List<Duration> asked = new ArrayList<>();
        scheduler.schedule(
                "job",
                Schedule.calendar(ZoneOffset.UTC, after -> {
                    asked.add(world.elapsed());
                    return null;
                }),
                lease -> {});
        advanceTo(100);
        assertThat(asked).isEqualTo(allSeconds(0, 30, 60, 90));
        assertThat(closing(a, scheduler).result()).isTrue();
        advanceTo(1_000);
        assertThat(asked).hasSize(4);
    }

    @Test
    void severalSchedulersMayFollowOneElector() {
        LeaderElector elector = leader(process("a"));
        LeaderScheduler one = LeaderScheduler.on(elector);
        LeaderScheduler other = LeaderScheduler.on(elector);
        Noted first = new Noted(1);
        Noted second = new Noted(1);
        one.schedule("job", EVERY_MINUTE, first);
        other.schedule("job", EVERY_MINUTE, second);
        advanceTo(61);
        one.close();
        advanceTo(121);
        assertThat(first.began).isEqualTo(allSeconds(60));
        assertThat(second.began).isEqualTo(allSeconds(60, 120));
        assertThat(other).hasToString("LeaderScheduler[role=billing, tasks=[job]]");
    }
}
