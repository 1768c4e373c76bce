package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaseStores;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.memory.TokenMode;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * What the stores without a driver do beyond the contract.
 */
class MemoryLeaseStoreTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final FakeTime time = new FakeTime();
    private final MemoryLeaseStore memory = new MemoryLeaseStore(time::nanos, time::wall, TokenMode.FORMULA);
    private final StoreClient store = new StoreClient(memory, LEASE, PATIENCE);
    private final Holder a = StoreSetup.holder("a");

    @Test
    void factsAreThoseOfOneProcess() {
        StoreTraits traits = memory.traits();
        assertThat(traits.name()).isEqualTo("memory");
        assertThat(traits.scope()).isEqualTo(StoreTraits.Scope.PROCESS);
        assertThat(traits.expiryClock()).isEqualTo(StoreTraits.ExpiryClock.MONOTONIC);
        assertThat(traits.pushesWakeUps()).isTrue();
        assertThat(traits.shortestLease()).isEqualTo(Duration.ofMillis(1));
        assertThat(traits.longestLease()).isEqualTo(Duration.ofDays(1));
        assertThat(traits.longestKey()).isEqualTo(512);
    }

    @Test
    void answersAreThereWhenTheCallReturns() {
        assertThat(memory.acquire(store.request("k", a, LEASE, 0)).toCompletableFuture())
                .isCompleted();
        assertThat(memory.acquire(store.request("k", a, LEASE, Long.MAX_VALUE)).toCompletableFuture())
                .isCompleted();
        assertThat(memory.acquire(store.request("other", a, LEASE, Long.MAX_VALUE))
                        .toCompletableFuture())
                .isCompletedExceptionally();
    }

    @Test
    void acquisitionIsDeniedAfterItsRelease() {
        assertThat(store.release(store.grant("k", a))).isTrue();
        assertThat(store.denied("k", a).present()).isEmpty();
        Holder unanswered = StoreSetup.holder("b");
        assertThat(store.releaseUnanswered("k", unanswered)).isFalse();
        assertThat(store.denied("k", unanswered).present()).isEmpty();
    }

    @Test
    void acquisitionIsDeniedAfterItsReleaseAlthoughAnotherLedMeanwhile() {
        assertThat(store.release(store.grant("k", a))).isTrue();
        Claim b = store.grant("k", StoreSetup.holder("b"));
        assertThat(store.denied("k", a).present().orElseThrow().holder()).isEqualTo(b.holder());
        assertThat(store.release(b)).isTrue();
        assertThat(store.denied("k", a).present()).isEmpty();
    }

    @Test
    void onlyTheLastEightReleasedIncarnationsAreRemembered() {
        List<Holder> released = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Holder holder = StoreSetup.holder("h" + i);
            released.add(holder);
            assertThat(store.release(store.grant("k", holder))).isTrue();
        }
        released.subList(1, 9).forEach(holder -> store.denied("k", holder));
        store.grant("k", released.get(0));
    }

    @Test
    void othersAreNotShutOutByAReleaseThatFailed() {
        Claim claim = store.grant("k", a);
        Holder b = StoreSetup.holder("b");
        assertThat(store.release(store.claim("k", b, claim.token()))).isFalse();
        assertThat(store.release(claim)).isTrue();
        store.grant("k", b);
    }

    @Test
    void wallClockStepsEndNothing() {
        FakeTime wall = new FakeTime();
        LeaseStore steady = new MemoryLeaseStore(time::nanos, wall::wall, TokenMode.FORMULA);
        StoreClient client = new StoreClient(steady, LEASE, PATIENCE);
        Claim claim = client.grant("k", a);
        wall.pass(Duration.ofHours(5));
        assertThat(client.renew(claim)).isEqualTo(RenewResult.RENEWED);
        wall.pass(Duration.ofHours(-10));
        assertThat(client.renew(claim)).isEqualTo(RenewResult.RENEWED);
        assertThat(client.release(claim)).isTrue();
        assertThat(client.grant("k", StoreSetup.holder("b")).token()).isEqualTo(claim.token() + 1);
    }

    @Test
    void wakeUpsRunUnderNoLock() {
        Claim claim = store.grant("k", a);
        List<Boolean> free = new ArrayList<>();
        var watch = memory.watch(
                "k",
                () -> free.add(
                        CompletableFuture.supplyAsync(() -> store.read("k").isEmpty())
                                .join()));
        CompletableFuture<Boolean> released = CompletableFuture.supplyAsync(() -> store.release(claim));
        assertThat(Answers.within(PATIENCE, released)).isTrue();
        assertThat(free).containsExactly(true);
        watch.remove();
    }

    @Test
    void everyChangeFromOutsideWakes() {
        List<String> woken = new ArrayList<>();
        var watch = memory.watch("k", () -> woken.add("k"));
        store.grant("k", a);
        store.grant("other", a);
        assertThat(woken).isEmpty();
        assertThat(store.revoke("k")).isTrue();
        assertThat(woken).hasSize(1);
        assertThat(store.forceRelease("k")).isTrue();
        assertThat(woken).hasSize(2);
        store.acceptToken("k", 7);
        assertThat(woken).hasSize(3);
        assertThat(store.forceRelease("k")).isFalse();
        assertThat(store.releaseUnanswered("k", a)).isFalse();
        assertThat(woken).hasSize(3);
        watch.remove();
    }

    @Test
    void closingEndsOwnWakeUpsOnly() {
        List<String> woken = new ArrayList<>();
        MemoryLeaseStore other = memory.another();
        var mute = other.watch("k", () -> woken.add("other"));
        var heard = memory.watch("k", () -> woken.add("memory"));
        other.close();
        assertThat(store.release(store.grant("k", a))).isTrue();
        assertThat(woken).containsExactly("memory");
        mute.remove();
        heard.remove();
        assertThat(Answers.failure(PATIENCE, () -> other.read("k")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("memory is closed");
    }

    @Test
    void eachNewMemoryStoreIsAnother() {
        try (LeaseStore one = LeaseStores.inMemory();
                LeaseStore other = LeaseStores.inMemory()) {
            new StoreClient(one, LEASE, PATIENCE).grant("k", a);
            new StoreClient(other, LEASE, PATIENCE).grant("k", StoreSetup.holder("b"));
        }
    }

    @Test
    void uncoordinatedStoreGrantsNothing() {
        try (LeaseStore none = LeaseStores.uncoordinated()) {
            StoreClient client = new StoreClient(none, LEASE, PATIENCE);
            assertThat(none.traits().scope()).isEqualTo(StoreTraits.Scope.NONE);
            assertThat(none.traits().name()).isEqualTo("uncoordinated");
            assertThat(Answers.failure(PATIENCE, () -> none.acquire(client.request("k", a, LEASE, 0))))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessage("uncoordinated does not coordinate and grants nothing: key=k");
            Claim claim = client.claim("k", a, 1);
            assertThat(client.renew(claim)).isEqualTo(RenewResult.NOT_HOLDER);
            assertThat(client.release(claim)).isFalse();
            assertThat(client.revoke("k")).isFalse();
            assertThat(client.forceRelease("k")).isFalse();
            client.acceptToken("k", 1);
            client.assertFree("k");
            assertThat(client.list()).isEmpty();
        }
    }
}
