package dev.tenure.channel;

import dev.tenure.Lease;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A write that waits for room. What becomes of it is decided once, under the lock of the queue; the future is completed
 * after that, without the lock.
 */
final class Waiting<T> extends CompletableFuture<Void> {
    /**
     * What became of the item.
     */
    enum End {
        KEPT,
        FOLLOWER,
        CLOSED
    }

    private final T item;
    private final GatedQueue<T> queue;
    private final boolean handedOut;
    private long number; // under the queue's lock
    private volatile @Nullable End end;
    private volatile @Nullable Lease lease;

    /**
     * @param handedOut whether user code has the future, and may have hung something on it
     */
    Waiting(T item, GatedQueue<T> queue, boolean handedOut) {
        this.item = item;
        this.queue = queue;
        this.handedOut = handedOut;
    }

    boolean isHandedOut() {
        return handedOut;
    }

    /**
     * Null while it waits, and after it was taken back.
     */
    @Nullable
    End end() {
        return end;
    }

    /**
     * The one that admitted it.
     */
    @Nullable
    Lease lease() {
        return lease;
    }

    // under the queue's lock

    void linedUpAs(long which) {
        number = which;
    }

    /**
     * Counts those that lined up before it, and itself.
     */
    long number() {
        return number;
    }

    T keptUnder(Lease admitting) {
        lease = admitting;
        end = End.KEPT;
        return item;
    }

    void endedAs(End other) {
        end = other;
    }

    // without it

    /**
     * Waits until it is complete, which it is soon once the queue has decided.
     */
    @Nullable
    End awaitEnd() {
        handle((done, error) -> null).join();
        return end;
    }

    void complete() {
        if (Objects.equals(end, End.CLOSED)) {
            super.completeExceptionally(new CancellationException("channel is closed"));
        } else {
            super.complete(null);
        }
    }

    @Override
    public boolean complete(Void value) {
        return false;
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        return queue.takeBack(this) && super.completeExceptionally(error);
    }

    @Override
    public CompletableFuture<Void> completeAsync(Supplier<? extends Void> value) {
        throw notByOthers();
    }

    @Override
    public CompletableFuture<Void> completeAsync(Supplier<? extends Void> value, Executor executor) {
        throw notByOthers();
    }

    @Override
    public void obtrudeValue(Void value) {
        throw notByOthers();
    }

    @Override
    public void obtrudeException(Throwable error) {
        throw notByOthers();
    }

    private static UnsupportedOperationException notByOthers() {
        return new UnsupportedOperationException("a write is completed by its channel only");
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        return (queue.takeBack(this) && super.cancel(mayInterrupt)) || isCancelled();
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
