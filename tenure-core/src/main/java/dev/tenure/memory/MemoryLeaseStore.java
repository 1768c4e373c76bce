package dev.tenure.memory;

import dev.tenure.Registration;
import dev.tenure.StoreUnavailableException;
import dev.tenure.engine.SystemTime;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A store in this process's memory. Answers before it returns, on the caller's thread; a lease is over at exactly its
 * end, by the monotonic clock. Thread-safe.
 *
 * <p>It remembers of each key, for ever, the highest token, what an operator accepted, and the eight incarnations that
 * were released last. An acquisition of one of these is denied: it was sent before its release and came after it.
 */
public final class MemoryLeaseStore implements LeaseStore {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(1);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final int LONGEST_KEY = 512;

    private final MemoryTable table;
    private final MemoryWatches watches;
    private final StoreTraits traits;
    private final Set<Registration> registrations = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * An empty store on the system's clocks.
     */
    public MemoryLeaseStore() {
        this(SystemTime::nanos, SystemTime::wall, TokenMode.FORMULA);
    }

    /**
     * An empty store on these clocks.
     *
     * @param nanos monotonic nanoseconds from an arbitrary origin, by which leases expire; read under a lock
     * @param wall for tokens and for people; read under a lock
     */
    public MemoryLeaseStore(LongSupplier nanos, Supplier<Instant> wall, TokenMode tokens) {
        this(new MemoryTable(nanos, wall, tokens), new MemoryWatches(), tokens);
    }

    private MemoryLeaseStore(MemoryTable table, MemoryWatches watches, TokenMode tokens) {
        this.table = table;
        this.watches = watches;
        this.traits = StoreTraits.builder("memory", StoreTraits.Scope.PROCESS)
                .lease(SHORTEST_LEASE, LONGEST_LEASE)
                .longestKey(LONGEST_KEY)
                .pushesWakeUps()
                .expiryClock(StoreTraits.ExpiryClock.MONOTONIC)
                .tokenSource(tokens.source())
                .build();
    }

    /**
     * Another store on the same data, closed on its own: what another instance would have.
     */
    public MemoryLeaseStore another() {
        return new MemoryLeaseStore(table, watches, table.tokens());
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        return answer(() -> table.acquire(request));
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return answer(() -> table.renew(claim) ? RenewResult.RENEWED : RenewResult.NOT_HOLDER);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return change(claim.key(), () -> table.release(claim));
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return change(key, () -> table.revoke(key));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return change(key, () -> table.forceRelease(key));
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        return change(key, () -> table.acceptToken(key, token)).thenAccept(changed -> {});
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return answer(() -> table.read(key));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        return answer(table::list);
    }

    /**
     * Wakes on the thread that released, revoked or accepted, after the change and before its answer.
     */
    @Override
    public Registration watch(String key, Runnable wakeUp) {
        Registration inner = watches.add(key, wakeUp);
        registrations.add(inner);
        Registration own = () -> {
            registrations.remove(inner);
            inner.remove();
        };
        if (closed) {
            own.remove();
        }
        return own;
    }

    /**
     * Ends this store's wake-ups; its data stays with {@linkplain #another() others}.
     */
    @Override
    public void close() {
        closed = true;
        registrations.forEach(Registration::remove);
        registrations.clear();
    }

    private CompletionStage<Boolean> change(String key, Supplier<Boolean> operation) {
        return answer(() -> {
            boolean changed = operation.get();
            if (changed) {
                watches.wake(key);
            }
            return changed;
        });
    }

    private <T> CompletionStage<T> answer(Supplier<T> operation) {
        if (closed) {
            return CompletableFuture.failedFuture(new StoreUnavailableException("memory is closed", null));
        }
        try {
            return CompletableFuture.completedFuture(operation.get());
        } catch (RuntimeException unknown) {
            return CompletableFuture.failedFuture(unknown);
        }
    }
}
