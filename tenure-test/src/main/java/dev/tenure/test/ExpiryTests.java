package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The end of a lease, and what reading shows.
 */
abstract class ExpiryTests extends RenewAllTests {
    private static final Duration INSTANT = Duration.ofMillis(1);

    ExpiryTests() {}

    @Test
    void leaseHoldsUntilItsEnd() throws InterruptedException {
        StoreClient store = client();
        long sent = now();
        store.grant(key(), holder("a"), lease());
        pass(exactTime() ? lease().minus(INSTANT) : most(lease()));
        AcquireResult answer = store.ask(key(), holder("b"));
        assumeInTime(sent, lease());
        assertThat(answer).isInstanceOf(Denied.class);
    }

    @Test
    void leaseIsLapsedAtExactlyItsEnd() throws InterruptedException {
        assumeExactEnds(lease());
        StoreClient store = client();
        store.grant(key(), holder("a"), lease());
        pass(lease().minus(INSTANT));
        assertThat(store.present(key()).remaining()).isEqualTo(INSTANT);
        pass(INSTANT);
        store.assertFree(key());
        store.grant(key(), holder("b"));
    }

    @Test
    void renewedLeaseIsLapsedAtExactlyItsEnd() throws InterruptedException {
        assumeExactEnds(lease());
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"), lease());
        pass(most(lease()));
        var unused = store.renew(claim);
        pass(lease().minus(INSTANT));
        store.denied(key(), holder("b"));
        pass(INSTANT);
        assertRefused(store, claim);
        store.grant(key(), holder("b"));
    }

    @Test
    void expiredLeaseIsTakenOverWithAHigherToken() throws InterruptedException {
        StoreClient store = client();
        Claim first = store.grant(key(), holder("a"), lease());
        passEnd(lease());
        Claim second = client().grant(key(), holder("b"));
        assertThat(second.token()).isGreaterThan(first.token());
        store.assertHolds(second);
    }

    @Test
    void K114_newIncarnationOfTheSameNameWaitsForTheEndAndGetsAHigherToken() throws InterruptedException {
        StoreClient store = client();
        long sent = now();
        Claim first = store.grant(key(), holder("node-1"), lease());
        AcquireResult early = store.ask(key(), holder("node-1"));
        assumeInTime(sent, lease());
        assertThat(early).isInstanceOf(Denied.class);
        passEnd(lease());
        Claim second = store.grant(key(), holder("node-1"));
        assertThat(second.token()).isGreaterThan(first.token());
        assertRefused(store, first);
        store.assertHolds(second);
    }

    @Test
    void grantAfterExpiryIsANewOneEvenForTheSameIncarnation() throws InterruptedException {
        StoreClient store = client();
        Holder a = holder("a");
        Claim first = store.grant(key(), a, lease());
        passEnd(lease());
        assertThat(store.grant(key(), a).token()).isGreaterThan(first.token());
        assertRefused(store, first);
    }

    @Test
    void fractionalLeaseIsHonoured() throws InterruptedException {
        Duration fractional = lease().plusMillis(500);
        StoreClient store = client();
        long sent = now();
        store.grant(key(), holder("a"), fractional);
        pass(lease().plusMillis(200));
        AcquireResult answer = store.ask(key(), holder("b"));
        assumeInTime(sent, fractional);
        assertThat(answer).as("before %s", fractional).isInstanceOf(Denied.class);
        passEnd(fractional);
        store.grant(key(), holder("b"));
    }

    @Test
    void leaseIsRoundedUp() throws InterruptedException {
        Duration odd = lease().plusNanos(400_000);
        assumeExactEnds(odd);
        StoreClient store = client();
        store.grant(key(), holder("a"), odd);
        pass(lease());
        store.denied(key(), holder("b"));
        pass(INSTANT);
        store.grant(key(), holder("b"));
    }

    @Test
    void nothingIsReadWhereNothingIs() {
        StoreClient store = client();
        store.assertFree(key());
        store.grant(fresh("key"), holder("a"));
        store.assertFree(key());
    }

    @Test
    void readingAndListingShowExactlyTheLiveRecords() throws InterruptedException {
        StoreClient store = client();
        String expired = fresh("key");
        String released = fresh("key");
        String forced = fresh("key");
        store.grant(expired, holder("a"), lease());
        assertThat(store.release(store.grant(released, holder("a")))).isTrue();
        store.grant(forced, holder("a"));
        assertThat(store.forceRelease(forced)).isTrue();
        passEnd(lease());
        Claim live = store.grant(key(), holder("b"));
        Set<String> own = Set.of(expired, released, forced, key());
        Set<LeaseRecord> listed = client().list().stream()
                .filter(record -> own.contains(record.key()))
                .collect(Collectors.toSet());
        assertThat(listed).extracting(LeaseRecord::key).containsExactly(key());
        assertThat(listed).extracting(LeaseRecord::holder).containsExactly(live.holder());
        assertThat(listed).extracting(LeaseRecord::token).containsExactly(live.token());
        own.stream().filter(key -> !key.equals(key())).forEach(store::assertFree);
    }
}
