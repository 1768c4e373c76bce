package dev.tenure.redis;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A term from grant to release, on a key that nobody elects on, and whether the release is heard of.
 */
final class LeaseTrial {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration HEARD_WITHIN = Duration.ofSeconds(5);

    private final LeaseStore store;
    private final Scripts scripts;
    private final Connector connector;
    private final Keys keys;
    private final String key;
    private final Holder holder;
    private final CompletableFuture<Boolean> heard = new CompletableFuture<>();

    /**
     * @param key nobody's, different each time
     */
    LeaseTrial(LeaseStore store, Scripts scripts, Connector connector, Keys keys, String key) {
        this.store = store;
        this.scripts = scripts;
        this.connector = connector;
        this.keys = keys;
        this.key = key;
        holder = new Holder("tenure doctor", key, Map.of());
    }

    CompletionStage<List<Finding>> findings() {
        return connector
                .connectPubSub()
                .thenCompose(this::listen)
                .thenCompose(ear -> term().handle((token, failed) -> failed == null
                                ? Finding.ok("lease", "granted, renewed and released, token " + token)
                                : refused(failed))
                        .thenCompose(lease -> wakeUps(lease))
                        .thenCompose(found ->
                                cleanUp().thenCompose(clean -> ear.closeAsync().thenApply(closed -> found))));
    }

    private CompletionStage<StatefulRedisPubSubConnection<String, String>> listen(
            StatefulRedisPubSubConnection<String, String> ear) {
        ear.addListener(new RedisPubSubAdapter<String, String>() {
            @Override
            public void message(String from, String released) {
                if (released.equals(key)) {
                    heard.complete(true);
                }
            }
        });
        return ear.async().subscribe(keys.channel()).handle((subscribed, refused) -> ear);
    }

    private CompletionStage<Long> term() {
        return store.acquire(new AcquireRequest(key, holder, LEASE, 0, Scripts.PATIENCE))
                .thenCompose(answer -> {
                    if (!(answer instanceof Granted granted)) {
                        throw new IllegalStateException("a key that nobody has was denied: " + key);
                    }
                    Claim claim = new Claim(key, holder, granted.token(), LEASE, Scripts.PATIENCE);
                    return store.renew(claim).thenCompose(renewed -> {
                        if (renewed != RenewResult.RENEWED) {
                            throw new IllegalStateException("the renewal was answered with " + renewed + ": " + key);
                        }
                        return store.release(claim).thenApply(released -> granted.token());
                    });
                });
    }

    private static Finding refused(Throwable failed) {
        return Finding.problem(
                "lease",
                Trouble.shortly(failed),
                "no role is granted anew; if renewals meet the same, leaders stand down at their deadline",
                "what the message says");
    }

    private CompletionStage<List<Finding>> wakeUps(Finding lease) {
        List<Finding> findings = new ArrayList<>(List.of(lease));
        if (lease.severity() != Finding.Severity.OK) {
            return CompletableFuture.completedStage(findings);
        }
        connector.later(HEARD_WITHIN, () -> heard.complete(false));
        return heard.thenApply(in -> {
            findings.add(
                    in
                            ? Finding.ok("wake-ups", "the release was heard of")
                            : Finding.advice(
                                    "wake-ups",
                                    "the release was not heard of within " + HEARD_WITHIN.toSeconds() + " s",
                                    "candidates do not hear of a release: a hand-over takes up to the rest of the lease",
                                    "look for what keeps PUBLISH from subscribers of " + keys.channel()
                                            + ": a proxy, an ACL"));
            return findings;
        });
    }

    /**
     * The counter too: it is the only one that nobody's tokens rest on.
     */
    private CompletionStage<?> cleanUp() {
        String record = keys.record(key);
        return scripts.call(server -> server.del(record, Keys.counter(record), Keys.mark(record))
                        .thenApply(done -> done))
                .handle((deleted, failed) -> key);
    }
}
