package dev.tenure.verification.bench;

import dev.tenure.LeaseStores;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Round trips, their time beside that of a script that does nothing, and all that takes more than one process.
 */
public final class RedisFigures {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int COUNTED = 500;
    private static final int WARM_UP = 20_000;
    private static final int TIMED = 10_000;

    private RedisFigures() {}

    /**
     * On a server of its own; nothing is measured where there is no server program.
     */
    public static void measure(Figures figures) throws Exception {
        try (RedisServer server = RedisServer.start()) {
            if (server == null) {
                System.out.println("bench: no redis-server: run build/servers.sh redis");
                return;
            }
            try (LeaseStore store = LeaseStores.open(server.url())) {
                roundTrips(store, server, figures);
                times(store, server, figures);
            }
            RedisMany.measure(server, figures);
            HandOvers.report(figures, "Redis", HandOvers.measure(() -> LeaseStores.open(server.url()), 200), "<= 50");
            RedisTakeovers.measure(server, figures);
        }
    }

    private static void roundTrips(LeaseStore store, RedisServer server, Figures figures) {
        Claim warm = acquire(store, "warm"); // connects, and the server learns the scripts
        renew(store, warm);
        release(store, warm);
        List<Claim> claims = new ArrayList<>();
        count("an acquisition", server, figures, i -> claims.add(acquire(store, "counted-" + i)));
        count("a renewal", server, figures, i -> renew(store, claims.get(i)));
        count("a release", server, figures, i -> release(store, claims.get(i)));
    }

    private interface Step {
        void run(int i);
    }

    private static void count(String what, RedisServer server, Figures figures, Step step) {
        long scripts = server.scripts();
        long reads = server.reads();
        for (int i = 0; i < COUNTED; i++) {
            step.run(i);
        }
        double requests = (double) (server.reads() - reads - 1) / COUNTED;
        double run = (double) (server.scripts() - scripts) / COUNTED;
        figures.add("Redis: requests of " + what + ", at the server", requests, "", "1");
        figures.add("Redis: scripts of " + what + ", at the server", run, "", "1");
    }

    private static void times(LeaseStore store, RedisServer server, Figures figures) {
        ClientResources resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .build();
        RedisClient client = RedisClient.create(resources, server.url());
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            Map<String, List<Long>> took = new LinkedHashMap<>();
            RedisAsyncCommands<String, String> bare = connection.async();
            String digest = connection.sync().scriptLoad("return 1");
            for (int i = 0; i < WARM_UP + TIMED; i++) {
                Map<String, List<Long>> to = i < WARM_UP ? new LinkedHashMap<>() : took;
                String key = "timed-" + i;
                time(to, "bare", () -> bare(bare, digest));
                Claim[] claim = new Claim[1];
                time(to, "acquisition", () -> claim[0] = acquire(store, key));
                time(to, "bare", () -> bare(bare, digest));
                time(to, "renewal", () -> renew(store, claim[0]));
                time(to, "bare", () -> bare(bare, digest));
                time(to, "release", () -> release(store, claim[0]));
            }
            double least = median(took, "bare");
            figures.add("Redis: script that does nothing, median", least, "µs", "(for comparison)");
            for (String what : List.of("acquisition", "renewal", "release")) {
                figures.add("Redis: " + what + ", median, beyond that", median(took, what) - least, "µs", "<= 60");
            }
        } finally {
            client.shutdown();
            resources.shutdown();
        }
    }

    private static double median(Map<String, List<Long>> took, String what) {
        return (double) Figures.percentile(took.getOrDefault(what, List.of()), 0.5) / 1e3;
    }

    private static void time(Map<String, List<Long>> to, String what, Runnable step) {
        long began = System.nanoTime();
        step.run();
        to.computeIfAbsent(what, none -> new ArrayList<>()).add(System.nanoTime() - began);
    }

    private static void bare(RedisAsyncCommands<String, String> redis, String digest) {
        join(redis.evalsha(digest, ScriptOutputType.INTEGER, new String[0]));
    }

    private static Claim acquire(LeaseStore store, String key) {
        Holder holder = new Holder("bench", "bench-" + key, Map.of());
        AcquireResult result = join(store.acquire(new AcquireRequest(key, holder, LEASE, 0, LIMIT)));
        return new Claim(key, holder, ((AcquireResult.Granted) result).token(), LEASE, LIMIT);
    }

    private static void renew(LeaseStore store, Claim claim) {
        join(store.renewAll(List.of(claim)).get(0));
    }

    private static void release(LeaseStore store, Claim claim) {
        join(store.release(claim));
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }
}
