package dev.tenure.verification.bench;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LeaseStores;
import dev.tenure.Tenure;
import dev.tenure.spi.ElectionMonitor;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Ten thousand elections in one process, all won, on the memory store.
 */
public final class ManyElections {
    private static final int COUNT = 10_000;
    private static final Duration LEASE = Duration.ofSeconds(15);

    private ManyElections() {}

    /**
     * Once without a monitor, for the size; once with one, for the renewals.
     */
    public static void measure(Figures figures) throws InterruptedException {
        run(new Figures(), List.of(), 1); // warm
        run(figures, List.of(), 12);
        Lateness lateness = new Lateness();
        run(new Figures(), List.of(lateness), 20);
        figures.add("10,000 elections: latest renewal", (double) lateness.worst.get() / 1e6, "ms late", "<= 50");
        figures.add("10,000 elections: renewals seen", (double) lateness.count.get(), "", "(> 20,000)");
    }

    private static void run(Figures figures, List<ElectionMonitor> monitors, int seconds) throws InterruptedException {
        long heapBefore = usedHeap();
        long threadsBefore = threads();
        Tenure.Builder builder = Tenure.builder(LeaseStores.inMemory()).defaults(options -> options.lease(LEASE));
        monitors.forEach(builder::monitor);
        Tenure tenure = builder.build();
        long began = System.nanoTime();
        List<LeaderElector> electors = new ArrayList<>(COUNT);
        for (int i = 0; i < COUNT; i++) {
            electors.add(tenure.elector("role-" + i).start());
        }
        for (LeaderElector elector : electors) {
            elector.awaitLeadership();
        }
        figures.add("10,000 elections: started and won", (double) (System.nanoTime() - began) / 1e9, "s", "<= 5");
        rest(seconds);
        figures.add("10,000 elections: own threads at rest", (double) (threads() - threadsBefore), "", "<= 4");
        figures.add(
                "10,000 elections: heap each, with store", (double) (usedHeap() - heapBefore) / COUNT, "B", "<= 1536");
        long led = electors.stream().filter(LeaderElector::isLeader).count();
        figures.add("10,000 elections: still leading", (double) led, "", "10000");
        long closing = System.nanoTime();
        tenure.close();
        figures.add("10,000 elections: closed", (double) (System.nanoTime() - closing) / 1e9, "s", "<= 2");
    }

    private static void rest(int seconds) throws InterruptedException {
        boolean never = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
        if (never) {
            throw new IllegalStateException("nobody counts down");
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tenure")
                        || thread.getName().startsWith("Cleaner"))
                .count();
    }

    private static long usedHeap() {
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /**
     * How late renewals were sent, from what was left of the lease when they were confirmed.
     */
    private static final class Lateness implements ElectionMonitor {
        private final AtomicLong worst = new AtomicLong(Long.MIN_VALUE);
        private final AtomicLong count = new AtomicLong();

        @Override
        public void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
            Duration due = LEASE.dividedBy(3);
            Duration deadline = LEASE.minus(LEASE.dividedBy(10));
            long late = deadline.minus(slack).minus(took).minus(due).toNanos();
            worst.accumulateAndGet(late, Math::max);
            count.incrementAndGet();
        }
    }
}
