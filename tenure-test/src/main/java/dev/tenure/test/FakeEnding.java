package dev.tenure.test;

import dev.tenure.ReleaseOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How far the end of one term has come, and who is to be told of its outcome. Completes nothing under its lock.
 */
final class FakeEnding {
    private final FakeCode code;
    private final List<CompletableFuture<ReleaseOutcome>> waiting = new ArrayList<>();
    private @Nullable ReleaseOutcome settled;
    private long since = -1;
    private boolean held;

    FakeEnding(FakeCode code) {
        this.code = code;
    }

    /**
     * True the first time.
     */
    synchronized boolean begin(long now) {
        if (since >= 0) {
            return false;
        }
        since = now;
        return true;
    }

    synchronized boolean isBegun() {
        return since >= 0;
    }

    /**
     * When it began; negative if it has not.
     */
    synchronized long since() {
        return since;
    }

    /**
     * Drains until it is told that work is done.
     */
    synchronized void hold() {
        held = true;
        code.begin();
    }

    /**
     * No effect unless it is held.
     */
    void letGo() {
        if (takeHold()) {
            code.done();
        }
    }

    private synchronized boolean takeHold() {
        boolean was = held;
        held = false;
        return was;
    }

    /**
     * The outcome, when it is known; {@code NOT_HOLDER} if it is already.
     */
    CompletableFuture<ReleaseOutcome> outcome() {
        CompletableFuture<ReleaseOutcome> outcome = new CompletableFuture<>();
        if (!waits(outcome)) {
            outcome.complete(ReleaseOutcome.NOT_HOLDER);
        }
        return outcome;
    }

    private synchronized boolean waits(CompletableFuture<ReleaseOutcome> outcome) {
        return settled == null && waiting.add(outcome);
    }

    /**
     * True if nothing is known yet.
     */
    synchronized boolean isOpen() {
        return settled == null;
    }

    /**
     * Whether this is the outcome; nobody is told yet. The first one stays.
     */
    synchronized boolean claim(ReleaseOutcome outcome) {
        boolean first = settled == null;
        settled = first ? outcome : settled;
        return first;
    }

    /**
     * Tells who waits, after {@link #claim}.
     */
    void tell(ReleaseOutcome outcome) {
        take().forEach(each -> each.complete(outcome));
    }

    private synchronized List<CompletableFuture<ReleaseOutcome>> take() {
        List<CompletableFuture<ReleaseOutcome>> all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }
}
