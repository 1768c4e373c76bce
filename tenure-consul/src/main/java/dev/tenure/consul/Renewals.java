package dev.tenure.consul;

import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Renewals that fall due together: each claim's session is renewed, and meanwhile up to 64 keys at once are read to see
 * whose they are, since that a session lives proves nothing about its key. Writes nothing to Raft.
 */
final class Renewals {
    private final ConsulStore store;

    /**
     * @param key as Consul has it
     * @param checked the key's present index if the session holds it; -1 if it does not
     */
    private record One(Claim claim, String key, Term term, Term.State state, CompletableFuture<Long> checked) {}

    Renewals(ConsulStore store) {
        this.store = store;
    }

    List<CompletionStage<RenewResult>> send(List<Claim> claims) {
        List<CompletionStage<RenewResult>> answers = new ArrayList<>(claims.size());
        List<One> known = new ArrayList<>();
        for (Claim claim : claims) {
            String key = store.key(claim.key());
            Term term = store.terms().find(key, claim.holder());
            if (term == null || term.state().token() != claim.token() || term.isEnded()) {
                answers.add(unknownHere(claim, key));
            } else {
                One one = new One(claim, key, term, term.state(), new CompletableFuture<>());
                known.add(one);
                answers.add(renew(one));
            }
        }
        for (int from = 0; from < known.size(); from += Transaction.MOST) {
            check(known.subList(from, Math.min(known.size(), from + Transaction.MOST)));
        }
        return answers;
    }

    /**
     * Asks for the keys that failed no more, and for the others again, whose answers the failures swallowed.
     */
    private void check(List<One> batch) {
        Transaction reads = new Transaction();
        batch.forEach(one -> reads.checkSession(one.key(), one.state().session()));
        reads.sendEach(store.agent(), batch.get(0).claim().timeLimit()).whenComplete((outcome, failed) -> {
            List<One> again = new ArrayList<>();
            for (int i = 0; i < batch.size(); i++) {
                One one = batch.get(i);
                if (failed != null) {
                    one.checked().completeExceptionally(Trouble.rootOf(failed));
                } else if (outcome.errors().containsKey(i)) {
                    refuted(one, String.valueOf(outcome.errors().get(i)));
                } else if (outcome.done() && i < outcome.entries().size()) {
                    one.checked().complete(outcome.entries().get(i).index());
                } else if (outcome.done()) {
                    one.checked().completeExceptionally(store.agent().unavailable("a check without an answer"));
                } else {
                    again.add(one);
                }
            }
            if (!again.isEmpty()) {
                check(again);
            }
        });
    }

    private void refuted(One one, String why) {
        if (why.contains("failed session check") || why.contains("doesn't exist")) {
            one.checked().complete(-1L);
        } else if (Trouble.isForbidden(why)) {
            one.checked()
                    .completeExceptionally(Trouble.forbidden(
                            store.agent().where(),
                            why,
                            Transaction.readRule(one.key()),
                            store.agent().options().token()));
        } else {
            one.checked().completeExceptionally(store.agent().unavailable(Trouble.shortly(why)));
        }
    }

    private CompletionStage<RenewResult> renew(One one) {
        one.term().touch();
        CompletionStage<Boolean> alive =
                store.sessions().renew(one.state().session(), one.claim().timeLimit());
        return alive.handle((lives, failed) -> new Renewed(lives, failed))
                .thenCompose(renewed -> one.checked()
                        .handle((index, failed) -> judge(one, renewed, index, failed))
                        .thenCompose(answer -> answer));
    }

    private record Renewed(
            @Nullable Boolean lives, @Nullable Throwable failed) {}

    private CompletionStage<RenewResult> judge(
            One one, Renewed renewed, @Nullable Long index, @Nullable Throwable failed) {
        if (!one.term().state().session().equals(one.state().session())) { // it was given a longer one meanwhile
            return unknownHere(one.claim(), one.key());
        }
        boolean refused = Boolean.FALSE.equals(renewed.lives()) || (index != null && index < 0);
        if (refused && one.term().isProlonging()) { // perhaps it was
            return unknownHere(one.claim(), one.key());
        }
        if (Boolean.FALSE.equals(renewed.lives())) {
            return CompletableFuture.completedStage(RenewResult.SESSION_GONE);
        }
        if (index != null && index < 0) {
            store.abandon(one.term(), one.claim().timeLimit()); // it holds nothing
            return CompletableFuture.completedStage(RenewResult.NOT_HOLDER);
        }
        Throwable unknown = failed != null ? failed : renewed.failed();
        if (unknown != null || index == null) {
            return CompletableFuture.failedStage(
                    unknown == null ? store.agent().unavailable("no answer") : Trouble.rootOf(unknown));
        }
        if (index != one.state().index()) { // somebody wrote into it
            return unknownHere(one.claim(), one.key());
        }
        return prolonged(one.term(), one.claim());
    }

    private CompletionStage<RenewResult> prolonged(Term term, Claim claim) {
        Duration lease = ConsulStore.rounded(claim.lease());
        return new Prolonging(store, term, lease, claim.timeLimit()).ifShorter().thenApply(done -> RenewResult.RENEWED);
    }

    /**
     * The key itself tells whose it is.
     */
    private CompletionStage<RenewResult> unknownHere(Claim claim, String key) {
        return store.entry(key, claim.timeLimit()).thenCompose(present -> {
            if (present.isEmpty() || !present.get().isLocked()) {
                return CompletableFuture.completedStage(RenewResult.NOT_HOLDER);
            }
            Entry entry = present.get();
            Optional<Value> value = readable(entry);
            if (value.isEmpty() || !ConsulStore.matches(claim, entry, value.get())) {
                return CompletableFuture.completedStage(RenewResult.NOT_HOLDER);
            }
            Term term = store.terms().of(key, claim.holder());
            term.adopt(entry, value.get());
            return store.sessions()
                    .renew(entry.session(), claim.timeLimit())
                    .thenCompose(lives -> lives
                            ? prolonged(term, claim)
                            : CompletableFuture.completedStage(RenewResult.SESSION_GONE));
        });
    }

    private Optional<Value> readable(Entry entry) {
        try {
            return Value.parse(entry.value());
        } catch (IOException broken) {
            throw store.agent().unavailable("the value of " + entry.key() + " cannot be read");
        }
    }
}
