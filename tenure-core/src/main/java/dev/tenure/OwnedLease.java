package dev.tenure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A lease that its acquirer owns and closes, best in a try-with-resources statement. It is renewed
 * until it is closed or lost, or until its Tenure closes. One that is dropped unclosed stays held, since
 * its work may still run; a warning then says where it was acquired.
 */
public interface OwnedLease extends Lease, AutoCloseable {

    /**
     * Ends the term and frees the record, so that the next candidate that asks leads. Does not block; idempotent.
     */
    CompletableFuture<ReleaseOutcome> release();

    /**
     * Runs asynchronous work and releases when its stage completes, or at once if it throws.
     */
    <T> CompletableFuture<T> releaseAfter(Function<? super Lease, ? extends CompletionStage<T>> work);

    /**
     * {@link #release()}, waited for at most for the call limit. Never throws, keeps the interrupt status.
     */
    @Override
    void close();
}
