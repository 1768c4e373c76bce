package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaderElector;
import dev.tenure.OwnedLease;
import dev.tenure.StoreUnavailableException;
import dev.tenure.engine.EngineTenure;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * The futures of acquisitions: cancelling withdraws, nobody outside completes them.
 */
class AcquireAsyncTest extends EngineTest {

    @Test
    void completesOnACallbackThreadWhenThisInstanceLeads() {
        VirtualTenure a = process("a");
        AtomicReference<String> thread = new AtomicReference<>();
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        future.thenRun(() -> thread.set(Thread.currentThread().getName()));
        world.settle();
        assertThat(now(future).isHeld()).isTrue();
        assertThat(thread.get()).startsWith("virtual-a-");
    }

    @Test
    void cancellingWithdrawsTheCandidate() {
        leader(process("b"));
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        advanceTo(1);
        assertThat(future.cancel(false)).isTrue();
        int asked = acquisitions("a").size();
        advanceTo(30);
        assertThat(acquisitions("a")).hasSize(asked);
        assertThat(future).isCancelled();
    }

    @Test
    void cancellingAStageDerivedFromItWithdraws() {
        leader(process("b"));
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        CompletableFuture<Long> derived =
                future.thenApply(lease -> lease.fencingToken().value()).thenApply(token -> token + 1);
        advanceTo(1);
        derived.cancel(true);
        int asked = acquisitions("a").size();
        advanceTo(30);
        assertThat(acquisitions("a")).hasSize(asked);
        assertThat(future).isCancelled();
    }

    @Test
    void grantThatCrossesTheCancellationIsReleased() {
        StoreRule held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        world.settle();
        held.call().answer(); // is here, not yet taken
        future.cancel(true);
        advanceTo(1);
        assertThat(store().record(KEY)).isEmpty();
        assertThat(renewals("a")).isEmpty();
    }

    @Test
    void grantThatWaitsForACallbackThreadWhenItIsCancelledIsReleased() {
        VirtualTenure a = process("a");
        a.holdCallbacks();
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        world.settle();
        assertThat(store().record(KEY)).isPresent();
        future.cancel(true);
        a.releaseCallbacks();
        assertThat(store().record(KEY)).isEmpty();
        assertThat(future).isCancelled();
    }

    @Test
    void orTimeoutOnTheFutureWithdraws() throws Exception {
        leader(process("b"));
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE).orTimeout(1, TimeUnit.MILLISECONDS);
        assertThatThrownBy(() -> future.get(60, TimeUnit.SECONDS)).hasCauseInstanceOf(TimeoutException.class);
        withdrawnByThreadOfTheJdk(a);
        int asked = acquisitions("a").size();
        advanceTo(30);
        assertThat(acquisitions("a")).hasSize(asked);
    }

    /**
     * The JDK's own timer thread completes a future first, and what the completion withdraws comes after that.
     */
    private void withdrawnByThreadOfTheJdk(VirtualTenure process) {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        do {
            assertThat(System.nanoTime() - limit).as("withdrawn in time").isNegative();
            Thread.onSpinWait();
            world.settle();
        } while (!((EngineTenure) process.tenure()).states().isEmpty());
    }

    @Test
    void getWithATimeoutDoesNotWithdraw() {
        VirtualTenure b = process("b");
        LeaderElector other = leader(b);
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        assertThatThrownBy(() -> future.get(1, TimeUnit.NANOSECONDS)).isInstanceOf(TimeoutException.class);
        advanceTo(1);
        other.stop();
        advanceTo(1.1);
        assertThat(now(future).isHeld()).isTrue();
    }

    @Test
    void nobodyOutsideCompletesIt() {
        VirtualTenure b = process("b");
        LeaderElector other = leader(b);
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        advanceTo(1);
        assertThat(future.complete(null)).isFalse();
        assertThat(future).isNotDone();
        other.stop();
        advanceTo(1.1);
        assertThat(now(future)).isNotNull();
    }

    @Test
    void copyThatIsCompletedDoesNotTouchTheOriginal() {
        VirtualTenure a = process("a");
        a.holdCallbacks();
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        future.copy().complete(null);
        a.releaseCallbacks();
        assertThat(now(future).isHeld()).isTrue();
    }

    @Test
    void failsAsTheBlockingCallDoes() {
        store().down();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        CompletableFuture<Optional<OwnedLease>> once = a.tenure().tryAcquireAsync(ROLE);
        world.settle();
        assertThatThrownBy(future::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(StoreUnavailableException.class);
        assertThatThrownBy(once::join).hasCauseInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void tryAcquireAsyncIsEmptyIfAnotherHolds() {
        leader(process("b"));
        VirtualTenure a = process("a");
        assertThat(now(a.tenure().tryAcquireAsync(ROLE))).isEmpty();
    }

    @Test
    void closingEndsItWithACancellation() {
        leader(process("b"));
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        advanceTo(1);
        a.close();
        assertThat(future).isDone();
        assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void closingReleasesWhatWasGrantedMeanwhile() {
        StoreRule held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(ROLE);
        advanceTo(1);
        a.close();
        assertThat(future).isDone();
        assertThat(store().record(KEY)).isEmpty();
        held.call().answer();
        world.settle();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void K075_thousandsOfAcquisitionsEndedAtOnceLeaveNothing() {
        VirtualTenure a = process("a");
        java.util.Random random = new java.util.Random(75);
        store().onAll()
                .does(call -> world.after(Duration.ofMillis(random.nextInt(4)), () -> {
                    call.apply();
                    world.after(Duration.ofMillis(random.nextInt(4)), call::answer);
                }));
        for (int i = 0; i < 10_000; i++) {
            CompletableFuture<OwnedLease> future = a.tenure().acquireAsync("role-" + i % 40);
            if (i % 3 == 0) {
                world.advance(Duration.ofMillis(random.nextInt(5)));
            }
            if (!future.cancel(true)) {
                future.join().release();
            }
            if (i % 7 == 0) {
                world.advance(Duration.ofMillis(1));
            }
        }
        world.advance(seconds(30));
        int sent = store().calls().size();
        world.advance(seconds(60));
        assertThat(store().calls().size()).isEqualTo(sent);
        assertThat(store().direct().list().toCompletableFuture().join()).isEmpty();
        assertThat(((EngineTenure) a.tenure()).states()).isEmpty();
    }
}
