package dev.tenure.consul;

import dev.tenure.Registration;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Leases as locked keys.
 */
final class ConsulStore implements LeaseStore {
    static final Duration SHORTEST_LEASE = Duration.ofSeconds(10);
    static final Duration LONGEST_LEASE = Duration.ofDays(1);
    private static final int LONGEST_KEY = 512;

    /**
     * Consul waits twice the time of a session, and then has to write to Raft.
     */
    private static final Duration WRITE = Duration.ofMillis(250);

    /**
     * How long somebody waits who set no limit.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);
    private static final String MARK = "/.accepted-token";
    private static final String TOKEN_SOURCE = "the key's ModifyIndex, an index of Consul's Raft log; a Consul that is"
            + " restored from a snapshot or set up anew gives lower ones";

    private final ConsulOptions options;
    private final StoreTraits traits;
    private final Agent agent;
    private final Sessions sessions;
    private final Terms terms = new Terms();
    private final LockDelays delays;
    private final Operations operations;
    private final Watches watches;

    ConsulStore(ConsulOptions options, @Nullable SSLContext tls) {
        this.options = options;
        traits = StoreTraits.builder(options.toString(), StoreTraits.Scope.CLUSTER)
                .lease(SHORTEST_LEASE, options.nodeChecks().isEmpty() ? LONGEST_LEASE : options.lockDelay())
                .longestKey(LONGEST_KEY)
                .pushesWakeUps()
                .lockDelay(options.lockDelay())
                .expiryLag(lease -> lease.plus(WRITE))
                .expiryClock(StoreTraits.ExpiryClock.MONOTONIC)
                .tokenSource(TOKEN_SOURCE)
                .tokensAreIndexes()
                .defaultKeyFormat("service/{role}/leader")
                .build();
        agent = new Agent(options, tls);
        sessions = new Sessions(agent, options);
        delays = new LockDelays(options.lockDelay());
        operations = new Operations(this, PATIENCE);
        watches = new Watches(agent, delays);
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public CompletionStage<AcquireResult> acquire(AcquireRequest request) {
        return new Acquisition(this, request).run();
    }

    @Override
    public CompletionStage<RenewResult> renew(Claim claim) {
        return renewAll(List.of(claim)).get(0);
    }

    @Override
    public List<CompletionStage<RenewResult>> renewAll(List<Claim> claims) {
        return new Renewals(this).send(claims);
    }

    @Override
    public CompletionStage<Boolean> release(Claim claim) {
        return new Releases(this).release(claim);
    }

    @Override
    public CompletionStage<Boolean> revoke(String key) {
        return operations.revoke(key(key));
    }

    @Override
    public CompletionStage<Boolean> forceRelease(String key) {
        return operations.forceRelease(key(key));
    }

    @Override
    public CompletionStage<Void> acceptToken(String key, long token) {
        return operations.acceptToken(key(key), token);
    }

    @Override
    public CompletionStage<Optional<LeaseRecord>> read(String key) {
        return entry(key(key), PATIENCE).thenApply(present -> present.flatMap(entry -> record(key, entry)));
    }

    @Override
    public CompletionStage<List<LeaseRecord>> list() {
        return operations.list(options.prefix());
    }

    @Override
    public Registration watch(String key, Runnable wakeUp) {
        return watches.watch(key(key), wakeUp);
    }

    @Override
    public CompletionStage<List<Finding>> examine() {
        return new ConsulExamination(this, options).findings();
    }

    /**
     * Sessions that were made for nothing are destroyed first, if that takes no longer than a second.
     */
    @Override
    public void close() {
        watches.close();
        if (!agent.isClosed()) {
            CompletableFuture<?>[] ends = terms.all().stream()
                    .filter(term -> term.state().token() == 0)
                    .map(term -> abandon(term, LONGEST_CLOSE).toCompletableFuture())
                    .toArray(CompletableFuture<?>[]::new);
            try {
                CompletableFuture.allOf(ends).get(LONGEST_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (Exception left) {
                // they expire
            }
        }
        agent.close();
    }

    /**
     * Destroys a session that holds nothing.
     */
    CompletionStage<Void> abandon(Term term, Duration limit) {
        term.end();
        return term.inOrder(() -> {
            String session = term.state().session();
            term.without();
            terms.remove(term);
            return session.isEmpty() ? CompletableFuture.<Void>completedStage(null) : sessions.destroy(session, limit);
        });
    }

    /**
     * What Consul calls it.
     */
    String key(String key) {
        return options.prefix() + key;
    }

    /**
     * Where the operator's word on a key's tokens stands.
     */
    static String mark(String key) {
        return key + MARK;
    }

    /**
     * Of which key such a name is the mark; empty if it is none.
     */
    static String markedBy(String name) {
        return name.endsWith(MARK) ? name.substring(0, name.length() - MARK.length()) : "";
    }

    static long accepted(Entry mark) {
        try {
            return Long.parseLong(mark.value().trim());
        } catch (NumberFormatException unsound) {
            return 0;
        }
    }

    /**
     * Fails if the token may not read a key that is there: Consul leaves it out, which must not be taken for no key.
     */
    CompletionStage<Optional<Entry>> entry(String key, Duration limit) {
        return new Transaction().get(key).send(agent, limit).thenApply(outcome -> {
            if (!outcome.done() && !outcome.why().contains("doesn't exist")) {
                throw agent.unavailable(Trouble.shortly(outcome.why()));
            }
            if (outcome.done() && outcome.entries().isEmpty()) {
                throw Trouble.forbidden(
                        agent.where(),
                        "the key was left out of the answer",
                        Transaction.readRule(key),
                        options.token());
            }
            return outcome.entries().stream().findFirst();
        });
    }

    /**
     * None if nobody has locked it. Consul does not tell how long a session has left: at most what it was made for, and
     * as much again.
     */
    Optional<LeaseRecord> record(String key, Entry entry) {
        if (!entry.isLocked()) {
            return Optional.empty();
        }
        Value value = Value.of(entry);
        return Optional.of(
                new LeaseRecord(key, value.holder(), value.tokenAt(entry.index()), value.lease(), value.since()));
    }

    static boolean matches(Claim claim, Entry entry, Value value) {
        boolean same = claim.token() == Claim.UNKNOWN_TOKEN || claim.token() == value.tokenAt(entry.index());
        return same
                && !value.revoked()
                && value.holder().incarnation().equals(claim.holder().incarnation());
    }

    /**
     * In full milliseconds, rounded up.
     */
    static Duration rounded(Duration lease) {
        return Duration.ofMillis(lease.plusNanos(999_999).toMillis());
    }

    Agent agent() {
        return agent;
    }

    Sessions sessions() {
        return sessions;
    }

    Terms terms() {
        return terms;
    }

    LockDelays delays() {
        return delays;
    }
}
