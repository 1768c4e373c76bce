package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaseStores;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A store that is asked and waited for, up to a minute. For a store's own tests.
 *
 * @param lease asked for
 * @param limit told to the store as the time limit of each call
 */
public record Asker(LeaseStore store, Duration lease, Duration limit) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /**
     * With leases of 10 minutes, which no test outlives, and a limit of 30 s.
     */
    public static Asker of(LeaseStore store) {
        return new Asker(store, Duration.ofMinutes(10), Duration.ofSeconds(30));
    }

    /**
     * On a store of its own.
     *
     * @param options names and values in turn
     */
    public static Asker at(String url, String... options) {
        return of(LeaseStores.open(url, map(options)));
    }

    /**
     * Names and values in turn.
     */
    public static Map<String, String> map(String... options) {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            map.put(options[i], options[i + 1]);
        }
        return map;
    }

    /**
     * The same store.
     */
    public Asker withLease(Duration other) {
        return new Asker(store, other, limit);
    }

    /**
     * The same store.
     */
    public Asker withLimit(Duration other) {
        return new Asker(store, lease, other);
    }

    /**
     * A new incarnation of that name.
     */
    public static Holder holder(String name) {
        return new Holder(name, UUID.randomUUID().toString(), Map.of("at", name));
    }

    /**
     * Without waiting for the answer.
     */
    public CompletionStage<AcquireResult> asks(String key, Holder holder) {
        return store.acquire(new AcquireRequest(key, holder, lease, 0, limit));
    }

    /**
     * Asks with this floor.
     */
    public AcquireResult ask(String key, Holder holder, long floor) {
        return Answers.within(PATIENCE, store.acquire(new AcquireRequest(key, holder, lease, floor, limit)));
    }

    /**
     * Asks as one that has seen nothing.
     */
    public AcquireResult ask(String key, Holder holder) {
        return ask(key, holder, 0);
    }

    /**
     * Must be granted.
     */
    public Claim grant(String key) {
        return grant(key, holder("a"));
    }

    /**
     * Must be granted.
     */
    public Claim grant(String key, Holder holder) {
        AcquireResult answer = ask(key, holder);
        assertThat(answer).isInstanceOf(Granted.class);
        return claim(key, holder, ((Granted) answer).token());
    }

    /**
     * Must be denied.
     */
    public Denied denied(String key) {
        AcquireResult answer = ask(key, holder("denied"));
        assertThat(answer).isInstanceOf(Denied.class);
        return (Denied) answer;
    }

    /**
     * With this asker's lease and limit.
     */
    public Claim claim(String key, Holder holder, long token) {
        return new Claim(key, holder, token, lease, limit);
    }

    /**
     * The same with this asker's limits.
     */
    public Claim own(Claim claim) {
        return claim(claim.key(), claim.holder(), claim.token());
    }

    /**
     * Asks and waits.
     */
    public RenewResult renew(Claim claim) {
        return Answers.within(PATIENCE, store.renew(own(claim)));
    }

    /**
     * Asks and waits for all.
     */
    public List<RenewResult> renewAll(List<Claim> claims) {
        return store.renewAll(claims).stream()
                .map(stage -> Answers.within(PATIENCE, stage))
                .toList();
    }

    /**
     * Asks and waits.
     */
    public boolean release(Claim claim) {
        return Answers.within(PATIENCE, store.release(own(claim)));
    }

    /**
     * Asks and waits.
     */
    public boolean forceRelease(String key) {
        return Answers.within(PATIENCE, store.forceRelease(key));
    }

    /**
     * Asks and waits.
     */
    public void acceptToken(String key, long token) {
        boolean done = Answers.within(PATIENCE, store.acceptToken(key, token).thenApply(nothing -> true));
        assertThat(done).isTrue();
    }

    /**
     * Asks and waits.
     */
    public Optional<LeaseRecord> read(String key) {
        return Answers.within(PATIENCE, store.read(key));
    }

    /**
     * Of a record that is there.
     */
    public Duration remaining(String key) {
        return read(key).orElseThrow().remaining();
    }

    /**
     * Asks and waits.
     */
    public List<LeaseRecord> list() {
        return Answers.within(PATIENCE, store.list());
    }

    /**
     * What the call fails with; it must fail.
     */
    public Throwable failure(Function<LeaseStore, CompletionStage<?>> call) {
        return Answers.failure(PATIENCE, () -> call.apply(store));
    }

    /**
     * What an acquisition fails with; it must fail.
     */
    public Throwable failureOfAsking(String key) {
        return failure(any -> asks(key, holder("a")));
    }

    @Override
    public void close() {
        store.close();
    }
}
