package dev.tenure.memory;

import dev.tenure.StoreRejectedException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Coordinates nothing: nobody ever holds anything. The engine sees the scope {@code NONE} and asks it for nothing; who
 * asks for a key nevertheless is rejected.
 */
public final class UncoordinatedLeaseStore implements LeaseStore {
    private static final StoreTraits TRAITS = StoreTraits.builder("uncoordinated", StoreTraits.Scope.NONE)
            .expiryClock(StoreTraits.ExpiryClock.MONOTONIC)
            .tokenSource("no tokens: this store does not coordinate")
            .build();

    /**
     * Holds nothing and needs no closing.
     */
    public UncoordinatedLeaseStore() {}

    @Override
    public StoreTraits traits() {
        return TRAITS;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        return CompletableFuture.failedFuture(new StoreRejectedException(
                "uncoordinated does not coordinate and grants nothing: key=" + request.key(), null));
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return CompletableFuture.completedFuture(RenewResult.NOT_HOLDER);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return CompletableFuture.completedFuture(false);
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        return CompletableFuture.runAsync(() -> {}, Runnable::run);
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        return CompletableFuture.completedFuture(List.of());
    }

    @Override
    public void close() {}
}
