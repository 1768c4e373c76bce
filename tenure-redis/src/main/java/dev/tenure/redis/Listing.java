package dev.tenure.redis;

import dev.tenure.spi.LeaseRecord;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * All records, by a scan of the whole database: for people. What changes meanwhile may be missed.
 */
final class Listing {
    private static final int AT_ONCE = 500;

    private final Scripts scripts;
    private final Keys keys;
    private final Map<String, LeaseRecord> found = new TreeMap<>();

    Listing(Scripts scripts, Keys keys) {
        this.scripts = scripts;
        this.keys = keys;
    }

    CompletionStage<List<LeaseRecord>> all() {
        return from(ScanCursor.INITIAL);
    }

    private CompletionStage<List<LeaseRecord>> from(ScanCursor cursor) {
        ScanArgs matching = ScanArgs.Builder.limit(AT_ONCE).match(keys.pattern());
        return scripts.call(server -> server.scan(cursor, matching).thenApply(page -> page))
                .thenCompose(page -> readAll(page.getKeys())
                        .thenCompose(done -> page.isFinished()
                                ? CompletableFuture.completedStage(List.copyOf(found.values()))
                                : from(page)));
    }

    private CompletionStage<Void> readAll(List<String> records) {
        List<CompletableFuture<?>> reads = new ArrayList<>();
        for (String record : records) {
            String key = keys.keyOf(record);
            if (key != null) {
                reads.add(scripts.run(Script.READ, List.of(record), List.of(), Scripts.PATIENCE)
                        .thenAccept(answer -> add(Answers.read(key, answer)))
                        .toCompletableFuture());
            }
        }
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new));
    }

    private synchronized void add(Optional<LeaseRecord> record) {
        record.ifPresent(present -> found.put(present.key(), present));
    }
}
