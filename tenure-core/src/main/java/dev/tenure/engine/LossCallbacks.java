package dev.tenure.engine;

import dev.tenure.LossReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who is to be told of the end of a term. Calls nobody, so that it may lock.
 */
final class LossCallbacks {
    private final List<Entry> waiting = new ArrayList<>();
    private @Nullable LossReason reason;
    private boolean lapsed;

    /**
     * One registration; the same callback registered twice is two.
     */
    static final class Entry {
        private final Consumer<? super LossReason> call;

        Entry(Consumer<? super LossReason> call) {
            this.call = call;
        }

        Consumer<? super LossReason> call() {
            return call;
        }
    }

    /**
     * Lists it, unless the term has ended; then says why.
     */
    synchronized Optional<LossReason> add(Entry entry) {
        if (reason == null) {
            waiting.add(entry);
        }
        return Optional.ofNullable(reason);
    }

    /**
     * False if it was not there any more.
     */
    synchronized boolean remove(Entry entry) {
        return waiting.remove(entry);
    }

    /**
     * All who are to be told, each of whom is then taken by {@link #remove}; empty after the first time.
     */
    synchronized Optional<List<Entry>> end(LossReason why) {
        if (reason != null) {
            return Optional.empty();
        }
        reason = why;
        return Optional.of(List.copyOf(waiting));
    }

    /**
     * True the first time.
     */
    synchronized boolean lapse() {
        boolean first = !lapsed;
        lapsed = true;
        return first;
    }
}
