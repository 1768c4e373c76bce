package dev.tenure.cli;

import dev.tenure.Registration;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store that can be made unreachable for this process.
 */
final class CuttableStore implements LeaseStore {
    private final LeaseStore store;
    private volatile boolean cut;

    CuttableStore(LeaseStore store) {
        this.store = store;
    }

    void cut(boolean cut) {
        this.cut = cut;
    }

    private <T> CompletionStage<T> call(Supplier<CompletionStage<T>> call) {
        return cut ? CompletableFuture.failedFuture(new StoreUnavailableException("cut off", null)) : call.get();
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        return call(() -> store.acquire(request));
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return call(() -> store.renew(claim));
    }

    @Override
    public List<CompletionStage<RenewResult>> renewAll(List<Claim> claims) {
        return cut ? claims.stream().map(this::renew).toList() : store.renewAll(claims);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return call(() -> store.release(claim));
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return call(() -> store.revoke(key));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return call(() -> store.forceRelease(key));
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        return call(() -> store.acceptToken(key, token));
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return call(() -> store.read(key));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        return call(store::list);
    }

    @Override
    public CompletionStage<List<Finding>> examine() {
        return call(store::examine);
    }

    @Override
    public Registration watch(String key, Runnable wakeUp) {
        return store.watch(key, () -> {
            if (!cut) {
                wakeUp.run();
            }
        });
    }

    @Override
    public void close() {
        store.close();
    }
}
