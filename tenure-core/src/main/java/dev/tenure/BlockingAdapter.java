package dev.tenure;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.BlockingLeaseStore;
import dev.tenure.spi.BlockingLeaseStore.Renewal;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A blocking store in the form that the engine calls.
 */
final class BlockingAdapter implements LeaseStore {
    /**
     * Of a call that says none: people wait for these.
     */
    private static final Duration OPERATOR_LIMIT = Duration.ofSeconds(10);

    private static final Duration EXAMINATION_LIMIT = Duration.ofSeconds(30);

    private final BlockingLeaseStore store;
    /**
     * Calls that run at once; more wait.
     */
    private static final int MOST = 64;

    /**
     * Of renewals, which have threads of their own, so that nothing else keeps them from the store.
     */
    private static final int MOST_RENEWALS = 16;

    private final BlockingThreads threads;
    private final BlockingThreads renewals;

    BlockingAdapter(BlockingLeaseStore store) {
        this.store = store;
        this.threads = new BlockingThreads(store.traits().name(), MOST);
        this.renewals = new BlockingThreads(store.traits().name(), MOST_RENEWALS);
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        return threads.call(request.timeLimit(), () -> store.acquire(request));
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return renewals.call(claim.timeLimit(), () -> store.renew(claim));
    }

    @Override
    public List<CompletionStage<RenewResult>> renewAll(List<Claim> claims) {
        if (claims.isEmpty()) {
            return List.of();
        }
        Duration limit =
                claims.stream().map(Claim::timeLimit).min(Duration::compareTo).orElse(OPERATOR_LIMIT);
        CompletableFuture<List<Renewal>> all = renewals.call(limit, () -> store.renewAll(claims));
        List<CompletionStage<RenewResult>> answers = new ArrayList<>(claims.size());
        for (int i = 0; i < claims.size(); i++) {
            int index = i;
            answers.add(all.thenCompose(renewals -> answer(renewals, index)));
        }
        return answers;
    }

    private static CompletionStage<RenewResult> answer(List<Renewal> renewals, int index) {
        if (index >= renewals.size()) {
            return CompletableFuture.failedFuture(
                    new StoreUnavailableException("the store answered fewer claims than it was asked for", null));
        }
        Renewal renewal = renewals.get(index);
        if (renewal instanceof Renewal.Answered answered) {
            return CompletableFuture.completedFuture(answered.result());
        }
        return CompletableFuture.failedFuture(((Renewal.Failed) renewal).cause());
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return threads.call(claim.timeLimit(), () -> store.release(claim));
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return threads.call(OPERATOR_LIMIT, () -> store.revoke(key));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return threads.call(OPERATOR_LIMIT, () -> store.forceRelease(key));
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        return threads.<Optional<Void>>call(OPERATOR_LIMIT, () -> {
                    store.acceptToken(key, token);
                    return Optional.empty();
                })
                .thenAccept(done -> {});
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return threads.call(OPERATOR_LIMIT, () -> store.read(key));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        return threads.call(OPERATOR_LIMIT, store::list);
    }

    @Override
    public CompletionStage<List<Finding>> examine() {
        return threads.call(EXAMINATION_LIMIT, store::examine);
    }

    @Override
    public Registration watch(String key, Runnable wakeUp) {
        return store.watch(key, wakeUp);
    }

    @Override
    public void close() {
        threads.close();
        renewals.close();
        try {
            store.close();
        } catch (RuntimeException ignored) {
            threads.logCloseFailure(ignored);
        }
    }
}
