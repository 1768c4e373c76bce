package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Answers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A store that is asked and waited for.
 */
record Asker(LeaseStore store, Duration lease, Duration limit) implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static Asker of(LeaseStore store) {
        return new Asker(store, Duration.ofSeconds(30), Duration.ofSeconds(20));
    }

    static Asker at(String url, String... options) {
        return of(JdbcLeaseStore.connect(url, map(options)));
    }

    static Map<String, String> map(String... options) {
        Map<String, String> map = new java.util.HashMap<>();
        for (int i = 0; i < options.length; i += 2) {
            map.put(options[i], options[i + 1]);
        }
        return map;
    }

    Asker withLease(Duration other) {
        return new Asker(store, other, limit);
    }

    Asker withLimit(Duration other) {
        return new Asker(store, lease, other);
    }

    static Holder holder(String name) {
        return new Holder(name, UUID.randomUUID().toString(), Map.of("at", name));
    }

    CompletionStage<AcquireResult> asks(String key, Holder holder) {
        return store.acquire(new AcquireRequest(key, holder, lease, 0, limit));
    }

    AcquireResult ask(String key, Holder holder, long floor) {
        return Answers.within(PATIENCE, store.acquire(new AcquireRequest(key, holder, lease, floor, limit)));
    }

    AcquireResult ask(String key, Holder holder) {
        return ask(key, holder, 0);
    }

    Claim grant(String key) {
        return grant(key, holder("a"));
    }

    Claim grant(String key, Holder holder) {
        AcquireResult answer = ask(key, holder);
        assertThat(answer).isInstanceOf(Granted.class);
        return claim(key, holder, ((Granted) answer).token());
    }

    Denied denied(String key) {
        AcquireResult answer = ask(key, holder("denied"));
        assertThat(answer).isInstanceOf(Denied.class);
        return (Denied) answer;
    }

    Claim claim(String key, Holder holder, long token) {
        return new Claim(key, holder, token, lease, limit);
    }

    /**
     * The same with this asker's limits.
     */
    Claim own(Claim claim) {
        return claim(claim.key(), claim.holder(), claim.token());
    }

    RenewResult renew(Claim claim) {
        return Answers.within(PATIENCE, store.renew(own(claim)));
    }

    List<RenewResult> renewAll(List<Claim> claims) {
        return store.renewAll(claims).stream()
                .map(stage -> Answers.within(PATIENCE, stage))
                .toList();
    }

    boolean release(Claim claim) {
        return Answers.within(PATIENCE, store.release(own(claim)));
    }

    boolean forceRelease(String key) {
        return Answers.within(PATIENCE, store.forceRelease(key));
    }

    void acceptToken(String key, long token) {
        boolean done = Answers.within(PATIENCE, store.acceptToken(key, token).thenApply(nothing -> true));
        assertThat(done).isTrue();
    }

    Optional<LeaseRecord> read(String key) {
        return Answers.within(PATIENCE, store.read(key));
    }

    Duration remaining(String key) {
        return read(key).orElseThrow().remaining();
    }

    List<LeaseRecord> list() {
        return Answers.within(PATIENCE, store.list());
    }

    Throwable failure(Function<LeaseStore, CompletionStage<?>> call) {
        return Answers.failure(PATIENCE, () -> call.apply(store));
    }

    Throwable failureOfAsking(String key) {
        return failure(any -> asks(key, holder("a")));
    }

    @Override
    public void close() {
        store.close();
    }
}
