package dev.tenure.verification.bench;

import dev.tenure.LeaderElector;
import dev.tenure.LeaseStores;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Requests, connections, threads, hand-overs, and what happens after a kill and behind a cut link.
 */
public final class ConsulFigures {
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int COUNTED = 200;
    private static final int LEASES = 1_000;
    private static final int PERIODS = 4;
    private static final int ROLES = 6;
    private static final int WARM_UP = 30;
    private static final int HAND_OVERS = 100;
    private static final long SETTLE_MILLIS = 250;

    private ConsulFigures() {}

    /**
     * On an agent of its own; nothing is measured where there is no program.
     */
    public static void measure(Figures figures) throws Exception {
        try (ConsulAgent agent = ConsulAgent.start()) {
            if (agent == null) {
                System.out.println("bench: no consul: run build/servers.sh consul");
                return;
            }
            roundTrips(agent, figures);
            many(agent, figures);
            handOvers(agent, figures);
            ConsulTakeovers.measure(agent, figures);
            ConsulTakeovers.timeLine(agent, figures);
        }
    }

    private static void roundTrips(ConsulAgent agent, Figures figures) throws IOException {
        try (HttpCount link = new HttpCount(agent.port());
                LeaseStore store = LeaseStores.open(ConsulAgent.url(link.port()))) {
            List<Claim> claims = new ArrayList<>();
            count("an acquisition", "<= 2", link, figures, i -> claims.add(acquire(store, "counted-" + i)));
            count(
                    "a renewal of one",
                    "2",
                    link,
                    figures,
                    i -> join(store.renewAll(List.of(claims.get(i))).get(0)));
            count("a release", "2", link, figures, i -> join(store.release(claims.get(i))));
        }
    }

    private interface Step {
        void run(int i);
    }

    private static void count(String what, String aim, HttpCount link, Figures figures, Step step) {
        long before = link.requests();
        for (int i = 0; i < COUNTED; i++) {
            step.run(i);
        }
        figures.add("Consul: requests of " + what, (double) (link.requests() - before) / COUNTED, "", aim);
    }

    private static Claim acquire(LeaseStore store, String key) {
        Holder holder = new Holder("bench", "bench-" + key, Map.of());
        AcquireResult result = join(store.acquire(new AcquireRequest(key, holder, LEASE, 0, LIMIT)));
        return new Claim(key, holder, ((AcquireResult.Granted) result).token(), LEASE, LIMIT);
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void many(ConsulAgent agent, Figures figures) throws IOException, InterruptedException {
        long threadsBefore = threads();
        try (HttpCount link = new HttpCount(agent.port())) {
            Tenure tenure = Tenure.builder(LeaseStores.open(ConsulAgent.url(link.port())))
                    .defaults(options -> options.lease(LEASE))
                    .build();
            long began = System.nanoTime();
            List<LeaderElector> electors = IntStream.range(0, LEASES)
                    .mapToObj(i -> tenure.elector("role-" + i).start())
                    .toList();
            for (LeaderElector elector : electors) {
                elector.awaitLeadership();
            }
            String what = "Consul, 1,000 leases: ";
            figures.add(what + "started and won", (double) (System.nanoTime() - began) / 1e9, "s", "");
            long seconds = LEASE.toSeconds() / 3;
            rest(TimeUnit.SECONDS.toMillis(seconds));
            long before = link.requests();
            int connections = 0;
            for (int i = 0; i < PERIODS; i++) {
                rest(TimeUnit.SECONDS.toMillis(seconds));
                connections = Math.max(connections, link.connections());
            }
            double perSecond = (double) (link.requests() - before) / (PERIODS * seconds);
            figures.add(what + "requests per second", perSecond, "", "<= 350");
            figures.add(what + "connections", (double) connections, "", "<= 8");
            figures.add(what + "own threads at rest", (double) (threads() - threadsBefore), "", "<= 4");
            long led = electors.stream().filter(LeaderElector::isLeader).count();
            figures.add(what + "still leading", (double) led, "", "1000");
            long closing = System.nanoTime();
            tenure.close();
            figures.add(what + "closed", (double) (System.nanoTime() - closing) / 1e9, "s", "");
        }
    }

    /**
     * Of six roles in turn, between two that stand for all of them.
     */
    private static void handOvers(ConsulAgent agent, Figures figures) throws InterruptedException {
        List<Long> took = new ArrayList<>();
        try (Tenure one = Tenure.builder(agent.url()).instance("one").build();
                Tenure other = Tenure.builder(agent.url()).instance("other").build()) {
            List<OwnedLease> held = new ArrayList<>();
            List<Tenure> holders = new ArrayList<>();
            for (int i = 0; i < ROLES; i++) {
                holders.add(one);
                held.add(one.acquire("hand-over-" + i));
            }
            for (int i = 0; i < WARM_UP + HAND_OVERS; i++) {
                int role = i % ROLES;
                Tenure next = holders.get(role) == one ? other : one;
                CompletableFuture<OwnedLease> waiting = next.acquireAsync("hand-over-" + role);
                rest(SETTLE_MILLIS);
                long released = System.nanoTime();
                held.get(role).release();
                held.set(role, waiting.join());
                holders.set(role, next);
                if (i >= WARM_UP) {
                    took.add(System.nanoTime() - released);
                }
            }
            held.forEach(OwnedLease::close);
        }
        HandOvers.report(figures, "Consul, six roles", took, "<= 50");
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name ->
                        name.startsWith("tenure") || name.startsWith("HttpClient") || name.startsWith("Cleaner"))
                .count();
    }

    static void rest(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    }
}
