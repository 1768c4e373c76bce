package dev.tenure.redis;

import dev.tenure.Registration;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server to run the scripts, one round trip a decision.
 */
final class RedisStore implements LeaseStore {
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);
    private static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final int LONGEST_KEY = 512;

    private final Connector connector;
    private final RedisOptions options;
    private final Keys keys;
    private final StoreTraits traits;
    private final WakeUps wakeUps;
    private final Scripts scripts;
    private @Nullable CompletableFuture<Void> closing; // guarded by this

    RedisStore(Connector connector, RedisOptions options) {
        this.connector = connector;
        this.options = options;
        keys = options.keys(connector.isCluster());
        StoreTraits.Builder facts = StoreTraits.builder(connector.where(), StoreTraits.Scope.CLUSTER)
                .lease(SHORTEST_LEASE, LONGEST_LEASE)
                .longestKey(LONGEST_KEY)
                .pushesWakeUps()
                .expiryClock(StoreTraits.ExpiryClock.WALL)
                .tokenSource(options.tokenSource());
        traits = (options.prefix() == null ? facts : facts.defaultKeyFormat("{role}")).build();
        wakeUps = new WakeUps(connector, keys.channel());
        scripts = new Scripts(new Link(connector, wakeUps::ensure, wakeUps::renew));
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        return guarded(() -> {
            String record = keys.record(request.key());
            List<String> arguments = new ArrayList<>(List.of(
                    request.holder().incarnation(),
                    millis(request.lease()),
                    Long.toString(request.tokenFloor()),
                    options.counter() ? "counter" : "formula"));
            arguments.addAll(Records.fields(request.holder()));
            List<String> names = List.of(record, Keys.counter(record), Keys.mark(record));
            return scripts.run(Script.ACQUIRE, names, arguments, request.timeLimit())
                    .thenApply(answer -> Answers.acquired(request.key(), record, answer));
        });
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return renewAll(List.of(claim)).get(0);
    }

    @Override
    public List<CompletionStage<RenewResult>> renewAll(List<Claim> claims) {
        return new Renewals(scripts, keys, connector.isCluster()).send(claims);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return guarded(() -> {
            String record = keys.record(claim.key());
            List<String> arguments =
                    List.of(claim.holder().incarnation(), Long.toString(claim.token()), keys.channel(), claim.key());
            return scripts.run(Script.RELEASE, List.of(record, Keys.counter(record)), arguments, claim.timeLimit())
                    .thenApply(Answers::isOne);
        });
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return guarded(() -> scripts.run(
                        Script.REVOKE, List.of(keys.record(key)), List.of(keys.channel(), key), Scripts.PATIENCE)
                .thenApply(Answers::isOne));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return guarded(() -> {
            String record = keys.record(key);
            return scripts.run(
                            Script.FORCE_RELEASE,
                            List.of(record, Keys.counter(record)),
                            List.of(keys.channel(), key),
                            Scripts.PATIENCE)
                    .thenApply(Answers::isOne);
        });
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        return guarded(() -> {
            String record = keys.record(key);
            List<String> arguments = List.of(Long.toString(token), keys.channel(), key);
            return scripts.run(
                            Script.ACCEPT_TOKEN,
                            List.of(Keys.counter(record), Keys.mark(record)),
                            arguments,
                            Scripts.PATIENCE)
                    .thenAccept(done -> {});
        });
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return guarded(() -> scripts.run(Script.READ, List.of(keys.record(key)), List.of(), Scripts.PATIENCE)
                .thenApply(answer -> Answers.read(key, answer)));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        return guarded(() -> new Listing(scripts, keys).all());
    }

    @Override
    public CompletionStage<List<Finding>> examine() {
        return guarded(() -> new RedisExamination(this, scripts, connector, keys, options).findings());
    }

    @Override
    public Registration watch(String key, Runnable wakeUp) {
        return wakeUps.watch(key, wakeUp);
    }

    @Override
    public void close() {
        connector.close(connectionsClosed());
    }

    /**
     * Each is closed once, however often the store is: the driver warns of more. Not blocking.
     */
    private synchronized CompletableFuture<Void> connectionsClosed() {
        CompletableFuture<Void> present = closing;
        if (present == null) {
            present = CompletableFuture.allOf(wakeUps.close(), scripts.close());
            closing = present;
        }
        return present;
    }

    /**
     * In full milliseconds, rounded up.
     */
    static String millis(Duration lease) {
        return Long.toString(Math.max(1, lease.plusNanos(999_999).toMillis()));
    }

    private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (StoreRejectedException | StoreUnavailableException | IllegalArgumentException refused) {
            return CompletableFuture.failedStage(refused);
        }
    }
}
