package dev.tenure.cli;

import dev.tenure.StoreException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.LeaseStore;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for a store, as a person would.
 */
final class StoreAnswers {
    private static final int PATIENCE_SECONDS = 15;

    private static final int WARM_UP_SECONDS = 2;

    private StoreAnswers() {}

    /**
     * Loads the driver, connects and makes the table, which on a busy machine takes longer than a short call limit. No
     * answer means nothing here: the election tells it, and tries on.
     */
    static void warmUp(LeaseStore leases, String role) throws InterruptedException {
        String key = Roles.key(role, leases.traits());
        leases.watch(key, () -> {}).remove();
        try {
            leases.read(key).toCompletableFuture().get(WARM_UP_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException unavailable) {
            // as the election will say
        }
    }

    /**
     * The answer.
     *
     * @throws StoreException if there is none
     */
    static <T> T await(CompletionStage<T> stage) throws InterruptedException {
        try {
            return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException silent) {
            throw new StoreUnavailableException("no answer within " + PATIENCE_SECONDS + "s", silent);
        } catch (ExecutionException failed) {
            Throwable cause = Failures.unwrapped(failed);
            if (cause instanceof StoreException known) {
                throw known;
            }
            throw new StoreUnavailableException(Text.reason(cause), cause);
        }
    }
}
