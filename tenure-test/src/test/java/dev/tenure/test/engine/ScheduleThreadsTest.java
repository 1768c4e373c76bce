package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.LeaseStores;
import dev.tenure.Tenure;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.schedule.TaskStatus;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Schedules on the machine's clocks and threads.
 */
@Timeout(120)
class ScheduleThreadsTest {
    private static final int MANY = 1_000;

    private static void await(BooleanSupplier condition) {
        long from = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(60)) {
                throw new AssertionError("not within a minute");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
    }

    private static Set<Thread> threads(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tenure-") && !before.contains(thread))
                .collect(Collectors.toSet());
    }

    private static boolean isOnlyLoop(Set<Thread> threads) {
        return threads.stream().map(Thread::getName).toList().equals(List.of("tenure-loop"));
    }

    @Test
    void aThousandSchedulesHaveNoThread() throws InterruptedException {
        Set<Thread> before = threads(Set.of());
        try (Tenure tenure = Tenure.builder(LeaseStores.inMemory()).build()) {
            LeaderElector elector = tenure.elector("billing").start();
            elector.awaitLeadership();
            await(() -> isOnlyLoop(threads(before)));
            LeaderScheduler scheduler = LeaderScheduler.on(elector);
            Schedule daily = Schedule.calendar(
                    ZoneOffset.UTC, after -> after.toLocalDate().plusDays(1).atStartOfDay(ZoneOffset.UTC));
            for (int i = 0; i < MANY; i++) {
                scheduler.schedule(
                        "task-" + i, i % 2 == 0 ? daily : Schedule.fixedRate(Duration.ofDays(1)), lease -> {});
            }
            await(() -> scheduler.tasks().stream().allMatch(task -> task.next().isPresent()));
            await(() -> isOnlyLoop(threads(before))); // the calendars' callback threads are idle for a while
            assertThat(scheduler.tasks()).hasSize(MANY);
            scheduler.close();
        }
    }

    @Test
    void tasksThatAreDueAtOnceRunOnTheLeaderAndCostAFollowerNoThreadEach() throws InterruptedException {
        Set<Thread> before = threads(Set.of());
        try (Tenure tenure = Tenure.builder(LeaseStores.inMemory()).build()) {
            LeaderScheduler follower = LeaderScheduler.on(tenure.elector("billing"));
            for (int i = 0; i < MANY; i++) {
                follower.schedule("task-" + i, Schedule.fixedRate(Duration.ofMillis(500)), lease -> {});
            }
            await(() -> follower.tasks().stream().allMatch(task -> task.count(SlotOutcome.FOLLOWER) >= 2));
            assertThat(isOnlyLoop(threads(before))).isTrue();
            follower.close();
            LeaderElector elector = tenure.elector("invoices").start();
            elector.awaitLeadership();
            try (LeaderScheduler leader = LeaderScheduler.on(elector)) {
                for (int i = 0; i < 50; i++) {
                    leader.schedule("task-" + i, Schedule.fixedRate(Duration.ofMillis(200)), lease -> {});
                }
                await(() -> leader.tasks().stream().allMatch(ScheduleThreadsTest::hasRunTwice));
            }
        }
    }

    private static boolean hasRunTwice(TaskStatus task) {
        return task.count(SlotOutcome.RAN) >= 2;
    }
}
