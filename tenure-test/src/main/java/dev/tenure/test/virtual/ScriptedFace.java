package dev.tenure.test.virtual;

import dev.tenure.Registration;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.StoreCall.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The scripted store as one process has it.
 */
final class ScriptedFace implements LeaseStore {
    private static final AtomicInteger BATCHES = new AtomicInteger();

    private final ScriptedStore store;
    private final String process;
    private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
    private final AtomicInteger closes = new AtomicInteger();

    private static final class Watch {
        private final String key;
        private final Runnable wakeUp;
        private final Registration real;

        Watch(String key, Runnable wakeUp, Registration real) {
            this.key = key;
            this.wakeUp = wakeUp;
            this.real = real;
        }
    }

    ScriptedFace(ScriptedStore store, String process) {
        this.store = store;
        this.process = process;
    }

    String process() {
        return process;
    }

    int watches() {
        return watches.size();
    }

    int closes() {
        return closes.get();
    }

    void wake(String key) {
        for (Watch watch : watches) {
            if (watch.key.equals(key)) {
                store.world().stirred();
                watch.wakeUp.run();
            }
        }
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    private static int batch() {
        return BATCHES.incrementAndGet();
    }

    private StoreCall call(Kind kind, String key, Supplier<CompletionStage<?>> operation) {
        return call(kind, key, batch(), null, 0, Duration.ZERO, Duration.ZERO, operation);
    }

    private StoreCall call(
            Kind kind,
            String key,
            int batch,
            @Nullable Holder holder,
            long token,
            Duration lease,
            Duration limit,
            Supplier<CompletionStage<?>> operation) {
        StoreCall call = new StoreCall(
                store, new StoreCall.Request(kind, process, key, batch, holder, token, lease, limit), operation);
        store.record(call);
        return call;
    }

    private StoreCall claim(Kind kind, Claim claim, int batch, Supplier<CompletionStage<?>> operation) {
        return call(
                kind, claim.key(), batch, claim.holder(), claim.token(), claim.lease(), claim.timeLimit(), operation);
    }

    @SuppressWarnings("unchecked") // a kind's answers are of its type
    private <T> CompletionStage<T> stage(StoreCall call) {
        return (CompletionStage<T>) (CompletionStage<?>) call.stage();
    }

    private <T> CompletionStage<T> handled(StoreCall call) {
        if (closes.get() > 0) {
            call.fail(new StoreUnavailableException("closed", null));
        } else {
            store.handle(call);
        }
        return stage(call);
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        return handled(call(
                Kind.ACQUIRE,
                request.key(),
                batch(),
                request.holder(),
                request.tokenFloor(),
                request.lease(),
                request.timeLimit(),
                () -> store.direct().acquire(request)));
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return handled(claim(Kind.RENEW, claim, batch(), () -> store.direct().renew(claim)));
    }

    @Override
    public List<CompletionStage<RenewResult>> renewAll(List<Claim> claims) {
        int batch = batch();
        List<StoreCall> all = new ArrayList<>();
        for (Claim claim : claims) {
            all.add(claim(Kind.RENEW, claim, batch, () -> store.direct().renew(claim)));
        }
        if (store.isBad(all)) {
            all.forEach(call -> call.fail(new StoreUnavailableException("bad batch by script", null)));
            return all.stream().map(this::<RenewResult>stage).toList();
        }
        return all.stream().map(this::<RenewResult>handled).toList();
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return handled(claim(Kind.RELEASE, claim, batch(), () -> store.direct().release(claim)));
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return handled(call(Kind.REVOKE, key, () -> store.direct().revoke(key)));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return handled(call(Kind.FORCE_RELEASE, key, () -> store.direct().forceRelease(key)));
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        return handled(call(Kind.ACCEPT_TOKEN, key, () -> store.direct().acceptToken(key, token)));
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return handled(call(Kind.READ, key, () -> store.direct().read(key)));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        return handled(call(Kind.LIST, "", () -> store.direct().list()));
    }

    @Override
    public CompletionStage<List<Finding>> examine() {
        return handled(call(Kind.EXAMINE, "", () -> store.direct().examine()));
    }

    @Override
    public Registration watch(String key, Runnable wakeUp) {
        if (store.failsToWatch()) {
            throw new IllegalStateException("watching fails by script");
        }
        Runnable carried = () -> {
            if (!store.isMute(process)) {
                store.world().stirred();
                wakeUp.run();
            }
        };
        Watch watch = new Watch(key, carried, store.direct().watch(key, carried));
        watches.add(watch);
        return () -> {
            watch.real.remove();
            watches.remove(watch);
        };
    }

    @Override
    public void close() {
        closes.incrementAndGet();
        for (Watch watch : watches) {
            watch.real.remove();
        }
        watches.clear();
        if (store.failsToClose()) {
            throw new IllegalStateException("closing fails by script");
        }
    }
}
