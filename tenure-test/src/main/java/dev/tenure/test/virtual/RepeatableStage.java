package dev.tenure.test.virtual;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An answer that can come more than once, as one that a faulty driver calls back with twice.
 */
final class RepeatableStage extends CompletableFuture<Object> {
    private final List<BiConsumer<? super Object, ? super Throwable>> takers = new CopyOnWriteArrayList<>();

    @Override
    public CompletableFuture<Object> whenComplete(BiConsumer<? super Object, ? super Throwable> taker) {
        takers.add(taker);
        return super.whenComplete(taker);
    }

    /**
     * Answers; again, if it has answered before.
     */
    @SuppressWarnings("NullAway") // a stage has one of both
    void answer(@Nullable Object value, @Nullable Throwable error) {
        boolean first = error != null ? completeExceptionally(error) : complete(value);
        if (!first) {
            takers.forEach(taker -> taker.accept(value, error));
        }
    }
}
