package dev.tenure.consul;

import dev.tenure.spi.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * What this process knows about one incarnation's session and grant. What changes the session runs in order.
 */
final class Term {
    /**
     * One moment of it.
     *
     * @param session empty if there is none
     * @param json the key's value while it holds it
     * @param token 0 before it was granted
     * @param index the key's ModifyIndex while it holds it
     */
    record State(String session, Value value, String json, long token, long index) {}

    final String key;
    final Holder holder;
    private State state;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);
    private volatile boolean ended;
    private boolean unsure;
    private volatile boolean unlocked;
    private volatile boolean doubtful;
    private volatile boolean prolonging;
    private volatile long touchedAt = System.nanoTime();

    Term(String key, Holder holder) {
        this.key = key;
        this.holder = holder;
        Value none = new Value(holder, Optional.empty(), Duration.ZERO, 0, false);
        state = new State("", none, "", 0, 0);
    }

    synchronized State state() {
        return state;
    }

    synchronized void without() {
        state = new State("", state.value(), "", 0, 0);
    }

    /**
     * A new session, not yet granted.
     */
    synchronized void with(String session, Duration lease) {
        Value value = new Value(holder, Optional.of(Instant.now()), lease, 0, false);
        state = new State(session, value, value.json(session), 0, 0);
        unsure = false;
    }

    /**
     * A request to lock is to be sent. The term begins now, unless an earlier request may still be carried out: then the
     * same value has to be sent again.
     *
     * @return whether all earlier ones have been refused
     */
    synchronized boolean locking() {
        boolean sure = !unsure;
        if (sure && state.token() == 0) {
            with(state.session(), state.value().lease());
        }
        unsure = true;
        return sure;
    }

    /**
     * The request was refused.
     *
     * @param sure what {@link #locking} told
     */
    synchronized void refused(boolean sure) {
        unsure = !sure;
    }

    synchronized void granted(String session, long index) {
        if (state.session().equals(session)) {
            state = new State(
                    session, state.value(), state.json(), state.value().tokenAt(index), index);
        }
    }

    /**
     * As the store has it.
     */
    synchronized void adopt(Entry entry, Value value) {
        state = new State(entry.session(), value, entry.value(), value.tokenAt(entry.index()), entry.index());
    }

    synchronized void prolonged(String session, Value value, String json, long index) {
        state = new State(session, value, json, state.token(), index);
    }

    /**
     * Runs after all earlier ones have ended, however they did.
     */
    synchronized <T> CompletableFuture<T> inOrder(Supplier<? extends CompletionStage<T>> step) {
        touchedAt = System.nanoTime();
        CompletableFuture<T> next = last.handle((value, failed) -> 0).thenCompose(done -> step.get());
        last = next;
        return next;
    }

    void end() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    /**
     * Its key was given back; its session may still have to be destroyed.
     */
    void unlocked() {
        unlocked = true;
    }

    boolean wasUnlocked() {
        return unlocked;
    }

    /**
     * An unlocking was sent whose answer has not come.
     */
    void doubtful(boolean doubt) {
        doubtful = doubt;
    }

    boolean isDoubtful() {
        return doubtful;
    }

    /**
     * A longer session was to take the key, and that has not been answered.
     */
    void prolonging(boolean unanswered) {
        prolonging = unanswered;
    }

    boolean isProlonging() {
        return prolonging;
    }

    void touch() {
        touchedAt = System.nanoTime();
    }

    boolean isForgotten(long now) {
        Duration lease = state().value().lease();
        return now - touchedAt > lease.multipliedBy(2).plusSeconds(60).toNanos();
    }
}
