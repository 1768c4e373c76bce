package dev.tenure.verification.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
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

/**
 * How long a role is without a leader after a kill, and the time line of a holder whose link is cut.
 */
final class ConsulTakeovers {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final String LOCK_DELAY = "?lockDelay=1s";

    /** Twice the lease, the lock delay, and 250 ms. */
    private static final Duration AIM = LEASE.multipliedBy(2).plusMillis(1_250);

    private static final int KILLS = 10;

    /** That are woken by a query of their own. */
    private static final int ROLES_OF_A_CANDIDATE = 5;

    /** So that kills come at all times between two renewals. */
    private static final long STEP_MILLIS = 370;

    private static final long POLL_MILLIS = 20;

    private ConsulTakeovers() {}

    /**
     * All at the same time, each leader a process.
     */
    static void measure(ConsulAgent agent, Figures figures) throws IOException, InterruptedException {
        List<Process> leaders = new ArrayList<>();
        List<Tenure> candidates = new ArrayList<>();
        List<CompletableFuture<Long>> taken = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            if (i % ROLES_OF_A_CANDIDATE == 0) {
                candidates.add(tenure(agent.url()));
            }
            leaders.add(start(agent.url(), "killed-" + i));
            Tenure candidate = candidates.get(candidates.size() - 1);
            taken.add(candidate.acquireAsync("killed-" + i).thenApply(ConsulTakeovers::releasedAt));
        }
        List<Long> killed = new ArrayList<>();
        for (Process leader : leaders) {
            ConsulFigures.rest(STEP_MILLIS);
            killed.add(System.nanoTime());
            leader.destroyForcibly().waitFor();
        }
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < KILLS; i++) {
            took.add(taken.get(i).join() - killed.get(i));
        }
        candidates.forEach(Tenure::close);
        long within = took.stream().filter(each -> each <= AIM.toNanos()).count();
        String what = "Consul: take-over after a kill, lease 10 s, lock delay 1 s, ";
        figures.add(what + "median", (double) Figures.percentile(took, 0.5) / 1e6, "ms", "");
        figures.add(what + "longest", (double) Figures.percentile(took, 1) / 1e6, "ms", "<= 21250");
        figures.add(what + "within 21,250 ms", (double) within, "of " + KILLS, Integer.toString(KILLS));
    }

    private static long releasedAt(OwnedLease lease) {
        long now = System.nanoTime();
        lease.release();
        return now;
    }

    private static Tenure tenure(String url) {
        return Tenure.builder(LeaseStores.open(url + LOCK_DELAY))
                .defaults(options -> options.lease(LEASE))
                .build();
    }

    /**
     * With all defaults: lease and lock delay 15 s. Counted from the last renewal that the agent saw.
     */
    static void timeLine(ConsulAgent agent, Figures figures) throws IOException, InterruptedException {
        String role = "cut-off";
        try (HttpCount link = new HttpCount(agent.port());
                Tenure holder = Tenure.connect(ConsulAgent.url(link.port()));
                Tenure candidate =
                        Tenure.builder(agent.url()).instance("candidate").build()) {
            Lease lease = holder.elector(role).start().awaitLeadership();
            String session = agent.session(role);
            CompletableFuture<Long> lost = new CompletableFuture<>();
            CompletableFuture<Long> taken = new CompletableFuture<>();
            lease.onLost(reason -> {
                System.out.println("bench: the lease ended: " + reason);
                lost.complete(System.nanoTime());
            });
            LeaderElector successor = candidate.elector(role);
            successor.onChange(next -> taken.complete(System.nanoTime()), (next, reason) -> {});
            successor.start();
            Duration before = lease.remaining();
            while (lease.remaining().compareTo(before) <= 0) {
                ConsulFigures.rest(POLL_MILLIS);
            }
            link.cut();
            long renewed = link.lastRequest();
            while (!agent.isGone(session)) {
                ConsulFigures.rest(POLL_MILLIS);
            }
            long gone = System.nanoTime();
            String what = "Consul: defaults, cut off after a renewal at 0: ";
            figures.add(what + "lost", seconds(lost.join() - renewed), "s", "13.5");
            figures.add(what + "session gone", seconds(gone - renewed), "s", "15 to 30");
            figures.add(what + "successor", seconds(taken.join() - renewed), "s", "30 to 45.25");
        }
    }

    private static double seconds(long nanos) {
        return (double) nanos / 1e9;
    }

    /**
     * Returns when it leads.
     */
    private static Process start(String url, String role) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx64m",
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
