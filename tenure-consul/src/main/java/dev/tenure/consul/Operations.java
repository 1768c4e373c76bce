package dev.tenure.consul;

import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/**
 * What operators ask for.
 */
final class Operations {
    private static final int TRIES = 5;

    private final ConsulStore store;
    private final Duration limit;

    Operations(ConsulStore store, Duration limit) {
        this.store = store;
        this.limit = limit;
    }

    /**
     * If the lock delay of the holder's session is no shorter than its lease, that session is destroyed: the key opens
     * when the holder's lease has ended. Otherwise it would open earlier, so a session that nobody renews takes the key,
     * of the same lease: it ends no earlier than the holder's would, and the lock delay comes after it.
     */
    CompletionStage<Boolean> revoke(String key) {
        return revoke(key, TRIES);
    }

    private CompletionStage<Boolean> revoke(String key, int tries) {
        return store.entry(key, limit).thenCompose(present -> {
            if (present.isEmpty() || !present.get().isLocked()) {
                return CompletableFuture.completedStage(false);
            }
            Entry entry = present.get();
            Value value = Value.of(entry);
            return value.revoked() ? CompletableFuture.completedStage(true) : revoke(entry, value, tries);
        });
    }

    private CompletionStage<Boolean> revoke(Entry entry, Value value, int tries) {
        return store.sessions().info(entry.session(), limit).thenCompose(info -> {
            Duration believed = info.map(Sessions.Info::time)
                    .filter(time -> time.compareTo(value.lease()) > 0)
                    .orElse(value.lease());
            boolean closedForLongEnough =
                    info.isPresent() && info.get().lockDelay().compareTo(believed) >= 0;
            return closedForLongEnough
                    ? store.sessions().destroy(entry.session(), limit).thenApply(done -> true)
                    : take(entry, value, believed, tries);
        });
    }

    private CompletionStage<Boolean> take(Entry entry, Value value, Duration believed, int tries) {
        String key = entry.key();
        Value revoked = value.revokedAs("revoked:" + UUID.randomUUID());
        return store.sessions()
                .create(key, believed, limit)
                .thenCompose(session -> new Transaction()
                        .deleteAt(key, entry.index())
                        .lock(key, session, revoked.json(session))
                        .send(store.agent(), limit)
                        .thenCompose(outcome -> outcome.done()
                                ? CompletableFuture.completedStage(true)
                                : store.sessions().destroy(session, limit).thenCompose(done -> {
                                    if (tries <= 1) {
                                        throw store.agent()
                                                .unavailable("the key changes all the time: " + outcome.why());
                                    }
                                    return revoke(key, tries - 1);
                                })));
    }

    CompletionStage<Boolean> forceRelease(String key) {
        return forceRelease(key, TRIES);
    }

    private CompletionStage<Boolean> forceRelease(String key, int tries) {
        return store.entry(key, limit).thenCompose(present -> {
            if (present.isEmpty() || !present.get().isLocked()) {
                return CompletableFuture.completedStage(false);
            }
            Entry entry = present.get();
            return new Transaction()
                    .deleteAt(key, entry.index())
                    .send(store.agent(), limit)
                    .thenCompose(outcome -> {
                        if (!outcome.done()) {
                            if (tries <= 1) {
                                throw store.agent().unavailable("the key changes all the time: " + outcome.why());
                            }
                            return forceRelease(key, tries - 1);
                        }
                        return Value.of(entry).revoked()
                                ? store.sessions()
                                        .destroy(entry.session(), limit)
                                        .thenApply(done -> true)
                                : CompletableFuture.completedStage(true);
                    });
        });
    }

    /**
     * @param token 0 for the index of the mark itself: every later grant is above it
     */
    CompletionStage<Void> acceptToken(String key, long token) {
        return mark(key, token)
                .thenCompose(index -> token == 0 ? mark(key, index) : CompletableFuture.completedStage(0L))
                .thenAccept(done -> {});
    }

    private CompletionStage<Long> mark(String key, long token) {
        return new Transaction()
                .set(ConsulStore.mark(key), Long.toString(token))
                .send(store.agent(), limit)
                .thenApply(outcome -> {
                    if (!outcome.done() || outcome.entries().isEmpty()) {
                        throw store.agent().unavailable(outcome.done() ? "no index" : outcome.why());
                    }
                    return outcome.entries().get(0).index();
                });
    }

    /**
     * By the names of sessions: reading every key of a Consul that others use too would be too much.
     */
    CompletionStage<List<LeaseRecord>> list(String prefix) {
        return store.sessions().keys(limit).thenCompose(keys -> {
            List<String> own =
                    keys.stream().filter(key -> key.startsWith(prefix)).toList();
            return new Reads(store.agent(), limit).all(own).thenApply(found -> records(own, prefix, found));
        });
    }

    private List<LeaseRecord> records(List<String> keys, String prefix, Map<String, Entry> found) {
        return keys.stream()
                .flatMap(key -> Stream.ofNullable(found.get(key)))
                .flatMap(entry -> store.record(entry.key().substring(prefix.length()), entry).stream())
                .toList();
    }

    /**
     * Many keys, 64 at once; the missing ones are left out.
     */
    record Reads(Agent agent, Duration limit) {
        CompletionStage<Map<String, Entry>> all(List<String> keys) {
            CompletionStage<Map<String, Entry>> found = CompletableFuture.completedStage(Map.of());
            for (int from = 0; from < keys.size(); from += Transaction.MOST) {
                List<String> some = keys.subList(from, Math.min(keys.size(), from + Transaction.MOST));
                found = found.thenCombine(some(some), Reads::joined);
            }
            return found;
        }

        private static Map<String, Entry> joined(Map<String, Entry> one, Map<String, Entry> other) {
            Map<String, Entry> both = new HashMap<>(one);
            both.putAll(other);
            return both;
        }

        private CompletionStage<Map<String, Entry>> some(List<String> keys) {
            if (keys.isEmpty()) {
                return CompletableFuture.completedStage(Map.of());
            }
            Transaction reads = new Transaction();
            keys.forEach(reads::get);
            return reads.send(agent, limit).thenCompose(outcome -> {
                if (outcome.done()) {
                    Map<String, Entry> found = new HashMap<>();
                    outcome.entries().forEach(entry -> found.put(entry.key(), entry));
                    return CompletableFuture.completedStage(found);
                }
                List<String> there = new ArrayList<>();
                for (int i = 0; i < keys.size(); i++) {
                    if (!outcome.errors().containsKey(i)) {
                        there.add(keys.get(i));
                    }
                }
                return some(there);
            });
        }

        CompletionStage<Optional<Entry>> one(String key) {
            return some(List.of(key)).thenApply(found -> Optional.ofNullable(found.get(key)));
        }
    }
}
