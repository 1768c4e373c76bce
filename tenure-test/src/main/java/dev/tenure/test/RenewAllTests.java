package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Renewal of claims that fall due together.
 */
abstract class RenewAllTests extends RenewTests {

    RenewAllTests() {}

    @Test
    void noClaimsAreRenewedAtOnce() {
        assertThat(client().renewAll(List.of())).isEmpty();
    }

    @Test
    void eachAnswerIsAtTheIndexOfItsClaim() {
        StoreClient store = client();
        List<Claim> claims = new ArrayList<>();
        for (String key : freshKeys(8)) {
            Claim claim = store.grant(key, holder("a"), roomy());
            boolean stale = claims.size() % 3 == 0;
            claims.add(stale ? store.claim(key, holder("a"), claim.token()) : claim);
        }
        List<RenewResult> answers = store.renewAll(claims);
        assertThat(answers).hasSize(8);
        for (int i = 0; i < 8; i++) {
            assertThat(answers.get(i) == RenewResult.RENEWED).as("claim " + i).isEqualTo(i % 3 != 0);
        }
    }

    @Test
    void staleAndPresentClaimOfOneKeyAreToldApart() {
        StoreClient store = client();
        Claim old = store.grant(key(), holder("a"));
        assertThat(store.release(old)).isTrue();
        Claim present = store.grant(key(), holder("a"));
        List<RenewResult> answers = store.renewAll(List.of(old, present));
        assertThat(answers.get(0)).isNotEqualTo(RenewResult.RENEWED);
        assertThat(answers.get(1)).isEqualTo(RenewResult.RENEWED);
        store.assertHolds(present);
    }

    @Test
    void hundredClaimsAreRenewedTogether() {
        StoreClient store = client();
        List<Claim> claims = new ArrayList<>();
        for (String key : freshKeys(100)) {
            Claim claim = store.grant(key, holder("a"), longish());
            claims.add(store.claim(key, claim.holder(), claim.token(), longish().plus(lease())));
        }
        long sent = System.nanoTime();
        assertThat(store.renewAll(claims)).hasSize(100).containsOnly(RenewResult.RENEWED);
        for (Claim claim : claims) {
            store.assertHolds(claim);
            Duration remaining = store.present(claim.key()).remaining();
            assertThat(remaining.plusNanos(System.nanoTime() - sent)).isGreaterThan(longish());
        }
    }

    /**
     * Leaves room for a longer one.
     */
    private Duration longish() {
        return roomy().plus(lease()).compareTo(traits().longestLease()) > 0 ? lease() : roomy();
    }

    @Test
    void brokenRecordSpoilsOnlyItsOwnRenewal() {
        StoreClient store = client();
        Runnable damage = given(broken(key()), "break a record");
        List<Claim> claims = threeClaims(store);
        damage.run();
        List<CompletionStage<RenewResult>> answers = store.store().renewAll(claims);
        assertThat(Answers.within(patience(), answers.get(0))).isEqualTo(RenewResult.RENEWED);
        assertThat(Answers.within(patience(), answers.get(2))).isEqualTo(RenewResult.RENEWED);
        assertThat(Answers.failure(patience(), () -> answers.get(1)))
                .as("unknown")
                .isInstanceOf(Exception.class);
    }

    @Test
    void blockedRecordSpoilsOnlyItsOwnRenewal() throws Exception {
        StoreClient store = client();
        List<Claim> claims = threeClaims(store);
        try (AutoCloseable blocked = given(block(key()), "block a record")) {
            List<CompletionStage<RenewResult>> answers = store.store().renewAll(claims);
            assertThat(Answers.within(patience(), answers.get(0))).isEqualTo(RenewResult.RENEWED);
            assertThat(Answers.within(patience(), answers.get(2))).isEqualTo(RenewResult.RENEWED);
            var own = answers.get(1).toCompletableFuture();
            assertThat(own.isDone() && !own.isCompletedExceptionally())
                    .as("the blocked record's renewal was answered, by %s", blocked)
                    .isFalse();
        }
        assertThat(store.renewAll(claims)).containsOnly(RenewResult.RENEWED);
    }

    /**
     * This test's own key is the second.
     */
    private List<Claim> threeClaims(StoreClient store) {
        return List.of(
                store.grant(fresh("key"), holder("a")),
                store.grant(key(), holder("b")),
                store.grant(fresh("key"), holder("c")));
    }
}
