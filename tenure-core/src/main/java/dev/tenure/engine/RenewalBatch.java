package dev.tenure.engine;

import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Renewals that go out in one call. One that fails as a whole is sent again in halves, and those in theirs, so
 * that a single bad claim costs the others nothing; only a few times over if nothing is answered, so that a store that
 * is down is not flooded.
 */
final class RenewalBatch {
    private static final int MOST_SPLITS = 3;

    record Entry(Participant asker, Call call, Claim claim) {}

    private final StoreCalls calls;
    private final List<Entry> entries;
    private final int splits;
    private final AtomicBoolean someAnswered;
    private final @Nullable Throwable[] errors;
    private final AtomicInteger open;
    private final AtomicInteger answered = new AtomicInteger();

    RenewalBatch(StoreCalls calls, List<Entry> entries) {
        this(calls, entries, 0, new AtomicBoolean());
    }

    /**
     * @param splits how often it was halved
     * @param someAnswered whether any part of the whole had an answer, so that the store is not down
     */
    private RenewalBatch(StoreCalls calls, List<Entry> entries, int splits, AtomicBoolean someAnswered) {
        this.calls = calls;
        this.entries = entries;
        this.splits = splits;
        this.someAnswered = someAnswered;
        this.errors = new Throwable[entries.size()];
        this.open = new AtomicInteger(entries.size());
    }

    void send() {
        List<CompletionStage<RenewResult>> stages;
        try {
            stages = calls.store().renewAll(entries.stream().map(Entry::claim).toList());
            if (stages.size() != entries.size() || stages.stream().anyMatch(Objects::isNull)) {
                throw new IllegalStateException(
                        "renewAll gave " + stages.size() + " stages for " + entries.size() + " claims, or null ones");
            }
        } catch (Throwable thrown) {
            Arrays.fill(errors, thrown);
            finish();
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            int index = i;
            stages.get(i).whenComplete((result, error) -> one(index, result, error));
        }
    }

    private void one(int index, @Nullable RenewResult result, @Nullable Throwable error) {
        if (error == null && result != null) {
            answered.incrementAndGet();
            someAnswered.set(true);
            Entry entry = entries.get(index);
            calls.answered(entry.asker(), new Event.Renewed(entry.call(), result));
        } else {
            errors[index] = error != null ? error : StoreCalls.noAnswer();
        }
        if (open.decrementAndGet() == 0) {
            finish();
        }
    }

    private void finish() {
        int half = entries.size() / 2;
        if (answered.get() == 0 && half > 0 && (splits < MOST_SPLITS || someAnswered.get())) {
            calls.onLoop(this::split);
            return;
        }
        for (int i = 0; i < entries.size(); i++) {
            Throwable error = errors[i];
            if (error != null) {
                calls.failed(entries.get(i).asker(), entries.get(i).call(), error);
            }
        }
    }

    private void split() {
        int half = entries.size() / 2;
        List<Entry> first = new ArrayList<>(entries.subList(0, half));
        List<Entry> second = new ArrayList<>(entries.subList(half, entries.size()));
        new RenewalBatch(calls, first, splits + 1, someAnswered).send();
        new RenewalBatch(calls, second, splits + 1, someAnswered).send();
    }
}
