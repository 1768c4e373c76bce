package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tenure.Registration;
import dev.tenure.StoreException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Wake-ups, which are hints only, and closing.
 */
abstract class WatchTests extends NameTests {
    private static final int TRIES = 10;

    WatchTests() {}

    @Test
    void releaseElsewhereWakesAWatcher() throws InterruptedException {
        assumeTrue(traits().pushesWakeUps(), "this store pushes no wake-ups");
        Semaphore woken = new Semaphore(0);
        Registration watch = client().store().watch(key(), woken::release);
        assertWokenByAHandOver(client(), woken);
        watch.remove();
    }

    @Test
    void eachWatcherIsWoken() throws InterruptedException {
        assumeTrue(traits().pushesWakeUps(), "this store pushes no wake-ups");
        StoreClient watching = client();
        Semaphore first = new Semaphore(0);
        Semaphore second = new Semaphore(0);
        Registration one = watching.store().watch(key(), first::release);
        Registration other = watching.store().watch(key(), second::release);
        StoreClient store = client();
        assertWokenByAHandOver(store, first);
        assertWokenByAHandOver(store, second);
        one.remove();
        assertWokenByAHandOver(store, second);
        other.remove();
    }

    @Test
    void wakeUpThatThrowsHarmsNobody() throws InterruptedException {
        assumeTrue(traits().pushesWakeUps(), "this store pushes no wake-ups");
        StoreClient watching = client();
        Semaphore woken = new Semaphore(0);
        Registration bad = watching.store().watch(key(), () -> {
            throw new IllegalStateException("a wake-up that throws, on purpose");
        });
        Registration good = watching.store().watch(key(), woken::release);
        assertWokenByAHandOver(client(), woken);
        woken.drainPermits();
        assertWokenByAHandOver(client(), woken);
        bad.remove();
        good.remove();
    }

    @Test
    void removedWatcherIsNotWoken() throws InterruptedException {
        StoreClient watching = client();
        AtomicInteger calls = new AtomicInteger();
        Registration removed = watching.store().watch(key(), calls::incrementAndGet);
        removed.remove();
        removed.remove();
        Semaphore woken = new Semaphore(0);
        Registration present = watching.store().watch(key(), woken::release);
        StoreClient store = client();
        if (traits().pushesWakeUps()) {
            assertWokenByAHandOver(store, woken);
        } else {
            assertThat(store.release(store.grant(key(), holder("a")))).isTrue();
        }
        present.remove();
        present.remove();
        assertThat(calls).hasValue(0);
    }

    @Test
    void nobodyDependsOnAWakeUp() throws InterruptedException {
        StoreClient store = client();
        Registration watch = store.store().watch(key(), () -> {});
        watch.remove();
        store.grant(key(), holder("a"), lease());
        passEnd(lease());
        Claim next = store.grant(key(), holder("b"));
        assertThat(client().release(next)).isTrue();
        store.grant(key(), holder("c"));
    }

    /**
     * A watch may need a moment until it is in effect, and one wake-up may be missed.
     */
    private void assertWokenByAHandOver(StoreClient store, Semaphore woken) throws InterruptedException {
        boolean called = false;
        for (int i = 0; i < TRIES && !called; i++) {
            assertThat(store.release(store.grant(key(), holder("a")))).isTrue();
            called = woken.tryAcquire(patience().toMillis() / TRIES, TimeUnit.MILLISECONDS);
        }
        assertThat(called).as("woken by a release of %s", key()).isTrue();
    }

    @Test
    void closingTwiceIsHarmless() {
        LeaseStore store = open();
        store.close();
        store.close();
        assertThat(store.traits().name()).isEqualTo(traits().name());
    }

    @Test
    void closingHurtsNoOtherClient() {
        StoreClient one = client();
        StoreClient other = client();
        Claim claim = one.grant(key(), holder("a"));
        other.denied(key(), holder("b"));
        other.store().close();
        assertThat(one.renew(claim)).isEqualTo(RenewResult.RENEWED);
        one.assertHolds(claim);
        assertThat(one.release(claim)).isTrue();
        client().grant(key(), holder("b"));
    }

    @Test
    void callsAfterCloseFailAndDoNotHang() {
        StoreClient client = client();
        Holder a = holder("a");
        Claim claim = client.grant(key(), a);
        LeaseStore closed = client.store();
        closed.close();
        List<Supplier<CompletionStage<?>>> calls = List.of(
                () -> closed.acquire(client.request(key(), a, lease(), 0)),
                () -> closed.renew(claim),
                () -> closed.renewAll(List.of(claim)).get(0),
                () -> closed.release(claim),
                () -> closed.revoke(key()),
                () -> closed.forceRelease(key()),
                () -> closed.acceptToken(key(), 1),
                () -> closed.read(key()),
                closed::list);
        for (Supplier<CompletionStage<?>> call : calls) {
            assertThat(Answers.failure(patience(), call)).isInstanceOf(StoreException.class);
        }
        closed.watch(key(), () -> {}).remove();
        client().assertHolds(claim);
    }
}
