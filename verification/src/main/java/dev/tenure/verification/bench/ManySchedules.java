package dev.tenure.verification.bench;

import dev.tenure.LeaderElector;
import dev.tenure.LeaseStores;
import dev.tenure.Tenure;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.schedule.TaskStatus;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A thousand schedules on one elector: what they cost while nothing is due, and how late runs begin.
 */
public final class ManySchedules {
    private static final int COUNT = 1_000;
    private static final int PUNCTUAL = 50;

    private ManySchedules() {}

    /**
     * Takes about half a minute.
     */
    public static void measure(Figures figures) throws InterruptedException {
        try (Tenure tenure = Tenure.builder(LeaseStores.inMemory()).build()) {
            LeaderElector elector = tenure.elector("billing").start();
            elector.awaitLeadership();
            rest(7); // callback threads go after 5 s
            atRest(figures, elector);
            punctuality(figures, elector);
        }
    }

    private static void atRest(Figures figures, LeaderElector elector) throws InterruptedException {
        Schedule daily = Schedule.calendar(
                ZoneOffset.UTC, after -> after.toLocalDate().plusDays(1).atStartOfDay(ZoneOffset.UTC));
        long threads = threads();
        long heap = usedHeap();
        try (LeaderScheduler scheduler = LeaderScheduler.on(elector)) {
            long began = System.nanoTime();
            for (int i = 0; i < COUNT; i++) {
                scheduler.schedule(
                        "task-" + i, i % 2 == 0 ? daily : Schedule.fixedRate(Duration.ofDays(7)), lease -> {});
            }
            figures.add("1,000 schedules: made", (double) (System.nanoTime() - began) / 1e6, "ms", "");
            rest(7);
            figures.add("1,000 schedules: threads before", (double) threads, "", "");
            figures.add("1,000 schedules: threads after", (double) threads(), "", "the same");
            figures.add("1,000 schedules: heap each", (double) (usedHeap() - heap) / COUNT, "B", "");
        }
    }

    private static void punctuality(Figures figures, LeaderElector elector) throws InterruptedException {
        AtomicLong worst = new AtomicLong();
        AtomicLong sum = new AtomicLong();
        try (LeaderScheduler scheduler = LeaderScheduler.on(elector)) {
            for (int i = 0; i < PUNCTUAL; i++) {
                scheduler.schedule("task-" + i, Schedule.fixedRate(Duration.ofMillis(100 + i)), (lease, slot) -> {
                    long late = Duration.between(slot, Instant.now()).toNanos();
                    worst.accumulateAndGet(late, Math::max);
                    sum.addAndGet(late);
                });
            }
            rest(5);
            long runs = scheduler.tasks().stream()
                    .mapToLong(task -> task.count(SlotOutcome.RAN))
                    .sum();
            long others =
                    scheduler.tasks().stream().mapToLong(ManySchedules::notRun).sum();
            figures.add("50 busy schedules: runs in 5 s", (double) runs, "", "(about 2,000)");
            figures.add("50 busy schedules: slots that did not run", (double) others, "", "0");
            figures.add("50 busy schedules: late, mean", (double) sum.get() / Math.max(1, runs) / 1e6, "ms", "");
            figures.add("50 busy schedules: late, worst", (double) worst.get() / 1e6, "ms", "");
        }
    }

    private static long notRun(TaskStatus task) {
        return task.counts().entrySet().stream()
                .filter(count -> count.getKey() != SlotOutcome.RAN)
                .mapToLong(count -> count.getValue())
                .sum();
    }

    private static void rest(int seconds) throws InterruptedException {
        boolean never = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
        if (never) {
            throw new IllegalStateException("nobody counts down");
        }
    }

    private static long threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    private static long usedHeap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
