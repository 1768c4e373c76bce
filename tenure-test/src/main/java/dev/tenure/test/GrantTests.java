package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Asking for a key: grants, denials, and answers that were lost or came late.
 */
abstract class GrantTests extends StoreSetup {

    GrantTests() {}

    @Test
    void traitsMakeSense() {
        StoreTraits facts = traits();
        assertThat(facts.name()).isNotBlank();
        assertThat(facts.tokenSource()).as("what the token is made of").isNotBlank();
        assertThat(facts.scope()).as("a store that coordinates").isNotEqualTo(StoreTraits.Scope.NONE);
        assertThat(facts.shortestLease()).isPositive().isLessThanOrEqualTo(facts.longestLease());
        assertThat(facts.expiryLag(lease())).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(facts.lockDelay()).isGreaterThanOrEqualTo(Duration.ZERO);
        assertThat(facts.longestKey()).isGreaterThanOrEqualTo(key().length());
        assertThat(facts.defaultKeyFormat()).contains("{role}");
    }

    @Test
    void freshKeyIsGranted() {
        StoreClient store = client();
        long sent = now();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(claim.token()).isPositive();
        client().assertHolds(claim);
        assertLeft(store, roomy(), sent);
    }

    @Test
    void shortestAndLongestLeaseAreGranted() {
        StoreClient store = client();
        store.grant(key(), holder("a"), traits().shortestLease());
        long sent = now();
        Claim longest = store.grant(fresh("key"), holder("a"), traits().longestLease());
        assertLeft(store.present(longest.key()).remaining(), traits().longestLease(), sent);
        assertThat(store.release(longest)).isTrue();
    }

    @Test
    void denialTellsTheHolder() {
        Holder a = holder("a");
        long sent = now();
        Claim claim = client().grant(key(), a);
        LeaseRecord present = client().denied(key(), holder("b")).present().orElseThrow();
        assertThat(present.key()).isEqualTo(key());
        assertThat(present.holder()).isEqualTo(a);
        assertThat(present.token()).isEqualTo(claim.token());
        assertLeft(present.remaining(), roomy(), sent);
        client().assertHolds(claim);
    }

    @Test
    void denialTellsWhenToAskAgainOrAWakeUpComes() throws InterruptedException {
        StoreClient store = client();
        CountDownLatch woken = new CountDownLatch(1);
        var watch = store.store().watch(key(), woken::countDown);
        long sent = now();
        client().grant(key(), holder("a"), lease());
        AcquireResult answer = store.ask(key(), holder("b"));
        assumeInTime(sent, lease());
        assertThat(answer).isInstanceOf(Denied.class);
        Optional<Duration> retryAfter = ((Denied) answer).retryAfter();
        if (retryAfter.isPresent()) {
            Duration end = lease().plus(traits().expiryLag(lease())).plus(traits().lockDelay());
            assertThat(retryAfter.get()).isBetween(Duration.ZERO, end.plusSeconds(1));
        } else {
            passEnd(lease());
            assertThat(woken.await(patience().toMillis(), TimeUnit.MILLISECONDS))
                    .as("neither retryAfter nor a wake-up tells of the expiry")
                    .isTrue();
        }
        watch.remove();
    }

    @Test
    void retryAfterIsNotLongerThanTheLease() {
        long sent = now();
        client().grant(key(), holder("a"), roomy());
        Optional<Duration> retryAfter = client().denied(key(), holder("b")).retryAfter();
        assumeTrue(retryAfter.isPresent(), "this store does not tell when to ask again");
        assertThat(retryAfter.orElseThrow()).isPositive();
        assertLeft(retryAfter.orElseThrow(), roomy(), sent);
    }

    @Test
    void K113_sameNameWithAnotherIncarnationIsDenied() {
        StoreClient store = client();
        Claim first = store.grant(key(), holder("node-1"));
        store.denied(key(), holder("node-1"));
        client().denied(key(), holder("node-1"));
        store.assertHolds(first);
    }

