package dev.tenure.verification.bench;

import dev.tenure.LeaderElector;
import dev.tenure.LeaseStores;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ten thousand elections in one process, all won, and what of it the server sees.
 */
final class RedisMany {
    private static final int COUNT = 10_000;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int PERIOD_SECONDS = 5;
    private static final int PERIODS = 4;

    private RedisMany() {}

    static void measure(RedisServer server, Figures figures) throws InterruptedException {
        Tenure tenure = Tenure.builder(LeaseStores.open(server.url()))
                .defaults(options -> options.lease(LEASE))
                .build();
        List<LeaderElector> electors = new ArrayList<>(COUNT);
        electors.add(tenure.elector("role-0").start());
        electors.get(0).awaitLeadership();
        rest(PERIOD_SECONDS);
        int threadsOfOne = threads();
        server.forget();
        long began = System.nanoTime();
        for (int i = 1; i < COUNT; i++) {
            electors.add(tenure.elector("role-" + i).start());
        }
        for (LeaderElector elector : electors) {
            elector.awaitLeadership();
        }
        figures.add("Redis, 10,000 elections: started and won", (double) (System.nanoTime() - began) / 1e9, "s", "");
        slowness("start", server, figures);
        figures.add("Redis, 10,000 elections: start: new connections", (double) server.connectionsMade(), "", "0");
        rest(PERIOD_SECONDS);
        server.forget();
        long scripts = server.scripts();
        rest(PERIODS * PERIOD_SECONDS);
        double calls = (double) (server.scripts() - scripts) / PERIODS;
        figures.add("Redis, 10,000 elections: scripts per renewal period", calls, "", "<= 200");
        slowness("renewals", server, figures);
        figures.add("Redis, 10,000 elections: connections", (double) server.connections(), "", "2");
        figures.add(
                "Redis, 10,000 elections: threads beyond those of one", (double) (threads() - threadsOfOne), "", "0");
        pauses(figures);
        long led = electors.stream().filter(LeaderElector::isLeader).count();
        figures.add("Redis, 10,000 elections: still leading", (double) led, "", "10000");
        long closing = System.nanoTime();
        tenure.close();
        figures.add("Redis, 10,000 elections: closed", (double) (System.nanoTime() - closing) / 1e9, "s", "");
    }

    /**
     * Counts pauses that the machine makes, not the server.
     */
    private static void pauses(Figures figures) {
        long longest = 0;
        long last = System.nanoTime();
        for (long end = last + TimeUnit.SECONDS.toNanos(PERIOD_SECONDS); last < end; ) {
            long now = System.nanoTime();
            longest = Math.max(longest, now - last);
            last = now;
        }
        figures.add("longest pause of a busy loop, 5 s", (double) longest / 1e3, "µs", "(for comparison)");
    }

    private static void slowness(String when, RedisServer server, Figures figures) {
        String what = "Redis, 10,000 elections: " + when + ": ";
        figures.add(what + "scripts over 1 ms", (double) server.slowScripts(), "", "0");
        figures.add(what + "median of scripts", server.scriptMicros("p50"), "µs", "");
        figures.add(what + "p99 of scripts", server.scriptMicros("p99"), "µs", "");
        figures.add(what + "slowest script", server.scriptMicros("p100"), "µs", "<= 1000");
    }

    private static int threads() {
        return Thread.getAllStackTraces().size();
    }

    private static void rest(int seconds) throws InterruptedException {
        if (new CountDownLatch(1).await(seconds, TimeUnit.SECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    }
}
