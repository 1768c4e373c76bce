package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Finding.Severity;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * Records that are taken away from outside, and records that cannot be read.
 */
abstract class OperatorTests extends TokenTests {

    /**
     * How long looking at a store may take on a busy machine.
     */
    private static final Duration EXAMINATION = Duration.ofMinutes(2);

    OperatorTests() {}

    @Test
    void revokedHolderIsRefused() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(client().revoke(key())).isTrue();
        assertRefused(store, claim);
        assertThat(store.release(claim)).isFalse();
        assertThat(store.releaseUnanswered(key(), claim.holder())).isFalse();
        assertThat(store.present(key()).holder().incarnation())
                .isNotEqualTo(claim.holder().incarnation());
    }

    @Test
    void revokedHolderIsNotGrantedAgainByAsking() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(store.revoke(key())).isTrue();
        store.denied(key(), claim.holder());
    }

    @Test
    void revokedRecordKeepsItsEnd() {
        StoreClient store = client();
        long sent = now();
        store.grant(key(), holder("a"), roomy());
        assertThat(store.revoke(key())).isTrue();
        assertLeft(store, roomy(), sent);
        store.denied(key(), holder("b"));
        assertThat(store.revoke(key())).as("it is a record still").isTrue();
        assertLeft(store, roomy(), sent);
    }

    @Test
    void revokedKeyIsFreeAfterItsEnd() throws InterruptedException {
        StoreClient store = client();
        long sent = now();
        Claim claim = store.grant(key(), holder("a"), lease());
        boolean held = store.revoke(key());
        assumeInTime(sent, lease());
        assertThat(held).isTrue();
        passEnd(lease());
        store.assertFree(key());
        Claim next = store.grant(key(), holder("b"));
        assertThat(next.token()).isGreaterThan(claim.token());
        assertRefused(store, claim);
        store.assertHolds(next);
    }

    @Test
    void revokedRecordEndsAtExactlyItsEnd() throws InterruptedException {
        assumeExactEnds(lease());
        StoreClient store = client();
        store.grant(key(), holder("a"), lease());
        pass(most(lease()));
        assertThat(store.revoke(key())).isTrue();
        pass(lease().minus(most(lease())).minusMillis(1));
        store.denied(key(), holder("b"));
        pass(Duration.ofMillis(1));
        store.grant(key(), holder("b"));
    }

    @Test
    void nothingIsRevokedWhereNothingIs() throws InterruptedException {
        StoreClient store = client();
        assertThat(store.revoke(key())).isFalse();
        assertThat(store.release(store.grant(key(), holder("a")))).isTrue();
        assertThat(store.revoke(key())).as("released").isFalse();
        store.grant(key(), holder("b"), lease());
        passEnd(lease());
        assertThat(store.revoke(key())).as("expired").isFalse();
        store.grant(key(), holder("c"));
    }

    @Test
    void forceReleaseFreesAtOnce() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(client().forceRelease(key())).isTrue();
        store.assertFree(key());
        assertRefused(store, claim);
        Claim next = client().grant(key(), holder("b"));
        assertThat(next.token()).isGreaterThan(claim.token());
        assertRefused(store, claim);
        assertThat(store.release(claim)).isFalse();
        store.assertHolds(next);
    }

    @Test
    void forceReleaseFreesARevokedRecord() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        assertThat(store.revoke(key())).isTrue();
        assertThat(store.forceRelease(key())).isTrue();
        assertThat(store.grant(key(), holder("b")).token()).isGreaterThan(claim.token());
    }

    @Test
    void nothingIsForcedWhereNothingIs() throws InterruptedException {
        StoreClient store = client();
        assertThat(store.forceRelease(key())).isFalse();
        assertThat(store.release(store.grant(key(), holder("a")))).isTrue();
        assertThat(store.forceRelease(key())).as("released").isFalse();
        store.grant(key(), holder("b"), lease());
        passEnd(lease());
        assertThat(store.forceRelease(key())).as("expired").isFalse();
    }

    @Test
    void recordOfUnknownVersionIsHeldAndNotOverwritten() {
        Runnable write = given(unknownVersion(key()), "write a record of an unknown version");
        StoreClient store = client();
        write.run();
        LeaseRecord before = store.present(key());
        store.denied(key(), holder("a"));
        client().denied(key(), holder("b"));
        LeaseRecord after = store.present(key());
        assertThat(after.holder()).isEqualTo(before.holder());
        assertThat(after.token()).isEqualTo(before.token());
    }

    @Test
    void recordOfUnknownVersionIsNobodys() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        given(unknownVersion(key()), "write a record of an unknown version").run();
        assertRefused(store, claim);
        assertThat(store.release(claim)).isFalse();
        store.denied(key(), claim.holder());
    }

    @Test
    void forceReleaseFreesARecordOfUnknownVersion() {
        Runnable write = given(unknownVersion(key()), "write a record of an unknown version");
        StoreClient store = client();
        write.run();
        assertThat(store.forceRelease(key())).isTrue();
        store.grant(key(), holder("a"));
    }

    @Test
    void brokenRecordIsNeverGranted() {
        Runnable damage = given(broken(key()), "break a record");
        StoreClient store = client();
        store.grant(key(), holder("a"));
        damage.run();
        CompletableFuture<Boolean> granted = store.store()
                .acquire(store.request(key(), holder("b"), roomy(), 0))
                .handle((answer, unknown) -> answer instanceof Granted)
                .toCompletableFuture();
        assertThat(Answers.within(patience(), granted)).isFalse();
    }

    @Test
    void examinationAnswersAndDisturbsNobody() {
        StoreClient store = client();
        Claim claim = store.grant(key(), holder("a"));
        List<Finding> findings = Answers.within(EXAMINATION, store.store().examine());
        assertThat(findings).isNotEmpty().allSatisfy(finding -> {
            boolean well = finding.severity() == Severity.OK || finding.severity() == Severity.UNKNOWN;
            assertThat(finding.subject()).isNotBlank();
            assertThat(finding.seen()).isNotBlank();
            assertThat(finding.mayHappen().isBlank()).as("%s", finding).isEqualTo(well);
            assertThat(well || !finding.toDo().isBlank()).as("%s", finding).isTrue();
        });
        store.assertHolds(claim);
    }

    @Test
    void forceReleaseFreesABrokenRecord() {
        Runnable damage = given(broken(key()), "break a record");
        StoreClient store = client();
        store.grant(key(), holder("a"));
        damage.run();
        assertThat(store.forceRelease(key())).isTrue();
        store.grant(key(), holder("b"));
    }
}
