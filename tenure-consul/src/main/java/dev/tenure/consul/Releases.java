package dev.tenure.consul;

import dev.tenure.StoreRejectedException;
import dev.tenure.spi.Claim;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The end of a term: unlock, so that there is no lock delay, then destroy, so that no late lock succeeds.
 */
final class Releases {
    private final ConsulStore store;

    Releases(ConsulStore store) {
        this.store = store;
    }

    CompletionStage<Boolean> release(Claim claim) {
        String key = store.key(claim.key());
        Term term = store.terms().find(key, claim.holder());
        if (term == null || !isItsOwn(claim, term)) {
            return byTheKey(claim, key);
        }
        term.end();
        return term.inOrder(() -> end(term, claim.timeLimit()));
    }

    private static boolean isItsOwn(Claim claim, Term term) {
        long token = term.state().token();
        return claim.token() == Claim.UNKNOWN_TOKEN || token == 0 || token == claim.token();
    }

    private CompletionStage<Boolean> end(Term term, Duration limit) {
        Term.State state = term.state();
        if (state.session().isEmpty()) {
            store.terms().remove(term);
            return CompletableFuture.completedStage(term.wasUnlocked());
        }
        boolean doubtful = term.isDoubtful();
        term.doubtful(true);
        return unlock(term.key, state.session(), state.json(), limit)
                .exceptionallyCompose(failed -> Trouble.rootOf(failed) instanceof StoreRejectedException
                        ? store.sessions() // it may not unlock: then the lock delay comes, and no orphan is left
                                .destroy(state.session(), limit)
                                .thenCompose(done -> CompletableFuture.failedStage(failed))
                        : CompletableFuture.failedStage(failed))
                .thenCompose(
                        done -> done || !doubtful ? CompletableFuture.completedStage(done) : isLeftByOurs(term, limit))
                .thenCompose(unlocked -> {
                    if (unlocked) {
                        term.unlocked();
                    }
                    term.doubtful(false);
                    return store.sessions().destroy(state.session(), limit).thenApply(done -> {
                        term.without();
                        store.terms().remove(term);
                        return term.wasUnlocked();
                    });
                });
    }

    /**
     * An earlier unlocking whose answer was lost may have been carried out: then nobody has the key, and it says so.
     */
    private CompletionStage<Boolean> isLeftByOurs(Term term, Duration limit) {
        return store.entry(term.key, limit)
                .thenApply(present -> present.isPresent()
                        && !present.get().isLocked()
                        && present.get().value().equals(term.state().json()));
    }

    /**
     * Granted to another client of this incarnation, or released already.
     */
    private CompletionStage<Boolean> byTheKey(Claim claim, String key) {
        return store.entry(key, claim.timeLimit()).thenCompose(present -> {
            @Nullable Entry entry = present.orElse(null);
            if (entry == null || !entry.isLocked() || !ConsulStore.matches(claim, entry, Value.of(entry))) {
                return CompletableFuture.completedStage(false);
            }
            return unlock(key, entry.session(), entry.value(), claim.timeLimit())
                    .thenCompose(unlocked -> store.sessions()
                            .destroy(entry.session(), claim.timeLimit())
                            .thenApply(done -> unlocked));
        });
    }

    private CompletionStage<Boolean> unlock(String key, String session, String json, Duration limit) {
        return new Transaction()
                .unlock(key, session, json)
                .send(store.agent(), limit)
                .thenApply(outcome -> {
                    String why = outcome.why();
                    boolean held = outcome.done();
                    if (!held
                            && !why.contains("isn't held")
                            && !why.contains("doesn't exist")
                            && !why.contains("invalid session")) {
                        throw store.agent().unavailable(Trouble.shortly(why));
                    }
                    return held;
                });
    }
}
