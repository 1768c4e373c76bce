package dev.tenure.channel;

import dev.tenure.Leadership;
import dev.tenure.Lease;
import dev.tenure.Registration;
import dev.tenure.channel.GatedQueue.Written;
import dev.tenure.channel.Waiting.End;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.Time;
import java.time.Duration;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The gate in front of a {@link GatedQueue}, and what follows from what happens in it. Holds no lock.
 */
final class GatedChannel<T> implements LeaderChannel<T> {
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final long SHORTEST_LOOK = TimeUnit.MILLISECONDS.toNanos(1);

    private final String name;
    private final ChannelHost host;
    private final GatedQueue<T> queue;
    private final DropReports reports;
    private final Time time;
    private final TermEnd termEnd = new TermEnd(reason -> termEnded());
    private Registration elections = () -> {};

    GatedChannel(String name, ChannelHost host, GatedQueue<T> queue, DropReports reports, Time time) {
        this.name = name;
        this.host = host;
        this.queue = queue;
        this.reports = reports;
        this.time = time;
    }

    /**
     * Once, before it is used.
     */
    void follow(Leadership leadership) {
        elections = TermEnd.orNone(leadership.onChange(lease -> reports.tail(), (lease, reason) -> {}));
    }

    // writing

    @Override
    public boolean offer(T item) {
        return isDone(write(item));
    }

    @Override
    public boolean offer(T item, Duration timeout) throws InterruptedException {
        Written written = write(item);
        if (written != Written.NO_ROOM) {
            return isDone(written);
        }
        End end = await(item, nanos(timeout));
        return end != null && end != End.CLOSED;
    }

    @Override
    public void put(T item) throws InterruptedException {
        Written written = write(item);
        if (written == Written.CLOSED || (written == Written.NO_ROOM && await(item, Time.NEVER) == End.CLOSED)) {
            throw closed();
        }
    }

    @Override
    public CompletableFuture<Void> putAsync(T item) {
        return switch (write(item)) {
            case CLOSED -> CompletableFuture.failedFuture(closed());
            case NO_ROOM -> {
                Waiting<T> write = new Waiting<>(item, queue, true);
                lineUp(write);
                yield write;
            }
            default -> CompletableFuture.completedFuture(null);
        };
    }

    private static boolean isDone(Written written) {
        return written != Written.NO_ROOM && written != Written.CLOSED;
    }

    private Written write(T item) {
        Objects.requireNonNull(item, "item");
        if (queue.isClosed()) {
            return Written.CLOSED;
        }
        Lease lease = host.notKnownEnded();
        if (lease != null && queue.drainsOnLoss()) {
            termEnd.follow(lease);
        }
        Written written = lease == null ? Written.FOLLOWER : queue.write(item, lease);
        if (written == Written.FOLLOWER) {
            reports.follower(1);
        } else if (written == Written.IN_PLACE_OF_ANOTHER || written == Written.DROPPED) {
            reports.full();
        }
        return written;
    }

    /**
     * Null if time ran out: then the item is the caller's again.
     */
    private @Nullable End await(T item, long patience) throws InterruptedException {
        long until = Time.plus(time.now(), patience);
        Waiting<T> write = new Waiting<>(item, queue, false);
        lineUp(write);
        try {
            for (long left = patience; left > 0 && !write.isDone(); left = until - time.now()) {
                awaitOrLook(write, Math.min(left, untilDeadline()));
            }
            if (queue.takeBack(write)) {
                return null;
            }
        } catch (InterruptedException stop) {
            if (queue.takeBack(write)) {
                throw stop;
            }
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error unanswered) { // by a leadership that is not the engine's
            if (queue.takeBack(write)) {
                throw unanswered;
            }
        }
        return write.awaitEnd();
    }

    /**
     * Nobody may have been told of the end of the term, so it is looked at again at the deadline.
     */
    private void awaitOrLook(Waiting<T> write, long nanos) throws InterruptedException {
        try {
            write.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException notYet) {
            settle();
        } catch (ExecutionException | CancellationException closed) {
            // it says so
        }
    }

    private long untilDeadline() {
        Lease lease = host.held();
        return lease == null
                ? SHORTEST_LOOK
                : Math.max(SHORTEST_LOOK, lease.remaining().toNanos());
    }

