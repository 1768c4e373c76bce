package dev.tenure.engine;

import java.util.concurrent.CompletableFuture;

/**
 * Futures for user code: copies that complete on callback threads, so that what hangs on them never runs on the loop,
 * and completing one does not complete the original.
 */
final class Handed {
    private Handed() {}

    static <T> CompletableFuture<T> out(CompletableFuture<T> original, Users users) {
        CompletableFuture<T> copy = new CompletableFuture<>();
        original.whenComplete((value, error) -> users.run("stage of a release", null, null, () -> {
            if (error != null) {
                copy.completeExceptionally(error);
            } else {
                copy.complete(value);
            }
        }));
        return copy;
    }
}
