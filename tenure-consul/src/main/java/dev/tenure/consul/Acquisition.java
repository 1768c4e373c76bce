package dev.tenure.consul;

import dev.tenure.StoreRejectedException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * One attempt: the term's own session, made or renewed, then one transaction that locks the key.
 */
final class Acquisition {
    private final ConsulStore store;
    private final AcquireRequest request;
    private final String key;
    private final Duration lease;

    Acquisition(ConsulStore store, AcquireRequest request) {
        this.store = store;
        this.request = request;
        key = store.key(request.key());
        lease = ConsulStore.rounded(request.lease());
    }

    CompletionStage<AcquireResult> run() {
        return attempt(store.terms().of(key, request.holder()), 1);
    }

    /**
     * A release waits for what was sent here: a lock that came between unlocking and destroying would get a lock delay.
     */
    private CompletionStage<AcquireResult> attempt(Term term, int more) {
        return term.inOrder(() -> session(term).thenCompose(session -> lock(term, session)))
                .thenCompose(outcome ->
                        outcome.done() ? granted(term, outcome.entries()) : refused(term, outcome.why(), more));
    }

    private CompletionStage<String> session(Term term) {
        if (term.isEnded()) {
            return CompletableFuture.failedStage(store.agent().unavailable("released meanwhile"));
        }
        Term.State state = term.state();
        if (state.session().isEmpty()) {
            return create(term);
        }
        if (state.token() == 0 && state.value().lease().compareTo(lease) < 0) {
            return store.sessions()
                    .destroy(state.session(), request.timeLimit())
                    .thenCompose(done -> {
                        term.without();
                        return create(term);
                    });
        }
        return store.sessions().renew(state.session(), request.timeLimit()).thenCompose(alive -> {
            if (alive) {
                return CompletableFuture.completedStage(state.session());
            }
            term.without();
            return create(term);
        });
    }

    private CompletionStage<String> create(Term term) {
        return store.sessions().create(key, lease, request.timeLimit()).thenApply(session -> {
            term.with(session, lease);
            return session;
        });
    }

    private CompletionStage<Transaction.Outcome> lock(Term term, String session) {
        if (term.isEnded()) {
            return CompletableFuture.failedStage(store.agent().unavailable("released meanwhile"));
        }
        boolean sure = term.locking();
        return new Transaction()
                .lock(key, session, term.state().json())
                .getTree(ConsulStore.mark(key))
                .send(store.agent(), request.timeLimit())
                .exceptionallyCompose(failed -> howForbidden(Trouble.rootOf(failed)))
                .thenApply(outcome -> {
                    if (outcome.done()) {
                        term.granted(session, outcome.entries().get(0).index());
                    } else {
                        term.refused(sure);
                    }
                    return outcome;
                });
    }

    /**
     * Consul refuses to lock a key that may only be read in the same words as one that may not even be read.
     */
    private CompletionStage<Transaction.Outcome> howForbidden(Throwable failed) {
        String said = String.valueOf(failed.getMessage());
        if (!(failed instanceof StoreRejectedException) || !Trouble.isForbidden(said) || !Paths.isPath(key)) {
            return CompletableFuture.failedStage(failed);
        }
        return store.agent()
                .call("GET", "/v1/kv/" + Paths.ofKey(key), "", request.timeLimit(), Transaction.readRule(key))
                .handle((answer, refused) -> {
                    throw new StoreRejectedException(
                            said + (refused == null ? "; it may only read the key" : "; it may not even read the key"),
                            failed);
                });
    }

    private CompletionStage<AcquireResult> granted(Term term, List<Entry> entries) {
        store.delays().opened(key);
        long accepted = entries.stream()
                .filter(entry -> entry.key().equals(ConsulStore.mark(key)))
                .mapToLong(ConsulStore::accepted)
                .findFirst()
                .orElse(0);
        long token = term.state().value().tokenAt(entries.get(0).index());
        AcquireResult result = AcquireResult.granted(token, accepted);
        return new Prolonging(store, term, lease, request.timeLimit())
                .ifShorter()
                .thenApply(done -> result);
    }

    private CompletionStage<AcquireResult> refused(Term term, String why, int more) {
        if (why.contains("lock delay")) {
            return CompletableFuture.completedStage(
                    AcquireResult.denied(store.delays().closed(key, System.nanoTime())));
        }
        if (why.contains("invalid session") && more > 0) {
            term.without();
            return attempt(term, more - 1);
        }
        if (!why.contains("already held")) {
            return CompletableFuture.failedStage(store.agent().unavailable(Trouble.shortly(why)));
        }
        return store.entry(key, request.timeLimit()).thenCompose(entry -> held(term, entry, more));
    }

    private CompletionStage<AcquireResult> held(Term term, Optional<Entry> present, int more) {
        if (present.isEmpty() || !present.get().isLocked()) { // released meanwhile
            return more > 0
                    ? attempt(term, more - 1)
                    : CompletableFuture.completedStage(AcquireResult.denied(Duration.ofMillis(50)));
        }
        store.delays().opened(key);
        Entry entry = present.get();
        Value value = Value.of(entry);
        boolean own = value.holder().incarnation().equals(request.holder().incarnation()) && !value.revoked();
        if (own && more > 0) { // by another client of the same incarnation
            return term.inOrder(() -> {
                        String unused = term.state().session();
                        term.adopt(entry, value);
                        return unused.equals(entry.session())
                                ? CompletableFuture.<Void>completedStage(null)
                                : store.sessions().destroy(unused, request.timeLimit());
                    })
                    .thenCompose(done -> attempt(term, more - 1));
        }
        return CompletableFuture.completedStage(
                new AcquireResult.Denied(store.record(request.key(), entry), Optional.empty()));
    }
}
