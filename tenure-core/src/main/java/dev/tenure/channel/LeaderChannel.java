package dev.tenure.channel;

import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.Leadership;
import dev.tenure.Lease;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.SystemTime;
import dev.tenure.engine.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * A bounded queue gated on leadership: every instance writes to it, a leader's items are kept, a follower's are
 * accepted and discarded. So a standby follows what happens without acting on it.
 *
 * <p>Not promised:
 * <ul>
 * <li>Admission is no fence. An item may be read after the term that admitted it, and another instance may lead by then:
 * give {@link Admitted#lease() its lease}'s token to whatever is written to. {@link #forEach} and {@code drainOnLoss}
 * narrow that window and do not close it.
 * <li>Nothing is handed over. What a leader had buffered is not seen by its successor, and what is written while nobody
 * leads is discarded on every instance.
 * <li>Nothing outlives the process.
 * </ul>
 *
 * <p>Promised: once anybody has found out that a term is over, no write that begins later is kept under it, whoever was
 * told of the loss. A write also looks at the clock itself, so that it finds out: each one that had to wait for room, each
 * one with {@link Builder#drainOnLoss}, and at least one of 16 of all others. After a look the next write looks again,
 * except that after looks within one millisecond of each other some go without: 1, then 3, 7, and at most 15. So of the
 * writes that begin past the deadline of a term, in a process which stood still or whose event loop does not get to run,
 * at most 15 are kept, and those only after a burst. They carry the lease of that term, which
 * {@link Admitted#isCurrent()} and {@link #forEach} see as over. On a {@link Leadership} that is not Tenure's own, each
 * write asks {@link Lease#isHeld()}.
 *
 * <p>Each item is either buffered with the lease that admitted it, or counted in {@link #drops()}; never both, and neither
 * only if the call says that it stays the caller's.
 *
 * <p>Thread-safe, any number of readers and writers; items are read in the order in which they were admitted. It has no
 * thread of its own: a summary of drops is logged by whichever thread drops, reads, or closes, and holds no lock
 * meanwhile. Items are not null. Implemented by Tenure only; methods may be added.
 */
public interface LeaderChannel<T> extends AutoCloseable {

    /**
     * An item with the lease that admitted it.
     */
    record Admitted<T>(T item, Lease lease) {
        /**
         * Whether the admitting term still runs. It may end an instant later.
         */
        public boolean isCurrent() {
            return lease.isHeld();
        }
    }

    /**
     * How many items were dropped since the channel was made, by reason.
     *
     * @param follower written while this instance did not lead
     * @param full dropped for want of room
     * @param loss discarded because the term that had admitted them was over
     */
    record Drops(long follower, long full, long loss) {}

    /**
     * A channel to be made.
     *
     * @param name of this channel in logs and meters
     * @param leadership an elector, for instance; it may stand or not
     */
    static <T> Builder<T> builder(String name, Leadership leadership) {
        return new Builder<>(name, leadership);
    }

    /**
     * Takes the item: kept if leading, discarded and counted if not. In mode {@link FullMode#WAIT} it waits for room, or
     * for the end of the leadership, which discards and counts the item; the role is looked at again after a wait, so
     * that an item which waited from one term into the next is kept under the next.
     *
     * @throws InterruptedException if interrupted while it waits; the item is then neither kept nor counted
     * @throws java.util.concurrent.CancellationException if the channel is closed, or gets closed while this waits; the
     *     item is then neither kept nor counted
     */
    void put(T item) throws InterruptedException;

    /**
     * As {@link #put} without waiting. Answers at once, a follower also while what an earlier term admitted still fills
     * the channel.
     *
     * @return false, with the item left to the caller and not counted, only for want of room in mode
     *     {@link FullMode#WAIT}, or if closed
     */
    boolean offer(T item);

    /**
     * As {@link #put}, waiting at most {@code timeout}.
     *
     * @return false, with the item left to the caller and not counted, if there was no room in that time, or if closed
     * @throws InterruptedException if interrupted while it waits; the item is then neither kept nor counted
     */
    boolean offer(T item, Duration timeout) throws InterruptedException;

    /**
     * {@link #put} without a thread. If it need not wait, the future is complete when it is returned; else it completes
     * on a callback thread of the Tenure, or fails there with a {@link java.util.concurrent.CancellationException} if
     * the channel is closed (a test double of {@link Leadership} has no such threads: there it completes on the thread
     * that makes room). After the end of the Tenure there may be no such thread: then it may complete, and what hangs on it
     * run, on the thread that reads or closes. It cannot be completed by others: {@code complete} answers false,
     * {@code completeAsync} and {@code obtrude…} throw {@link UnsupportedOperationException}, and
     * {@code completeExceptionally}, a timeout included, is a cancellation with another exception.
     *
     * <p>Cancelling takes back an item that still waits: it is then neither kept nor counted, and {@code cancel} answers
     * true. One that does not wait any more is not cancelled.
     */
    CompletableFuture<Void> putAsync(T item);

    /**
     * Waits for an item.
     *
     * @throws java.util.concurrent.CancellationException if the channel is closed and empty
     */
    Admitted<T> take() throws InterruptedException;

    /**
     * An item if there is one.
     */
    Optional<Admitted<T>> poll();

    /**
     * Waits for an item, at most {@code timeout}; empty at once if the channel is closed and empty.
     */
    Optional<Admitted<T>> poll(Duration timeout) throws InterruptedException;

    /**
     * Hands items to the consumer, on the calling thread, one after another, until the channel is closed and empty; then
     * returns. Drops, and counts as {@code loss}, what was admitted by a term that is over. What the consumer throws ends
     * this call and leaves the channel as it is; that item counts as read.
     *
     * @throws InterruptedException if interrupted between two items, also if there are more
     */
    void forEach(BiConsumer<? super T, ? super Lease> consumer) throws InterruptedException;

    /**
     * Moves what is buffered now, and does not wait. The items go to {@code target} one by one: if it throws, one is lost.
     *
     * @return how many
     */
    int drainTo(Collection<? super Admitted<T>> target);

    /**
     * How many items are buffered; those of writers that wait are not among them.
     */
    int size();

    /**
     * Exact at any time, as far as the writes have returned. The log and the monitors are told in sums.
     */
    Drops drops();

    /**
     * Refuses further writes, a leader's and a follower's; ends waits for room or for an item; reports the last drops;
     * stops following the leadership. Buffered items stay readable. Does not wait for their reader: the end of the
     * term, and so that of the Tenure, makes {@link #forEach} drop what it has not handed out yet. To have it all handed
     * out, wait (not without limit) until {@code forEach} has returned, and only then close the Tenure. Closing again only
     * reports drops that came since.
     */
    @Override
    void close();

    /**
     * Options of a channel. Not thread-safe.
     */
    final class Builder<T> {
        private static final Duration LONGEST = Duration.ofDays(365);

        private final String name;
        private final Leadership leadership;
        private int capacity = 10_000;
        private FullMode fullMode = FullMode.DROP_OLDEST;
        private boolean drainOnLoss;
        private Duration dropReportInterval = Duration.ofMinutes(1);

        private Builder(String name, Leadership leadership) {
            this.name = Objects.requireNonNull(name);
            this.leadership = Objects.requireNonNull(leadership);
        }

        /**
         * How many items it buffers at most; default 10 000.
         */
        public Builder<T> capacity(int items) {
            capacity = items;
            return this;
        }

        /**
         * Default {@link FullMode#DROP_OLDEST}.
         */
        public Builder<T> whenFull(FullMode mode) {
            fullMode = Objects.requireNonNull(mode);
            return this;
        }

        /**
         * Discards what is buffered when the term that admitted it is over, counted and logged as {@code loss}: when the
         * channel is told of the end, or at a read before that. Each read and each write looks at the clock then, so that
         * none is kept past the deadline; the look costs as much as the write.
         * Default off: what was admitted stays readable.
         */
        public Builder<T> drainOnLoss(boolean drain) {
            drainOnLoss = drain;
            return this;
        }

        /**
         * At most one summary of drops is logged in this time, besides the rest when this instance becomes leader and
         * when the channel is closed; default one minute. While items are dropped at a high rate, a summary may come up
         * to 64 drops late.
         */
        public Builder<T> dropReportInterval(Duration interval) {
            dropReportInterval = Objects.requireNonNull(interval);
            return this;
        }

        /**
         * Makes it; follows the leadership from now on.
         *
         * @throws InvalidOptionsException naming every option that cannot work
         */
        public LeaderChannel<T> build() {
            return build(SystemTime.INSTANCE);
        }

        LeaderChannel<T> build(Time time) {
            List<Violation> violations = new ArrayList<>();
            if (name.isBlank()) {
                violations.add(new Violation("name", "'" + name + "'", "not blank"));
            }
            if (capacity <= 0) {
                violations.add(new Violation("capacity", Integer.toString(capacity), "above zero"));
            }
            if (dropReportInterval.isNegative() || dropReportInterval.isZero()) {
                violations.add(new Violation("dropReportInterval", text(dropReportInterval), "above zero"));
            } else if (dropReportInterval.compareTo(LONGEST) > 0) {
                violations.add(
                        new Violation("dropReportInterval", text(dropReportInterval), "at most " + text(LONGEST)));
            }
            InvalidOptionsException.throwIfAny(violations);
            ChannelHost host = leadership instanceof ChannelHost own ? own : new PlainHost(leadership);
            GatedQueue<T> queue = GatedQueue.of(host, capacity, fullMode, drainOnLoss);
            DropReports reports = new DropReports(name, host, dropReportInterval, time);
            GatedChannel<T> channel = new GatedChannel<>(name, host, queue, reports, time);
            channel.follow(leadership);
            host.channelOpened(name);
            return channel;
        }

        private static String text(Duration value) {
            return value.toString().substring(2).toLowerCase(Locale.ROOT);
        }
    }
}
