package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Renewal of one claim.
 */
abstract class RenewTests extends GrantTests {

    RenewTests() {}

    @Test
    void renewalLastsAFullLeaseAndKeepsTheToken() throws InterruptedException {
        StoreClient store = client();
        long sent = now();
        Claim claim = store.grant(key(), holder("a"), lease());
        for (int i = 0; i < 2; i++) {
            pass(most(lease()));
            long asked = now();
            RenewResult answer = store.renew(claim);
            assumeInTime(sent, lease());
            assertThat(answer).isEqualTo(RenewResult.RENEWED);
            sent = asked;
            Optional<LeaseRecord> record = store.read(key());
            assumeInTime(sent, lease());
            store.assertHolds(claim, record);
            assertLeft(record.orElseThrow().remaining(), lease(), asked);
        }
        AcquireResult other = client().ask(key(), holder("b"));
        assumeInTime(sent, lease());
        assertThat(other).isInstanceOf(Denied.class);
    }

    @Test
    void K148_twentyRenewalsKeepOneToken() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        for (int i = 0; i < 20; i++) {
            assertThat(store.renew(claim)).isEqualTo(RenewResult.RENEWED);
            store.assertHolds(claim);
        }
        store.denied(key(), holder("b"));
        assertThat(store.release(claim)).isTrue();
        long next = store.grant(key(), holder("b")).token();
        assertThat(next).isGreaterThan(claim.token());
        if (countsByOne()) {
            assertThat(next).as("renewals and denials use up no tokens").isEqualTo(claim.token() + 1);
        }
    }

    @Test
    void renewalWithAShorterLeaseMovesNoEndBack() {
        StoreClient store = client();
        long sent = now();
        Claim claim = store.grant(key(), holder("a"), roomy());
        Claim shorter = store.claim(key(), claim.holder(), claim.token(), traits().shortestLease());
        assertThat(store.renew(shorter)).isEqualTo(RenewResult.RENEWED);
        assertLeft(store, roomy(), sent);
    }

    @Test
    void renewalMayAskForALongerLease() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"), roomy());
        Duration more = longer(roomy());
        Claim longer = store.claim(key(), claim.holder(), claim.token(), more);
        long sent = now();
        assertThat(store.renew(longer)).isEqualTo(RenewResult.RENEWED);
        assertLeft(store, more, sent);
    }

    @Test
    void renewalKeepsWhenItWasAcquired() throws InterruptedException {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"), roomy());
        Optional<Instant> acquired = store.present(key()).acquiredAt();
        pass(most(lease()));
        assertThat(store.renew(claim)).isEqualTo(RenewResult.RENEWED);
        assertThat(store.present(key()).acquiredAt()).isEqualTo(acquired);
    }

    @Test
    void renewalWithAnotherTokenIsRefused() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        for (long wrong : new long[] {claim.token() - 1, claim.token() + 1}) {
            if (wrong != Claim.UNKNOWN_TOKEN) {
                assertRefused(store, store.claim(key(), claim.holder(), wrong));
            }
        }
        store.assertHolds(claim);
    }

    @Test
    void renewalByAnotherIncarnationIsRefused() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertRefused(store, store.claim(key(), holder("a"), claim.token()));
        store.assertHolds(claim);
    }

    @Test
    void renewalOfNothingIsRefused() {
        StoreClient store = client();
        assertRefused(store, store.claim(key(), holder("a"), 1));
        store.assertFree(key());
    }

    @Test
    void renewalAfterReleaseIsRefused() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(store.release(claim)).isTrue();
        assertRefused(store, claim);
        store.assertFree(key());
    }

    @Test
    void renewalAfterExpiryIsRefusedAlthoughNobodyElseCame() throws InterruptedException {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"), lease());
        passEnd(lease());
        assertRefused(store, claim);
        store.assertFree(key());
    }

    @Test
    void staleRenewalChangesNothing() throws InterruptedException {
        StoreClient store = client();
        Holder a = holder("a");
        Claim stale = store.grant(key(), a, lease());
        passEnd(lease());
        Claim present = store.grant(key(), holder("b"), roomy());
        LeaseRecord before = store.present(key());
        assertRefused(store, store.claim(key(), a, stale.token(), longer(roomy())));
        assertRefused(store, store.claim(key(), a, present.token(), longer(roomy())));
        store.assertHolds(present);
        assertThat(store.present(key()).remaining()).isLessThanOrEqualTo(before.remaining());
    }

    final void assertRefused(StoreClient store, Claim claim) {
        assertThat(store.renew(claim))
                .as("renewal of %s", claim)
                .isIn(RenewResult.NOT_HOLDER, RenewResult.SESSION_GONE);
    }
}
