package dev.tenure.consul;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Gives a term a session of a longer lease, for a session's time cannot be changed: in one transaction the old session
 * gives the key to the new one. The token stays, written into the value. Rare: leases of one term are mostly the same.
 */
final class Prolonging {
    private final ConsulStore store;
    private final Term term;
    private final Duration lease;
    private final Duration limit;

    Prolonging(ConsulStore store, Term term, Duration lease, Duration limit) {
        this.store = store;
        this.term = term;
        this.lease = lease;
        this.limit = limit;
    }

    CompletionStage<Boolean> ifShorter() {
        return isLongEnough() ? CompletableFuture.completedStage(true) : term.inOrder(this::run);
    }

    private boolean isLongEnough() {
        return term.state().value().lease().compareTo(lease) >= 0;
    }

    private CompletionStage<Boolean> run() {
        if (isLongEnough() || term.isEnded()) {
            return CompletableFuture.completedStage(true);
        }
        Term.State old = term.state();
        return store.sessions().create(term.key, lease, limit).thenCompose(session -> {
            Value value = old.value().prolonged(lease, old.token());
            String json = value.json(session);
            term.prolonging(true);
            return new Transaction()
                    .checkIndex(term.key, old.index())
                    .unlock(term.key, old.session(), old.json())
                    .lock(term.key, session, json)
                    .send(store.agent(), limit)
                    .thenCompose(outcome -> {
                        term.prolonging(false);
                        String unused = outcome.done() ? old.session() : session;
                        if (outcome.done()) {
                            long index = outcome.entries()
                                    .get(outcome.entries().size() - 1)
                                    .index();
                            term.prolonged(session, value, json, index);
                        }
                        return store.sessions().destroy(unused, limit).thenApply(done -> {
                            if (!outcome.done()) {
                                throw store.agent().unavailable("cannot be prolonged: " + outcome.why());
                            }
                            return true;
                        });
                    });
        });
    }
}