    @Test
    void K035_lostAnswerIsResolvedByAskingAgain() throws InterruptedException {
        StoreClient store = client();
        Holder a = holder("a");
        long sent = now();
        long token = store.granted(key(), a, lease(), 0).token();
        pass(most(lease()));
        long asked = now();
        AcquireResult again = store.ask(key(), a, lease(), 0);
        assumeInTime(sent, lease());
        assertThat(again).isInstanceOf(Granted.class);
        assertThat(((Granted) again).token()).as("token of the same grant").isEqualTo(token);
        Optional<LeaseRecord> record = store.read(key());
        AcquireResult other = client().ask(key(), holder("b"));
        assumeInTime(asked, lease());
        assertThat(record).isPresent();
        assertLeft(record.orElseThrow().remaining(), lease(), asked);
        assertThat(other).isInstanceOf(Denied.class);
    }

    @Test
    void askingAgainWithAShorterLeaseMovesNoEndBack() {
        StoreClient store = client();
        Holder a = holder("a");
        long sent = now();
        Claim claim = store.grant(key(), a, roomy());
        assertThat(store.grant(key(), a, traits().shortestLease()).token()).isEqualTo(claim.token());
        assertLeft(store, roomy(), sent);
    }

    @Test
    void keysElectIndependently() {
        StoreClient store = client();
        String other = fresh("key");
        Holder a = holder("a");
        Holder b = holder("b");
        Claim first = store.grant(key(), a);
        Claim second = store.grant(other, b);
        store.denied(key(), b);
        store.denied(other, a);
        assertThat(store.release(first)).isTrue();
        store.assertHolds(second);
        store.assertFree(key());
    }

    @Test
    void oneHolderMayHaveTwoKeys() {
        StoreClient store = client();
        String other = fresh("key");
        Claim first = store.grant(key(), holder("a"));
        Claim second = store.grant(other, holder("a"));
        store.assertHolds(first);
        store.assertHolds(second);
    }

    /**
     * Sent before its release, carried out after it: nobody may be left with a record that nobody knows of.
     */
    @Test
    void acquisitionThatArrivesAfterItsReleaseIsHarmless() {
        StoreClient store = client();
        Holder a = holder("a");
        Claim claim = store.grant(key(), a);
        assertThat(store.release(claim)).isTrue();
        assertLateAcquisitionIsHarmless(store, a, claim.token());
    }

    @Test
    void acquisitionThatArrivesAfterTheReleaseOfAnUnansweredOneIsHarmless() {
        StoreClient store = client();
        Holder a = holder("a");
        assertThat(store.releaseUnanswered(key(), a)).isFalse();
        assertLateAcquisitionIsHarmless(store, a, 0);
    }

    private void assertLateAcquisitionIsHarmless(StoreClient store, Holder late, long earlier) {
        AcquireResult answer = store.ask(key(), late);
        if (answer instanceof Granted granted) {
            assertThat(granted.token()).as("a new grant, not the released one").isGreaterThan(earlier);
            assertThat(store.releaseUnanswered(key(), late)).isTrue();
        } else {
            assertThat(answer).isInstanceOf(Denied.class);
        }
        store.assertFree(key());
        assertThat(store.grant(key(), holder("b")).token()).isGreaterThan(earlier);
    }

    @Test
    void unansweredAcquisitionIsReleasedByItsIncarnationAlone() {
        StoreClient store = client();
        Holder a = holder("a");
        Claim unseen = store.grant(key(), a);
        assertThat(store.releaseUnanswered(key(), a)).isTrue();
        store.assertFree(key());
        assertThat(store.grant(key(), holder("b")).token()).isGreaterThan(unseen.token());
    }

    @Test
    void releaseOfAnUnansweredAcquisitionFreesNobodyElse() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(store.releaseUnanswered(key(), holder("b"))).isFalse();
        assertThat(store.releaseUnanswered(key(), holder("a"))).isFalse();
        store.assertHolds(claim);
    }
}
