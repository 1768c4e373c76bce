package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.Claim;
import org.junit.jupiter.api.Test;

/**
 * Release: exactly one's own claim, at once, and with its token remembered.
 */
abstract class ReleaseTests extends ExpiryTests {

    ReleaseTests() {}

    @Test
    void releaseFreesAtOnce() {
        StoreClient store = client();
        Claim first = store.grant(key(), holder("a"));
        assertThat(store.release(first)).isTrue();
        store.assertFree(key());
        Claim second = client().grant(key(), holder("b"));
        assertThat(second.token()).isGreaterThan(first.token());
    }

    @Test
    void secondReleaseIsFalse() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(store.release(claim)).isTrue();
        assertThat(store.release(claim)).isFalse();
        store.assertFree(key());
    }

    @Test
    void releaseOfNothingIsFalse() {
        StoreClient store = client();
        assertThat(store.release(store.claim(key(), holder("a"), 1))).isFalse();
        store.assertFree(key());
    }

    @Test
    void releaseRemembersTheToken() {
        StoreClient store = client();
        long last = 0;
        for (int i = 0; i < 3; i++) {
            Claim claim = store.grant(key(), holder("a"));
            assertThat(claim.token()).isGreaterThan(last);
            last = claim.token();
            assertThat(store.release(claim)).isTrue();
        }
    }

    @Test
    void K109_releaseAfterExpiryIsFalse() throws InterruptedException {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"), lease());
        passEnd(lease());
        assertThat(store.release(claim)).isFalse();
        assertThat(store.grant(key(), holder("b")).token()).isGreaterThan(claim.token());
    }

    @Test
    void K108_staleReleaseLeavesTheSuccessor() throws InterruptedException {
        StoreClient store = client();
        Claim stale = store.grant(key(), holder("a"), lease());
        passEnd(lease());
        Claim present = store.grant(key(), holder("b"));
        assertThat(store.release(stale)).isFalse();
        store.assertHolds(present);
        store.denied(key(), holder("c"));
    }

    @Test
    void releaseOfAnEarlierTermOfTheSameNameLeavesTheNewerOne() throws InterruptedException {
        StoreClient store = client();
        Claim earlier = store.grant(key(), holder("node-1"), lease());
        passEnd(lease());
        Claim newer = store.grant(key(), holder("node-1"));
        assertThat(store.release(earlier)).isFalse();
        store.assertHolds(newer);
    }

    @Test
    void releaseOfAnEarlierTermOfTheSameIncarnationLeavesTheNewerOne() throws InterruptedException {
        StoreClient store = client();
        Claim earlier = store.grant(key(), holder("a"), lease());
        passEnd(lease());
        Claim newer = store.grant(key(), earlier.holder());
        assertThat(store.release(earlier)).isFalse();
        store.assertHolds(newer);
    }

    @Test
    void releaseWithAnotherTokenIsRefused() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        for (long wrong : new long[] {claim.token() - 1, claim.token() + 1}) {
            if (wrong != Claim.UNKNOWN_TOKEN) {
                assertThat(store.release(store.claim(key(), claim.holder(), wrong)))
                        .isFalse();
            }
        }
        store.assertHolds(claim);
    }

    @Test
    void releaseByAnotherIncarnationIsRefused() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(store.release(store.claim(key(), holder("a"), claim.token())))
                .isFalse();
        assertThat(store.release(store.claim(key(), holder("b"), claim.token())))
                .isFalse();
        store.assertHolds(claim);
        assertThat(store.release(claim)).isTrue();
    }
}
