package dev.tenure;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The ways to take part in elections, all with the same options.
 *
 * <p>{@code acquire…} waits for leadership, {@code tryAcquire…} asks once; both hand out a lease that
 * the caller owns and closes. An {@link LeaderElector} stands again after every term. All of them use
 * the same engine and the same record of the store, so that they exclude each other.
 *
 * <p>A lease is not reentrant: a thread that acquires a role twice waits for itself.
 *
 * <p>Whatever names a role throws {@link InvalidOptionsException}, before anything is sent, with all that is wrong with
 * the role, its key, and the options on this store. A key belongs to one role of a Tenure: the first role that resolves
 * to it keeps it. {@link #with} throws for its options before a role is named;
 * {@link ElectionOptions.Builder#validate(String, dev.tenure.spi.StoreTraits)} gives all violations together.
 *
 * <p>On a store that does not coordinate nobody leads unless
 * {@link ElectionOptions.Builder#whenUncoordinated} says {@code LEAD}: {@code tryAcquire…} is empty at once, whatever it may
 * wait, though nobody holds the lease, and {@code acquire…} waits until the Tenure is closed.
 */
public interface Elections {

    /**
     * Waits, as long as it takes, until this instance leads. An outage is waited through once the store
     * has answered for the first time.
     *
     * @throws InterruptedException if interrupted; a grant that arrives later is released
     * @throws StoreException if the store refuses the request, or has never answered (a wrong address)
     * @throws IllegalStateException if an elector of this Tenure stands for the role: it would wait for itself
     * @throws java.util.concurrent.CancellationException if the Tenure is closed
     */
    OwnedLease acquire(String role) throws InterruptedException;

    /**
     * Asks once: empty if another candidate holds the lease.
     *
     * @throws StoreException if the store gave no answer, which says nothing about who leads
     */
    Optional<OwnedLease> tryAcquire(String role) throws InterruptedException;

    /**
     * Waits at most {@code wait}; zero asks once. Throws as {@link #tryAcquire(String)}, by the last answer.
     */
    Optional<OwnedLease> tryAcquire(String role, Duration wait) throws InterruptedException;

    /**
     * {@link #acquire(String)} without a thread. Cancelling the future, or a stage derived from it,
     * withdraws the candidate, as does {@code orTimeout} on the future itself; a lease granted nevertheless
     * is released. {@code get} with a timeout does not withdraw.
     */
    CompletableFuture<OwnedLease> acquireAsync(String role);

    /**
     * {@link #tryAcquire(String)} without a thread.
     */
    CompletableFuture<Optional<OwnedLease>> tryAcquireAsync(String role);

    /**
     * A standing candidate, not yet started. At most one of a Tenure stands for a role at a time.
     */
    LeaderElector elector(String role);

    /**
     * A standing candidate that runs {@code work} once per term.
     */
    LeaderElector elector(String role, LeaderWork work);

    /**
     * Follows who leads without standing. Reads the store at once, then on every change.
     */
    LeaderWatch watch(String role);

    /**
     * The same elections with other options; starts from the present ones, shares connection and threads.
     *
     * @throws InvalidOptionsException with all violations, the store's limits among them
     */
    Elections with(Consumer<ElectionOptions.Builder> change);
}
