package dev.tenure;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One term of leadership: valid until lost, never again afterwards. Thread-safe; no call blocks
 * except {@link #awaitLost}. Implemented by Tenure and its test kit only; methods may be added.
 *
 * <p>A lease that is held when checked may be lost an instant later. Pass {@link #fencingToken()} to
 * whatever is written to; the check here saves work, the token saves the data.
 */
public interface Lease {

    String role();

    /**
     * The token of this term; constant, readable after the term.
     */
    FencingToken fencingToken();

    /**
     * Counts the terms of this candidate from 1. Not a fencing token.
     */
    long term();

    /**
     * Whether new work may begin: compares the deadline on every call, and is false from the first sign of an end.
     */
    boolean isHeld();

    /**
     * The time until the local deadline; zero once lost. While a voluntary end drains, {@link #isHeld()} is
     * false but the lease is still renewed and this stays positive: work under way may finish.
     */
    Duration remaining();

    /**
     * To be called before each unit of work.
     *
     * @throws LeadershipLostException unless {@link #isHeld()}
     */
    void ensureHeld();

    /**
     * To be called before work that takes a known time.
     *
     * @throws LeadershipLostException unless held with at least {@code needed} left before the deadline
     */
    void ensureHeld(Duration needed);

    /**
     * Sleeps until the term ends, at most {@code timeout}; true if it has ended.
     */
    boolean awaitLost(Duration timeout) throws InterruptedException;

    /**
     * Begin nothing new: completes at the end of the term, on a callback thread. Cannot be completed from outside.
     */
    CompletionStage<LossReason> lost();

    /**
     * Stop everything: completes when the grant itself is over. At a loss that is together with
     * {@link #lost()}; after a voluntary end, when the lease was released, refused or has passed its deadline.
     */
    CompletionStage<Void> lapsed();

    /**
     * Calls back once at the end of the term, soon if that is past; never on the caller's or a store's thread.
     */
    Registration onLost(Consumer<? super LossReason> callback);

    /**
     * Why the term ended; empty while held. The first cause stays.
     */
    Optional<LossReason> lossReason();
}
