package dev.tenure.test;

import dev.tenure.LossReason;
import dev.tenure.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What tells user code of the end of one term. Calls nobody under its lock.
 */
final class FakeSignals {
    private static final String CALLBACK = "onLost callback";

    private final FakeFailures failures;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> lapsed = new CompletableFuture<>();
    private final List<Entry> waiting = new ArrayList<>();
    private @Nullable LossReason reason;

    /**
     * One registration; the same callback registered twice is two.
     */
    private static final class Entry {
        private final Consumer<? super LossReason> callback;

        Entry(Consumer<? super LossReason> callback) {
            this.callback = callback;
        }
    }

    FakeSignals(FakeFailures failures) {
        this.failures = failures;
    }

    CompletionStage<LossReason> lostStage() {
        return lost.minimalCompletionStage();
    }

    CompletionStage<Void> lapsedStage() {
        return lapsed.minimalCompletionStage();
    }

    Registration onLost(Consumer<? super LossReason> callback) {
        Entry entry = new Entry(callback);
        add(entry).ifPresent(past -> failures.guard(CALLBACK, () -> callback.accept(past)));
        return () -> take(entry);
    }

    private synchronized Optional<LossReason> add(Entry entry) {
        if (reason == null) {
            waiting.add(entry);
        }
        return Optional.ofNullable(reason);
    }

    private synchronized boolean take(Entry entry) {
        return waiting.remove(entry);
    }

    private synchronized List<Entry> end(LossReason why) {
        reason = why;
        return List.copyOf(waiting);
    }

    void lost(LossReason why) {
        List<Entry> all = end(why);
        lost.complete(why);
        for (Entry entry : all) {
            if (take(entry)) {
                failures.guard(CALLBACK, () -> entry.callback.accept(why));
            }
        }
    }

    void lapsed() {
        lapsed.complete(null);
    }
}
