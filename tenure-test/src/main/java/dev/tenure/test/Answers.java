package dev.tenure.test;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Waits for a store's answers, so that a test fails instead of hanging.
 */
public final class Answers {

    private Answers() {}

    /**
     * The value of the stage. What it failed with is thrown as it is if unchecked, else as the cause of an
     * {@link AssertionError}; so is an interrupt.
     *
     * @param limit an {@link AssertionError} after this long
     */
    public static <T> T within(Duration limit, CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            if (cause instanceof RuntimeException unchecked) {
                throw unchecked;
            }
            throw new AssertionError("the store failed: " + cause, cause);
        } catch (TimeoutException late) {
            throw new AssertionError("no answer within " + limit, late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while waiting for an answer", stopped);
        }
    }

    /**
     * What a call fails with, thrown or through its stage.
     *
     * @param limit an {@link AssertionError} after this long
     * @throws AssertionError if it succeeds
     */
    public static Throwable failure(Duration limit, Supplier<? extends CompletionStage<?>> call) {
        Object answer;
        try {
            answer = String.valueOf(within(limit, call.get()));
        } catch (RuntimeException expected) {
            return expected;
        }
        throw new AssertionError("must fail, but answered: " + answer);
    }
}
