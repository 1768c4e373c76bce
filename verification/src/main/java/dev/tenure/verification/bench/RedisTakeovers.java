package dev.tenure.verification.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.LeaseStores;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * From the kill of a leader's process to the lease of another that waits.
 */
final class RedisTakeovers {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration BEYOND = Duration.ofMillis(150);
    private static final int ROUNDS = 30;

    /** So that kills come at all times between two renewals. */
    private static final long SETTLE_MILLIS = 300;

    private static final long STEP_MILLIS = 23;

    private RedisTakeovers() {}

    static void measure(RedisServer server, Figures figures) throws IOException, InterruptedException {
        List<Long> took = new ArrayList<>();
        List<Long> afterEnd = new ArrayList<>();
        try (Tenure tenure = tenure(server.url())) {
            for (int i = 0; i < ROUNDS; i++) {
                String role = "killed-" + i;
                Process leader = start(server.url(), role);
                CompletableFuture<OwnedLease> waiting = tenure.acquireAsync(role);
                rest(SETTLE_MILLIS + i * STEP_MILLIS);
                long killed = System.nanoTime();
                leader.destroyForcibly().waitFor();
                long left = server.control().pttl("tenure:lock:leader:" + role);
                long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(left);
                OwnedLease lease = waiting.join();
                long now = System.nanoTime();
                lease.release();
                took.add(now - killed);
                afterEnd.add(now - end);
            }
        }
        long within = took.stream()
                .filter(each -> each <= LEASE.plus(BEYOND).toNanos())
                .count();
        figures.add("Redis: take-over after a kill, lease 2 s, longest", millis(took, 1), "ms", "<= 2150");
        figures.add("Redis: the same, within 2,150 ms", (double) within, "of " + ROUNDS, Integer.toString(ROUNDS));
        figures.add("Redis: the same, after the record's end, median", millis(afterEnd, 0.5), "ms", "");
        figures.add("Redis: the same, after the record's end, p90", millis(afterEnd, 0.9), "ms", "");
        figures.add("Redis: the same, after the record's end, longest", millis(afterEnd, 1), "ms", "<= 150");
    }

    private static double millis(List<Long> samples, double part) {
        return (double) Figures.percentile(samples, part) / 1e6;
    }

    private static Tenure tenure(String url) {
        return Tenure.builder(LeaseStores.open(url))
                .defaults(options -> options.lease(LEASE))
                .build();
    }

    /**
     * Returns when it leads.
     */
    private static Process start(String url, String role) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Leader.class.getName(),
                        url,
                        role)
                .redirectError(Redirect.INHERIT)
                .start();
        BufferedReader told = process.inputReader(UTF_8);
        if (!"leads".equals(told.readLine())) {
            throw new IllegalStateException("the leader's process ended");
        }
        return process;
    }

    private static void rest(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    }

    /**
     * The program of the process that gets killed; it ends with the one that started it.
     */
    static final class Leader {
        private Leader() {}

        public static void main(String[] arguments) throws IOException, InterruptedException {
            try (Tenure tenure = tenure(arguments[0])) {
                tenure.elector(arguments[1]).start().awaitLeadership();
                System.out.println("leads");
                while (System.in.read() >= 0) {
                    // nothing is said
                }
            }
        }
    }
}
