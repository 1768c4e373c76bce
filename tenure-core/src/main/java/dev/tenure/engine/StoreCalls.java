package dev.tenure.engine;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * Carries requests to the store and answers to the loop, every one of them, however late. Called on the loop's thread.
 */
final class StoreCalls {
    private final LeaseStore store;
    private final ElectionLoop loop;
    private final List<RenewalBatch.Entry> renewals = new ArrayList<>();
    private volatile boolean everAnswered;

    StoreCalls(LeaseStore store, ElectionLoop loop) {
        this.store = store;
        this.loop = loop;
    }

    LeaseStore store() {
        return store;
    }

    /**
     * Whether the store has ever answered this process.
     */
    boolean everAnswered() {
        return everAnswered;
    }

    /**
     * Something else than an election was answered.
     */
    void hasAnswered() {
        everAnswered = true;
    }

    void acquire(Participant asker, Call call, Holder holder) {
        Timing timing = asker.timing();
        AcquireRequest request = new AcquireRequest(
                asker.key(), holder, Duration.ofNanos(timing.lease()), call.floor(), Duration.ofNanos(timing.call()));
        ask(asker, call, () -> store.acquire(request), result -> new Event.Acquired(call, result));
    }

    void release(Participant asker, Call call, Holder holder) {
        Claim claim = claim(asker, call, holder);
        ask(asker, call, () -> store.release(claim), freed -> new Event.Released(call, freed));
    }

    /**
     * Sent at the end of the turn, with others.
     */
    void renew(Participant asker, Call call, Holder holder) {
        renewals.add(new RenewalBatch.Entry(asker, call, claim(asker, call, holder)));
        loop.batching();
    }

    void flush() {
        if (!renewals.isEmpty()) {
            List<RenewalBatch.Entry> batch = List.copyOf(renewals);
            renewals.clear();
            new RenewalBatch(this, batch).send();
        }
    }

    private static Claim claim(Participant asker, Call call, Holder holder) {
        Timing timing = asker.timing();
        return new Claim(
                asker.key(), holder, call.token(), Duration.ofNanos(timing.lease()), Duration.ofNanos(timing.call()));
    }

    private interface Request<T> {
        CompletionStage<T> send();
    }

    private <T> void ask(Participant asker, Call call, Request<T> request, Function<T, Event> event) {
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(request.send(), "the store gave no stage");
        } catch (Throwable thrown) {
            failed(asker, call, thrown);
            return;
        }
        stage.whenComplete((answer, error) -> {
            if (error != null || answer == null) {
                failed(asker, call, error != null ? error : noAnswer());
            } else {
                answered(asker, event.apply(answer));
            }
        });
    }

    /**
     * A store that breaks its contract says nothing.
     */
    static Throwable noAnswer() {
        return new IllegalStateException("the store answered null");
    }

    void answered(Participant asker, Event event) {
        everAnswered = true;
        loop.post(() -> asker.deliver(event));
    }

    void failed(Participant asker, Call call, Throwable error) {
        Throwable cause = cause(error);
        boolean answeredBefore = everAnswered;
        loop.post(() -> asker.deliver(new Event.Failed(call, cause, answeredBefore)));
    }

    void onLoop(Runnable task) {
        loop.post(task);
    }

    static Throwable cause(Throwable error) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
