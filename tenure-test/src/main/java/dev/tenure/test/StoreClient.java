package dev.tenure.test;

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
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One opened store, asked synchronously.
 */
final class StoreClient {
    private final LeaseStore store;
    private final Duration lease;
    private final Duration patience;

    /**
     * @param lease asked for where a call names none
     * @param patience how long an answer may take
     */
    StoreClient(LeaseStore store, Duration lease, Duration patience) {
        this.store = store;
        this.lease = lease;
        this.patience = patience;
    }

    LeaseStore store() {
        return store;
    }

    AcquireRequest request(String key, Holder holder, Duration wanted, long floor) {
        return new AcquireRequest(key, holder, wanted, floor, patience);
    }

    Claim claim(String key, Holder holder, long token) {
        return claim(key, holder, token, lease);
    }

    Claim claim(String key, Holder holder, long token, Duration wanted) {
        return new Claim(key, holder, token, wanted, patience);
    }

    AcquireResult ask(String key, Holder holder) {
        return ask(key, holder, lease, 0);
    }

    AcquireResult ask(String key, Holder holder, Duration wanted, long floor) {
        return Answers.within(patience, store.acquire(request(key, holder, wanted, floor)));
    }

    Granted granted(String key, Holder holder, Duration wanted, long floor) {
        AcquireResult answer = ask(key, holder, wanted, floor);
        assertThat(answer).as("%s must be granted to %s", key, holder.name()).isInstanceOf(Granted.class);
        return (Granted) answer;
    }

    Claim grant(String key, Holder holder) {
        return grant(key, holder, lease);
    }

    Claim grant(String key, Holder holder, Duration wanted) {
        return claim(key, holder, granted(key, holder, wanted, 0).token(), wanted);
    }

    Denied denied(String key, Holder holder) {
        AcquireResult answer = ask(key, holder);
        assertThat(answer).as("%s must be denied to %s", key, holder.name()).isInstanceOf(Denied.class);
        return (Denied) answer;
    }

    RenewResult renew(Claim claim) {
        return Answers.within(patience, store.renew(claim));
    }

    List<RenewResult> renewAll(List<Claim> claims) {
        return store.renewAll(claims).stream()
                .map(answer -> Answers.within(patience, answer))
                .toList();
    }

    boolean release(Claim claim) {
        return Answers.within(patience, store.release(claim));
    }

    boolean releaseUnanswered(String key, Holder holder) {
        return release(claim(key, holder, Claim.UNKNOWN_TOKEN));
    }

    boolean revoke(String key) {
        return Answers.within(patience, store.revoke(key));
    }

    boolean forceRelease(String key) {
        return Answers.within(patience, store.forceRelease(key));
    }

    void acceptToken(String key, long token) {
        var unused = Answers.within(patience, store.acceptToken(key, token).thenApply(done -> true));
    }

    Optional<LeaseRecord> read(String key) {
        return Answers.within(patience, store.read(key));
    }

    LeaseRecord present(String key) {
        Optional<LeaseRecord> record = read(key);
        assertThat(record).as("the record of %s", key).isPresent();
        return record.orElseThrow();
    }

    List<LeaseRecord> list() {
        return Answers.within(patience, store.list());
    }

    /**
     * Looks at the store: this claim's record is there and nothing about its owner changed.
     */
    void assertHolds(Claim claim) {
        assertHolds(claim, read(claim.key()));
    }

    void assertHolds(Claim claim, Optional<LeaseRecord> seen) {
        assertThat(seen).as("the record of %s", claim.key()).isPresent();
        LeaseRecord record = seen.orElseThrow();
        assertThat(record.holder()).as("the holder of %s", claim.key()).isEqualTo(claim.holder());
        assertThat(record.token()).as("the token of %s", claim.key()).isEqualTo(claim.token());
    }

    /**
     * Looks at the store: nobody has the key.
     */
    void assertFree(String key) {
        assertThat(read(key)).as("the record of %s", key).isEmpty();
    }
}
