package dev.tenure;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What code that depends on leadership needs to know; inject this. Thread-safe. Implemented by Tenure
 * and its test kit only; methods may be added.
 */
public interface Leadership {

    String role();

    /**
     * {@code lease().isPresent()}, for display and metrics; to act, take the {@link #lease()}.
     */
    boolean isLeader();

    /**
     * This instance's lease while it leads: one consistent snapshot of validity, term and token.
     */
    Optional<Lease> lease();

    /**
     * Waits until this instance leads, and gives the lease of that term. It belongs to all who use this
     * leadership and is not to be closed.
     *
     * @throws java.util.concurrent.CancellationException if the elector is stopped meanwhile; before it stands it is waited for
     */
    Lease awaitLeadership() throws InterruptedException;

    /**
     * As {@link #awaitLeadership()}, at most {@code timeout}; then empty.
     */
    Optional<Lease> awaitLeadership(Duration timeout) throws InterruptedException;

    /**
     * Tells about every term: {@code elected} when it begins, {@code lost} when it ends, in this order and
     * each once per term, on callback threads and without delaying other listeners. A term that runs
     * already is told. A voluntary end waits for {@code lost} before the lease is released. What
     * {@code elected} throws ends the term as {@link LossReason#WORK_FAILED}; what {@code lost} throws is
     * logged. For work that lasts as long as the term use {@link Elections#elector(String, LeaderWork)}.
     */
    Registration onChange(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost);

    /**
     * Who leads, as far as this candidate knows: itself, or whoever the store named last.
     */
    Optional<Leader> leader();

    /**
     * This instance's lease while it leads, if a call was meant for this very term: the value of its
     * {@link Leader#HEADER} names it exactly. Empty otherwise, also for no value and for one that is none, and always
     * if the store does not coordinate; then the call is to be refused, over HTTP with 421 (Misdirected Request). Here a
     * token is compared for equality: a later one than the own says as surely as an earlier one that the caller means
     * another leader.
     */
    default Optional<Lease> leaseFor(@Nullable String header) {
        return header == null || !isCoordinated()
                ? Optional.empty()
                : lease().filter(lease -> lease.fencingToken().toHeader().equals(header.strip()));
    }

    /**
     * How often this instance was elected. Not a fencing token.
     */
    long term();

    /**
     * False if the store does not coordinate, so that leading says nothing about other instances.
     */
    boolean isCoordinated();
}
