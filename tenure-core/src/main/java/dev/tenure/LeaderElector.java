package dev.tenure;

import java.util.concurrent.CompletableFuture;

/**
 * A standing candidate of one role: stands, leads, and stands again after every loss. Only
 * {@link #stop()} and {@link Tenure#close()} end it; a failing store, listener or work does not.
 */
public interface LeaderElector extends Leadership {

    /**
     * Begins to stand and returns at once. No effect if it stands already; allowed again after {@link #stop()}.
     */
    LeaderElector start();

    /**
     * Steps down, lets another candidate go first, and stands again. Does not block: the future completes
     * when listeners and work have ended and the lease is released, at the latest soon after
     * {@code drainTimeout}. Affects only the present term; {@code NOT_HOLDER} if there is none.
     */
    CompletableFuture<ReleaseOutcome> resign();

    /**
     * {@link #resign()} without standing again. Idempotent; whoever waits for leadership is told by a CancellationException.
     */
    CompletableFuture<ReleaseOutcome> stop();

    /**
     * The key in the store, before the store's prefix; fixed when this was made.
     */
    String key();

    /**
     * Whether the election works, not whether it is won: a follower is healthy.
     */
    ElectorHealth health();

    /**
     * What this is made of and which option decides what; asks nobody and changes nothing.
     */
    ElectionDescription describe();
}
