package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.schedule.SlotWork;
import dev.tenure.schedule.TaskStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Schedules in a virtual world, where the wall clock shows midnight at the beginning: the slots of a task that is due
 * every minute are at 60 s, 120 s and so on.
 */
abstract class ScheduleTestBase extends EngineTest {
    static final Schedule EVERY_MINUTE = Schedule.fixedRate(Duration.ofMinutes(1));
    static final Instant MIDNIGHT = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * A task that takes some time, and notes what happens to it.
     */
    final class Noted implements SlotWork {
        final List<Duration> began = new ArrayList<>();
        final List<Duration> ended = new ArrayList<>();
        final List<Instant> slots = new ArrayList<>();
        final List<FencingToken> tokens = new ArrayList<>();
        int interrupts;
        private final Duration length;

        Noted(double length) {
            this.length = seconds(length);
        }

        @Override
        public void run(Lease lease, Instant slot) throws InterruptedException {
            began.add(world.elapsed());
            slots.add(slot);
            tokens.add(lease.fencingToken());
            try {
                world.pass(length);
            } catch (InterruptedException stop) {
                interrupts++;
                throw stop;
            } finally {
                ended.add(world.elapsed());
            }
        }
    }

    static Instant slot(double afterMidnight) {
        return MIDNIGHT.plus(seconds(afterMidnight));
    }

    static TaskStatus task(LeaderScheduler scheduler, String name) {
        return scheduler.tasks().stream()
                .filter(task -> task.task().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static long count(LeaderScheduler scheduler, String name, SlotOutcome outcome) {
        return task(scheduler, name).count(outcome);
    }

    static SlotOutcome last(LeaderScheduler scheduler, String name) {
        return task(scheduler, name).last().orElseThrow().outcome();
    }

    /**
     * All slots of a task, by what became of them; those that never happened are left out.
     */
    static void assertCounts(LeaderScheduler scheduler, String name, Object... outcomesAndCounts) {
        TaskStatus task = task(scheduler, name);
        long expected = 0;
        for (int i = 0; i < outcomesAndCounts.length; i += 2) {
            long count = ((Number) outcomesAndCounts[i + 1]).longValue();
            assertThat(task.count((SlotOutcome) outcomesAndCounts[i]))
                    .as("%s in %s", outcomesAndCounts[i], task)
                    .isEqualTo(count);
            expected += count;
        }
        assertThat(task.counts().values().stream().mapToLong(Long::longValue).sum())
                .as("%s", task)
                .isEqualTo(expected);
    }
}
