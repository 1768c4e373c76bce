package dev.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.BlockingLeaseStore;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class BlockingAdapterTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private final Hanging driver = new Hanging();
    private final LeaseStore store = LeaseStores.blocking(driver);

    @Test
    void hangingCallIsInterruptedAtItsLimitAndIsUnknown() throws InterruptedException {
        CompletionStage<AcquireResult> answer = store.acquire(request(Duration.ofMillis(30)));
        assertThatThrownBy(() -> answer.toCompletableFuture().join())
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("gave no answer within 0.03s");
        assertThat(driver.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void hangingCallDoesNotStopTheNext() {
        CompletionStage<AcquireResult> hanging = store.acquire(request(LONG));
        assertThat(store.release(claim("a")).toCompletableFuture().join()).isTrue();
        assertThat(hanging.toCompletableFuture()).isNotDone();
        store.close();
    }

    @Test
    void moreCallsThanThreadsWaitAndRenewalsDoNot() {
        List<CompletionStage<AcquireResult>> hanging = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            hanging.add(store.acquire(request(LONG)));
        }
        CompletionStage<AcquireResult> oneMore = store.acquire(request(Duration.ofMillis(50)));
        assertThatThrownBy(() -> oneMore.toCompletableFuture().join())
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("gave no answer within 0.05s");
        CompletionStage<Boolean> waiting = store.release(claim("a"));
        assertThat(store.renew(claim("good")).toCompletableFuture().join()).isEqualTo(RenewResult.RENEWED);
        store.close();
        assertThatThrownBy(() -> waiting.toCompletableFuture().join()).hasMessageContaining("closed");
        hanging.forEach(
                call -> assertThatThrownBy(() -> call.toCompletableFuture().join()));
    }

    @Test
    void batchAnswersEachClaimAtItsIndex() {
        List<CompletionStage<RenewResult>> answers =
                store.renewAll(List.of(claim("good"), claim("bad"), claim("stale"), claim("good")));
        assertThat(answers.get(0).toCompletableFuture().join()).isEqualTo(RenewResult.RENEWED);
        assertThatThrownBy(() -> answers.get(1).toCompletableFuture().join()).hasMessageContaining("bad record");
        assertThat(answers.get(2).toCompletableFuture().join()).isEqualTo(RenewResult.NOT_HOLDER);
        assertThat(answers.get(3).toCompletableFuture().join()).isEqualTo(RenewResult.RENEWED);
        assertThat(store.renewAll(List.of())).isEmpty();
    }

    @Test
    void errorOfTheDriverIsAnAnswerToo() {
        CompletableFuture<Boolean> answer = store.revoke("error").toCompletableFuture();
        assertThatThrownBy(answer::join).hasCauseInstanceOf(AssertionError.class);
    }

    @Test
    void examinationReadsWhereTheStoreKnowsNoMore() {
        assertThat(store.examine().toCompletableFuture().join()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.OK);
            assertThat(finding.subject()).isEqualTo("read");
            assertThat(finding.seen()).matches("answered in \\d+\\.\\d ms, the first in \\d+\\.\\d ms");
        });
        assertThat(driver.read).hasValue("leader:tenure-doctor");
    }

    @Test
    void closedStoreFailsAtOnce() {
        store.close();
        store.close();
        assertThatThrownBy(() -> store.read("a").toCompletableFuture().join())
                .hasCauseInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("closed");
    }

    private static AcquireRequest request(Duration limit) {
        return new AcquireRequest("a", new Holder("n", "i", Map.of()), LONG, 0, limit);
    }

    private static Claim claim(String key) {
        return new Claim(key, new Holder("n", "i", Map.of()), 1, LONG, LONG);
    }

    /**
     * Hangs in every acquisition until interrupted.
     */
    private static final class Hanging implements BlockingLeaseStore {
        private final CountDownLatch interrupted = new CountDownLatch(1);
        private final AtomicReference<String> read = new AtomicReference<>();

        @Override
        public StoreTraits traits() {
            return StoreTraits.builder("hanging", StoreTraits.Scope.PROCESS).build();
        }

        @Override
        public AcquireResult acquire(AcquireRequest request) throws InterruptedException {
            try {
                boolean never = new CountDownLatch(1).await(1, TimeUnit.HOURS);
                throw new IllegalStateException("was not interrupted " + never);
            } catch (InterruptedException stop) {
                interrupted.countDown();
                throw stop;
            }
        }

        @Override
        public RenewResult renew(Claim claim) {
            if (claim.key().equals("bad")) {
                throw new IllegalStateException("bad record");
            }
            return claim.key().equals("stale") ? RenewResult.NOT_HOLDER : RenewResult.RENEWED;
        }

        @Override
        public boolean release(Claim claim) {
            return true;
        }

        @Override
        public boolean revoke(String key) {
            throw new AssertionError("an Error of a driver");
        }

        @Override
        public boolean forceRelease(String key) {
            return false;
        }

        @Override
        public void acceptToken(String key, long token) {}

        @Override
        public Optional<LeaseRecord> read(String key) {
            read.set(key);
            return Optional.empty();
        }

        @Override
        public List<LeaseRecord> list() {
            return List.of();
        }
    }
}
