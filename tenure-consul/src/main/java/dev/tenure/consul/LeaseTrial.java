package dev.tenure.consul;

import dev.tenure.StoreException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A term from grant to release, on a key that nobody elects on, and whether a query that waits hears of the release.
 */
final class LeaseTrial {
    private static final Duration HEARD_WITHIN = Duration.ofSeconds(5);

    /**
     * What is answered earlier, without a change, was not held.
     */
    private static final Duration HELD_FOR = Duration.ofMillis(200);

    private final ConsulStore store;
    private final Inquiry inquiry;
    private final String key;
    private final Duration lease;
    private final Holder holder;

    /**
     * @param key nobody's, different each time
     */
    LeaseTrial(ConsulStore store, Inquiry inquiry, String key, Duration lease) {
        this.store = store;
        this.inquiry = inquiry;
        this.key = key;
        this.lease = lease;
        holder = new Holder("tenure doctor", key, Map.of());
    }

    List<Finding> findings() {
        try {
            return term();
        } catch (StoreException refused) {
            return List.of(Finding.problem(
                    "lease",
                    Trouble.shortly(String.valueOf(refused.getMessage())),
                    "no role is granted anew; if renewals meet the same, leaders stand down at their deadline",
                    "what the message says"));
        } finally {
            Rights.delete(store, inquiry, store.key(key));
        }
    }

    private List<Finding> term() {
        long token = Claim.UNKNOWN_TOKEN;
        String took;
        CompletableFuture<Boolean> heard;
        try {
            long sent = System.nanoTime();
            AcquireResult answer =
                    inquiry.ask(limit -> store.acquire(new AcquireRequest(key, holder, lease, 0, limit)));
            took = Readings.millis(System.nanoTime() - sent);
            if (!(answer instanceof Granted granted)) {
                throw store.agent().unavailable("a key that nobody has was denied: " + key);
            }
            token = granted.token();
            Claim claim = claim(token, Duration.ofSeconds(2));
            RenewResult renewed = inquiry.ask(limit -> store.renew(claim));
            if (renewed != RenewResult.RENEWED) {
                throw store.agent().unavailable("the renewal was answered with " + renewed + ": " + key);
            }
            heard = listen();
        } finally {
            release(token);
        }
        Finding granted = Finding.ok("lease", "granted in " + took + ", renewed and released, token " + token);
        return List.of(granted, wakeUps(heard));
    }

    private void release(long token) {
        inquiry.cleanUp(limit -> store.release(claim(token, limit)));
    }

    /**
     * A query that Consul holds until the key changes.
     */
    private CompletableFuture<Boolean> listen() {
        if (!Paths.isPath(store.key(key))) {
            return CompletableFuture.completedFuture(false);
        }
        String path = "/v1/kv/" + Paths.ofKey(store.key(key));
        Duration wait = HEARD_WITHIN.plusSeconds(1);
        HttpResponse<String> present = inquiry.get(path);
        long index = store.agent().answerOf(present, "").index();
        String held = path + "?wait=" + wait.toSeconds() + "s&index=" + Long.toUnsignedString(index);
        CompletableFuture<Boolean> heard = store.agent()
                .hold(held, wait.plusSeconds(1))
                .handle((answer, failed) -> failed == null && isFree(answer));
        boolean early = heard.thenApply(free -> true)
                .completeOnTimeout(false, HELD_FOR.toMillis(), TimeUnit.MILLISECONDS)
                .join();
        return early ? CompletableFuture.completedFuture(false) : heard;
    }

    private static boolean isFree(HttpResponse<String> answer) {
        try {
            List<?> entries = answer.statusCode() == 200 ? Json.list(Json.parse(answer.body())) : List.of();
            return entries.size() == 1 && !Entry.of(entries.get(0)).isLocked();
        } catch (IOException noJson) {
            return false;
        }
    }

    private static Finding wakeUps(CompletableFuture<Boolean> heard) {
        return heard.completeOnTimeout(false, HEARD_WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                        .join()
                ? Finding.ok("wake-ups", "the release was heard of")
                : Finding.advice(
                        "wake-ups",
                        "the release was not heard of within " + HEARD_WITHIN.toSeconds() + " s",
                        "candidates do not hear of a release: a hand-over takes as long as they wait to ask again",
                        "look for what ends, holds back or answers queries that wait (?index=…&wait=…): a proxy with a"
                                + " short time limit or a cache; or for a namespace that a URL path cannot have");
    }

    private Claim claim(long token, Duration limit) {
        return new Claim(key, holder, token, lease, limit);
    }
}
