package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenure.StoreException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.Tokens;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Fencing tokens, and what operators do about those that went wrong.
 */
abstract class TokenTests extends ReleaseTests {
    private static final long TWO_DAYS = Duration.ofDays(2).toMillis() * 1_000;

    TokenTests() {}

    @Test
    void tokensRiseOverTwentyHandOvers() {
        StoreClient one = client();
        StoreClient other = client();
        long last = one.grant(key(), holder("a")).token();
        assertThat(one.forceRelease(key())).isTrue();
        for (int i = 0; i < 20; i++) {
            StoreClient store = i % 2 == 0 ? one : other;
            Claim claim = store.grant(key(), holder("c" + i));
            assertRisen(claim.token(), last);
            last = claim.token();
            assertThat(store.release(claim)).isTrue();
        }
    }

    @Test
    void tokensRiseOverEveryKindOfEnd() throws InterruptedException {
        StoreClient store = client();
        Claim expired = store.grant(key(), holder("a"), lease());
        passEnd(lease());
        Claim released = store.grant(key(), holder("b"));
        assertRisen(released.token(), expired.token());
        assertThat(store.release(released)).isTrue();
        Claim forced = store.grant(key(), holder("c"));
        assertRisen(forced.token(), released.token());
        assertThat(store.forceRelease(key())).isTrue();
        long sent = now();
        Claim revoked = store.grant(key(), holder("d"), lease());
        assertRisen(revoked.token(), forced.token());
        boolean held = store.revoke(key());
        assumeInTime(sent, lease());
        assertThat(held).isTrue();
        passEnd(lease());
        assertRisen(store.grant(key(), holder("e")).token(), revoked.token());
    }

    private void assertRisen(long token, long last) {
        assertThat(token).isGreaterThan(last);
        if (countsByOne()) {
            assertThat(token).isEqualTo(last + 1);
        }
    }

    @Test
    void tokensOfTwoKeysAreIndependent() {
        StoreClient store = client();
        String other = fresh("key");
        Claim first = store.grant(key(), holder("a"));
        assertThat(store.release(first)).isTrue();
        for (int i = 0; i < 3; i++) {
            assertThat(store.release(store.grant(other, holder("b")))).isTrue();
        }
        Claim next = store.grant(key(), holder("c"));
        assertRisen(next.token(), first.token());
    }

    @Test
    void tokenIsAboveWhatTheAskerHasSeen() {
        assumeTrue(computesTokens(), "tokens are the store's own index");
        StoreClient store = client();
        Claim first = store.grant(key(), holder("a"));
        assertThat(store.release(first)).isTrue();
        long seen = first.token() + 5_000_000;
        Claim second = store.claim(
                key(),
                holder("b"),
                store.granted(key(), holder("b"), roomy(), seen).token());
        assertRisen(second.token(), seen);
    }

    @Test
    void whatOneAskerHasSeenIsRememberedForTheNext() {
        assumeTrue(computesTokens(), "tokens are the store's own index");
        StoreClient store = client();
        Holder a = holder("a");
        long seen = store.grant(key(), a).token() + 5_000_000;
        assertThat(store.releaseUnanswered(key(), a)).isTrue();
        Holder b = holder("b");
        long raised = store.granted(key(), b, roomy(), seen).token();
        assertThat(store.release(store.claim(key(), b, raised))).isTrue();
        assertRisen(store.grant(key(), holder("c")).token(), raised);
    }

    @Test
    void floorNeverChangesAGrantThatIsThere() {
        StoreClient store = client();
        Holder a = holder("a");
        Claim claim = store.grant(key(), a);
        assertThat(store.granted(key(), a, roomy(), claim.token()).token()).isEqualTo(claim.token());
        store.assertHolds(claim);
    }

    @Test
    void implausibleFloorIsRefusedUntilAnOperatorAcceptsAToken() {
        assumeTrue(computesTokens(), "tokens are the store's own index");
        StoreClient store = client();
        Claim first = store.grant(key(), holder("a"));
        assertThat(store.release(first)).isTrue();
        long implausible = implausible(first.token());
        assertImplausible(store, implausible);
        store.assertFree(key());
        store.acceptToken(key(), first.token());
        Granted granted = store.granted(key(), holder("b"), roomy(), implausible);
        assertThat(granted.accepted()).isEqualTo(first.token());
        assertRisen(granted.token(), first.token());
    }

