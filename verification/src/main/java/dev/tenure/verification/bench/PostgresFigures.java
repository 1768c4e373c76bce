package dev.tenure.verification.bench;

import dev.tenure.jdbc.JdbcLeaseStore;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Statements and hand-overs on a real PostgreSQL, started for this.
 */
public final class PostgresFigures {
    private static final Duration LEASE = Duration.ofMinutes(10);
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private PostgresFigures() {}

    /**
     * Counts what an acquisition and a large renewal send, then measures hand-overs.
     */
    public static void measure(Figures figures) throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().start()) {
            StatementCount count = new StatementCount();
            try (LeaseStore store = JdbcLeaseStore.using(count.counting(server.getPostgresDatabase()))) {
                acquire(store, "warm");
                long before = count.statements();
                acquire(store, "counted");
                figures.add(
                        "PostgreSQL: statements of an acquisition", (double) (count.statements() - before), "", "1");
                renewMany(store, count, figures);
            }
            String url = server.getJdbcUrl("postgres", "postgres");
            HandOvers.report(figures, "PostgreSQL", HandOvers.measure(() -> JdbcLeaseStore.connect(url), 100), "<= 50");
        }
    }

    private static void renewMany(LeaseStore store, StatementCount count, Figures figures) {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            claims.add(acquire(store, "many-" + i));
        }
        long before = count.statements();
        long began = System.nanoTime();
        List<CompletionStage<RenewResult>> answers = store.renewAll(claims);
        long renewed = answers.stream()
                .filter(answer -> answer.toCompletableFuture().join() == RenewResult.RENEWED)
                .count();
        figures.add(
                "PostgreSQL: renewal of 10,000 claims", (double) (count.statements() - before), "statements", "<= 10");
        figures.add("PostgreSQL: the same", (double) (System.nanoTime() - began) / 1e6, "ms", "");
        figures.add("PostgreSQL: claims renewed", (double) renewed, "", "10000");
    }

    private static Claim acquire(LeaseStore store, String key) {
        Holder holder = new Holder("bench", "bench-" + key, Map.of());
        AcquireResult result = store.acquire(new AcquireRequest(key, holder, LEASE, 0, LIMIT))
                .toCompletableFuture()
                .join();
        long token = ((AcquireResult.Granted) result).token();
        return new Claim(key, holder, token, LEASE, LIMIT);
    }
}