    private void lineUp(Waiting<T> write) {
        try {
            try {
                queue.lineUp(write);
            } finally {
                after();
            }
            followWhileAnyWaits();
        } catch (RuntimeException | Error unanswered) { // by a leadership that is not the engine's
            if (queue.takeBack(write)) {
                throw unanswered;
            }
        }
    }

    private void settle() {
        try {
            queue.settle();
        } finally {
            after();
        }
    }

    private void followWhileAnyWaits() {
        while (queue.isAnyWaiting()) {
            Lease lease = host.held();
            if (lease != null) {
                termEnd.follow(lease);
                return;
            }
            settle();
        }
    }

    private void termEnded() {
        if (queue.drainsOnLoss()) {
            drain();
        } else {
            settle();
        }
        followWhileAnyWaits(); // into the next term
    }

    private void drain() {
        try {
            queue.drain();
        } finally {
            after();
        }
    }

    /**
     * Does what the queue left to be done; throws nothing, so that all of it is.
     */
    private void after() {
        for (Waiting<T> ended = queue.takeEnded(); ended != null; ended = queue.takeEnded()) {
            if (ended.end() == End.FOLLOWER) {
                reports.follower(1);
            }
            if (ended.end() == End.KEPT) {
                followKept(ended);
                queue.wakeReader();
            }
            if (ended.isHandedOut()) {
                host.call("stage of putAsync()", ended::complete);
            } else {
                ended.complete();
            }
        }
        long discarded = queue.takeDiscarded();
        if (discarded > 0) {
            reports.discarded(discarded);
        }
    }

    private void followKept(Waiting<T> kept) {
        Lease lease = kept.lease();
        if (lease != null && queue.drainsOnLoss()) {
            try {
                termEnd.follow(lease);
            } catch (RuntimeException | Error untold) {
                // reads look at the lease themselves, and the next write tries again
            }
        }
    }

    // reading

    @Override
    public Admitted<T> take() throws InterruptedException {
        Admitted<T> next = next(Time.NEVER);
        if (next == null) {
            throw closed();
        }
        return next;
    }

    @Override
    public Optional<Admitted<T>> poll() {
        return Optional.ofNullable(next());
    }

    @Override
    public Optional<Admitted<T>> poll(Duration timeout) throws InterruptedException {
        return Optional.ofNullable(next(nanos(timeout)));
    }

    @Override
    public void forEach(BiConsumer<? super T, ? super Lease> consumer) throws InterruptedException {
        Objects.requireNonNull(consumer, "consumer");
        for (Admitted<T> next = next(Time.NEVER); next != null; next = next(Time.NEVER)) {
            if (next.isCurrent()) {
                consumer.accept(next.item(), next.lease());
            } else {
                reports.loss();
            }
        }
        reports.tail();
    }

    @Override
    public int drainTo(Collection<? super Admitted<T>> target) {
        int moved = 0;
        for (int left = size(); left > 0; left--) {
            Admitted<T> next = next();
            if (next == null) {
                break;
            }
            target.add(next);
            moved++;
        }
        return moved;
    }

    /**
     * Null if there is none.
     */
    private @Nullable Admitted<T> next() {
        try {
            return queue.poll();
        } finally {
            after();
        }
    }

    /**
     * Null if it is closed and empty, or time ran out.
     */
    private @Nullable Admitted<T> next(long patience) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        Admitted<T> next = next();
        if (next != null || patience <= 0) {
            return next;
        }
        long until = Time.plus(time.now(), patience);
        while (true) {
            long left = until - time.now();
            boolean last = left <= 0 || queue.isClosed();
            next = next();
            if (next != null || last) {
                return next;
            }
            queue.awaitNotEmpty(left);
        }
    }

    @Override
    public int size() {
        return queue.size();
    }

    @Override
    public Drops drops() {
        return reports.drops();
    }

    @Override
    public void close() {
        queue.close();
        after();
        termEnd.close();
        elections.remove();
        reports.tail();
    }

    private CancellationException closed() {
        return new CancellationException("channel is closed: " + name);
    }

    private static long nanos(Duration timeout) {
        if (timeout.isNegative()) {
            return 0;
        }
        return timeout.compareTo(LONGEST) > 0 ? LONGEST.toNanos() : timeout.toNanos();
    }

    @Override
    public String toString() {
        return "LeaderChannel[" + name + ", role=" + host.role() + ", size=" + size() + "]";
    }
}
