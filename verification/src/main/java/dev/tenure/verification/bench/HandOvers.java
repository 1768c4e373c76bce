package dev.tenure.verification.bench;

import dev.tenure.LeaseStores;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.spi.LeaseStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * From the release by one to the lease of another that waits.
 */
public final class HandOvers {
    private static final Duration SETTLE = Duration.ofMillis(120);
    private static final int WARM_UP = 100;

    private HandOvers() {}

    /**
     * Two candidates on one memory store.
     */
    public static void memory(Figures figures) throws Exception {
        LeaseStore store = LeaseStores.inMemory();
        List<Long> took = measure(() -> store, 300);
        report(figures, "memory", took, "<= 5");
        report(figures, "five idle threads, for comparison", threads(300), "");
    }

    /**
     * What waking threads one after another costs here, as many as a hand-over in memory wakes.
     */
    private static List<Long> threads(int rounds) throws InterruptedException {
        List<ExecutorService> chain =
                Stream.generate(Executors::newSingleThreadExecutor).limit(4).toList();
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            CompletableFuture<Void> arrived = new CompletableFuture<>();
            settle();
            long started = System.nanoTime();
            Runnable next = () -> arrived.complete(null);
            for (ExecutorService thread : chain) {
                Runnable last = next;
                next = () -> thread.execute(last);
            }
            next.run();
            arrived.join();
            took.add(System.nanoTime() - started);
        }
        chain.forEach(ExecutorService::shutdown);
        return took;
    }

    /**
     * Two on one SQLite file, which are not woken but ask.
     */
    public static void sqlite(Figures figures) throws Exception {
        Path folder = Files.createTempDirectory("tenure-bench");
        try {
            String url = "jdbc:sqlite:" + folder.resolve("bench.db");
            List<Long> took = measure(() -> LeaseStores.open(url), 100);
            report(figures, "SQLite", took, "<= poll interval + 50 = 250");
        } finally {
            delete(folder);
        }
    }

    static void report(Figures figures, String store, List<Long> took, String aim) {
        figures.add("hand-over, " + store + ", median", (double) Figures.percentile(took, 0.5) / 1e6, "ms", "");
        figures.add(
                "hand-over, " + store + ", p99 of " + took.size(),
                (double) Figures.percentile(took, 0.99) / 1e6,
                "ms",
                aim);
    }

    /**
     * Candidates ask every 100 to 200 ms where they are not woken.
     */
    static List<Long> measure(Supplier<LeaseStore> stores, int rounds) throws InterruptedException {
        List<Long> took = new ArrayList<>();
        try (Tenure one = tenure(stores.get());
                Tenure other = tenure(stores.get())) {
            OwnedLease held = one.acquire("hand-over");
            for (int i = 0; i < rounds + WARM_UP; i++) {
                Tenure next = i % 2 == 0 ? other : one;
                var waiting = next.acquireAsync("hand-over");
                settle();
                long released = System.nanoTime();
                held.release();
                held = waiting.join();
                if (i >= WARM_UP) {
                    took.add(System.nanoTime() - released);
                }
            }
            held.close();
        }
        return took;
    }

    private static Tenure tenure(LeaseStore store) {
        return Tenure.builder(store)
                .defaults(
                        options -> options.retryInterval(Duration.ofMillis(100)).retryJitter(Duration.ofMillis(100)))
                .build();
    }

    private static void settle() throws InterruptedException {
        if (new CountDownLatch(1).await(SETTLE.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("nobody counts down");
        }
    }

    private static void delete(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }
}