    @Test
    void implausibleFloorOfOneAskerShutsOutNobodyElse() {
        assumeTrue(computesTokens(), "tokens are the store's own index");
        StoreClient store = client();
        Claim first = store.grant(key(), holder("a"));
        assertThat(store.release(first)).isTrue();
        assertImplausible(store, implausible(first.token()));
        assertRisen(store.grant(key(), holder("c")).token(), first.token());
    }

    @Test
    void implausibleAcceptedTokenIsRefusedAndRepairedByAnother() {
        assumeTrue(computesTokens(), "tokens are the store's own index");
        StoreClient store = client();
        Claim first = store.grant(key(), holder("a"));
        assertThat(store.release(first)).isTrue();
        try {
            store.acceptToken(key(), implausible(first.token()));
            assertImplausible(store, 0);
        } catch (StoreException refusedAtOnce) {
            store.assertFree(key());
        }
        store.acceptToken(key(), first.token());
        Granted granted = store.granted(key(), holder("b"), roomy(), 0);
        assertThat(granted.accepted()).isEqualTo(first.token());
        assertRisen(granted.token(), first.token());
    }

    /**
     * More than a day ahead of the clock that made the token; where tokens are counted, above all that is counted.
     */
    private long implausible(long token) {
        return countsByOne() ? Tokens.LARGEST : token + TWO_DAYS;
    }

    private void assertImplausible(StoreClient store, long floor) {
        Throwable failure = Answers.failure(
                patience(), () -> store.store().acquire(store.request(key(), holder("x"), roomy(), floor)));
        assertThat(failure).isInstanceOf(TokenImplausibleException.class);
    }

    @Test
    void nextGrantIsAboveAnAcceptedTokenAndTellsIt() {
        StoreClient store = client();
        Holder a = holder("a");
        Claim first = store.grant(key(), a);
        assertThat(store.granted(key(), a, roomy(), 0).accepted()).isZero();
        assertThat(store.release(first)).isTrue();
        long accepted = first.token() + 1_000_000;
        store.acceptToken(key(), accepted);
        for (int i = 0; i < 2; i++) {
            Holder next = holder("b");
            Granted granted = client().granted(key(), next, roomy(), 0);
            assertThat(granted.accepted()).isEqualTo(accepted);
            assertThat(store.granted(key(), next, roomy(), 0)).as("asked again").isEqualTo(granted);
            if (computesTokens()) {
                assertThat(granted.token()).isGreaterThan(accepted);
            }
            assertThat(store.release(store.claim(key(), next, granted.token()))).isTrue();
        }
    }

    @Test
    void tokenMayBeAcceptedBeforeTheFirstGrant() {
        StoreClient store = client();
        String other = fresh("key");
        long plausible = store.grant(other, holder("a")).token();
        store.acceptToken(key(), plausible);
        store.assertFree(key());
        Granted granted = store.granted(key(), holder("b"), roomy(), 0);
        assertThat(granted.accepted()).isEqualTo(plausible);
        assertThat(store.granted(fresh("key"), holder("b"), roomy(), 0).accepted())
                .as("of another key")
                .isZero();
    }

    @Test
    void acceptedTokenChangesNothingAboutThePresentHolder() {
        StoreClient store = client();
        long sent = now();
        Claim claim = store.grant(key(), holder("a"));
        long accepted = claim.token() + 1_000_000;
        store.acceptToken(key(), accepted);
        store.assertHolds(claim);
        assertLeft(store, roomy(), sent);
        store.denied(key(), holder("b"));
        assertThat(store.renew(claim)).isEqualTo(RenewResult.RENEWED);
        store.assertHolds(claim);
        assertThat(store.release(claim)).isTrue();
        Granted next = store.granted(key(), holder("b"), roomy(), 0);
        assertThat(next.accepted()).isEqualTo(accepted);
        if (computesTokens()) {
            assertThat(next.token()).isGreaterThan(accepted);
        }
    }
}
