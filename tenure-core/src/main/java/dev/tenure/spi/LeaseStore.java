package dev.tenure.spi;

import dev.tenure.Registration;
import dev.tenure.StoreException;
import dev.tenure.engine.SystemTime;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A store of leases. No method blocks; the engine calls from one thread, answers may come on any.
 *
 * <p>A stage that fails, or a method that throws, says <em>unknown</em>: never denied, never lost. Fail with a
 * {@link StoreException}; anything else counts as unavailable. The engine limits the time of every call and takes late
 * answers. {@link BlockingLeaseStore} is the form for blocking drivers.
 *
 * <p>A positive answer, {@code Granted} or {@code RENEWED}, promises that this claim's record was seen as the asker's
 * and lasts at least for its lease <em>counted from the sending of the request</em>: a store that rests on sessions
 * renews the session within the same call. An end never moves back, and is rounded up.
 */
public interface LeaseStore extends AutoCloseable {

    /**
     * Constant facts about this store; asks nobody.
     */
    StoreTraits traits();

    /**
     * In one atomic step, grants the key if it is free or expired, with a token above all earlier ones of the key and
     * above {@link AcquireRequest#tokenFloor()}. To the incarnation that holds it already the present grant is given
     * again, prolonged, same token: so a lost answer is resolved by asking again. A record that cannot be read, or is
     * of an unknown version, counts as held.
     */
    CompletionStage<AcquireResult> acquire(AcquireRequest request);

    /**
     * Prolongs exactly this claim, by its whole lease from now; the token stays.
     */
    CompletionStage<RenewResult> renew(Claim claim);

    /**
     * Renews claims that fall due together; each stage belongs to the claim at its index. Claims are independent: a bad
     * or blocked record makes only its own answer unknown.
     */
    default List<CompletionStage<RenewResult>> renewAll(List<Claim> claims) {
        return claims.stream().map(this::renew).toList();
    }

    /**
     * Frees exactly this claim and remembers its token; false if the claim is not the present one.
     */
    CompletionStage<Boolean> release(Claim claim);

    /**
     * Takes the present record away from its holder, from outside: it gets an incarnation that is nobody's, so that
     * renewals are refused, and keeps its end, so that nobody is granted earlier. False if there is no record.
     */
    CompletionStage<Boolean> revoke(String key);

    /**
     * Frees whatever record is there, now: for operators. The holder believes in its lease until its next renewal, so
     * two leaders are possible; whoever calls this says so first. False if there is no record.
     */
    CompletionStage<Boolean> forceRelease(String key);

    /**
     * Resets the highest token of a key, after a restore or a change of store: for operators. The next grant is above
     * {@code token}; candidates that saw higher ones accept it. Changes nothing about the present holder.
     *
     * @param token positive; where {@linkplain StoreTraits#tokensAreIndexes() tokens are indexes} that nobody can raise,
     *     also 0 for the present one
     */
    CompletionStage<Void> acceptToken(String key, long token);

    /**
     * The present record; none if it has expired.
     */
    CompletionStage<Optional<LeaseRecord>> read(String key);

    /**
     * All present records, for people who look; the engine never asks.
     */
    CompletionStage<List<LeaseRecord>> list();

    /**
     * Calls {@code wakeUp}, on any thread, when something changed about the key that may let another in, or that takes it
     * from its holder; may miss and may err. A grant wakes nobody. Does not block.
     */
    default Registration watch(String key, Runnable wakeUp) {
        return () -> {};
    }

    /**
     * Looks at the store for people, who want to know before production what it may do to elections: settings, rights,
     * clocks. It may take seconds and acquire a key of its own, and leaves nothing behind; the engine never asks. Fails
     * like any call if the store cannot be reached; what cannot be looked at is a finding. By default it tells how soon
     * a read is answered.
     */
    default CompletionStage<List<Finding>> examine() {
        String key = Finding.keyOn(traits());
        long began = SystemTime.nanos();
        return read(key).thenCompose(first -> {
            long again = SystemTime.nanos();
            return read(key).thenApply(second -> Finding.answered(again - began, SystemTime.nanos() - again));
        });
    }

    /**
     * Closes what this store opened itself. Idempotent, never throws. Calls afterwards fail with a
     * {@link StoreException}.
     */
    @Override
    void close();
}
