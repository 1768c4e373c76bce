package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeadershipLostException;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.ReleaseOutcome;
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * A lease and its owner.
 */
class OwnedLeaseTest extends EngineTest {

    private OwnedLease acquired(VirtualTenure process) {
        return process.call(() -> process.tenure().acquire(ROLE)).result();
    }

    @Test
    void R135_closingReleasesAndNeverThrows() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        advanceTo(1);
        a.call(() -> {
                    lease.close();
                    lease.close();
                    return true;
                })
                .result();
        assertThat(store().record(KEY)).isEmpty();
        assertThat(lease.lossReason()).contains(LossReason.RELEASED);
        assertThat(releases("a")).hasSize(1);
    }

    @Test
    void closingWaitsAtMostForTheCallLimit() {
        VirtualTenure a = process("a", options -> options.callTimeout(Duration.ofMillis(30)));
        OwnedLease lease = acquired(a);
        store().on(Kind.RELEASE).hold();
        VirtualCall<Boolean> closing = a.call(() -> {
            lease.close();
            return true;
        });
        assertThat(closing.result()).isTrue(); // 30 ms of real time
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void closingKeepsTheInterruptStatus() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        VirtualCall<Boolean> closing = a.call(() -> {
            Thread.currentThread().interrupt();
            lease.close();
            return true;
        });
        assertThat(closing.keptInterrupt()).isTrue();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void releaseIsIdempotentAndAnswersAll() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        CompletableFuture<ReleaseOutcome> first = lease.release();
        CompletableFuture<ReleaseOutcome> second = lease.release();
        assertThat(now(first)).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(second).isDone();
        assertThat(now(lease.release())).isEqualTo(ReleaseOutcome.NOT_HOLDER);
    }

    @Test
    void K109_releaseOfALostLeaseIsNotHolderAndThrowsNothing() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(4);
        assertThat(now(lease.release())).isEqualTo(ReleaseOutcome.NOT_HOLDER);
        assertThat(lease.lossReason()).contains(LossReason.TAKEN_OVER);
        assertThat(releases("a")).isEmpty();
    }

    @Test
    void releaseAfterReleasesWhenTheStageCompletes() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        CompletableFuture<String> work = new CompletableFuture<>();
        CompletableFuture<String> result = lease.releaseAfter(given -> work);
        advanceTo(5);
        assertThat(lease.isHeld()).isTrue();
        assertThat(renewals("a")).isEqualTo(allSeconds(3));
        work.complete("done");
        assertThat(now(result)).isEqualTo("done");
        assertThat(releases("a")).isEqualTo(allSeconds(5));
    }

    @Test
    void releaseAfterReleasesWhenTheStageFails() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        CompletableFuture<String> result =
                lease.releaseAfter(given -> CompletableFuture.failedFuture(new IllegalStateException("no")));
        world.settle();
        assertThatThrownBy(result::join).hasCauseInstanceOf(IllegalStateException.class);
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void releaseAfterReleasesWhenItThrows() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        assertThatThrownBy(() -> lease.releaseAfter(given -> {
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class);
        world.settle();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void releaseAfterReleasesWhenThereIsNoStage() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        assertThatThrownBy(() -> lease.releaseAfter(given -> null)).isInstanceOf(NullPointerException.class);
        world.settle();
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void ownerCountsAsWorkUntilItCloses() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        advanceTo(1);
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(7);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.lossReason()).contains(LossReason.STOPPED);
        assertThat(lease.remaining()).isPositive();
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6));
        assertThat(closing.isDone()).isFalse();
        lease.release();
        world.settle();
        assertThat(closing.result()).isTrue();
        assertThat(releases("a")).isEqualTo(allSeconds(7));
    }

    @Test
    void ownerThatNeverClosesIsLeftToExpire() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        VirtualCall<Boolean> closing = closing(a);
        advanceTo(9.99);
        assertThat(closing.isDone()).isFalse();
        advanceTo(10);
        assertThat(closing.result()).isTrue();
        assertThat(releases("a")).isEmpty();
        assertThat(lease.isHeld()).isFalse();
        advanceTo(20);
        assertThat(store().record(KEY)).isEmpty();
        lease.release();
        world.settle();
    }

    @Test
    void lapseOfALostLeaseDoesNotWaitForItsOwner() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(isDone(lease.lapsed())).isTrue();
        assertThat(lease.remaining()).isZero();
        lease.release();
    }

    @Test
    void leaseThatIsDroppedUnclosedStaysHeldAndAWarningSaysWhereItCameFrom() {
        VirtualTenure a = process("a");
        drop(a, "dropped");
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!(isDropReported("dropped") && log.text().contains("OwnedLeaseTest.drop"))) { // line by line
            assertThat(System.nanoTime() - limit).as(log.text()).isNegative();
            collect();
        }
        assertThat(log.told(CoreEvent.LEASE_DROPPED)).hasSize(1);
        advanceTo(60);
        assertThat(store().record("leader:dropped")).isPresent();
    }

    @Test
    void leaseThatWasLostBeforeItWasDroppedIsNoWarning() {
        VirtualTenure a = process("a");
        drop(a, "lost");
        store().on(Kind.RENEW).hold();
        advanceTo(60);
        for (int i = 0; i < 10; i++) {
            collect();
        }
        assertThat(isDropReported("lost")).isFalse();
    }

    private void drop(VirtualTenure a, String role) {
        CompletableFuture<OwnedLease> future = a.tenure().acquireAsync(role);
        world.settle();
        assertThat(future).isDone();
    }

    private static void collect() {
        System.gc();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(3));
    }

    private boolean isDropReported(String role) {
        return log.text().contains("a lease of " + role + " was dropped unclosed");
    }

    // the handle

    @Test
    void ensureHeldThrowsOnceLost() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        lease.ensureHeld();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOfSatisfying(LeadershipLostException.class, lost -> {
                    assertThat(lost.role()).isEqualTo(ROLE);
                    assertThat(lost.token()).contains(lease.fencingToken());
                })
                .hasMessageContaining("TAKEN_OVER");
        assertThatThrownBy(() -> lease.ensureHeld(Duration.ZERO)).isInstanceOf(LeadershipLostException.class);
    }

    @Test
    void ensureHeldForATimeLooksAtWhatIsLeft() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        advanceTo(2);
        lease.ensureHeld(seconds(7));
        assertThatThrownBy(() -> lease.ensureHeld(seconds(7.001)))
                .isInstanceOf(LeadershipLostException.class)
                .hasMessageContaining("left PT7S");
        assertThatThrownBy(() -> lease.ensureHeld(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(LeadershipLostException.class);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void ensureHeldIsFalseWhileADrainRunsAlthoughSomethingRemains() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        closing(a);
        world.settle();
        assertThat(lease.remaining()).isPositive();
        assertThatThrownBy(lease::ensureHeld).isInstanceOf(LeadershipLostException.class);
        lease.release();
    }

    @Test
    void awaitLostReturnsWhenTheTermEnds() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        VirtualCall<Boolean> waiting = a.call(() -> lease.awaitLost(Duration.ofSeconds(Long.MAX_VALUE)));
        advanceTo(2.9);
        assertThat(waiting.isDone()).isFalse();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(waiting.result()).isTrue();
    }

    @Test
    void awaitLostReturnsAtOnceOnAnEndedTermAndOnAZeroWait() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        assertThat(a.call(() -> lease.awaitLost(Duration.ZERO)).result()).isFalse();
        assertThat(a.call(() -> lease.awaitLost(Duration.ofSeconds(-5))).result())
                .isFalse();
        lease.release();
        world.settle();
        assertThat(a.call(() -> lease.awaitLost(seconds(100))).result()).isTrue();
    }

    @Test
    void awaitLostIsInterruptible() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        VirtualCall<Boolean> waiting = a.call(() -> lease.awaitLost(seconds(100)));
        waiting.interrupt();
        assertThat(waiting.failure()).isInstanceOf(InterruptedException.class);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void awaitLostReturnsWhenAnotherThreadFindsTheDeadlinePassed() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        VirtualCall<Boolean> waiting = a.call(() -> lease.awaitLost(seconds(1000)));
        a.pause(); // the loop does not move
        advanceTo(10);
        assertThat(lease.isHeld()).isFalse();
        assertThat(waiting.result()).isTrue();
    }

    @Test
    void R017_tokenIsConstantAndReadableAfterTheTerm() {
        VirtualTenure a = process("a");
        OwnedLease lease = acquired(a);
        long token = lease.fencingToken().value();
        advanceTo(30);
        lease.release();
        world.settle();
        assertThat(lease.fencingToken().value()).isEqualTo(token);
        assertThat(lease.fencingToken().role()).isEqualTo(ROLE);
        assertThat(lease.term()).isEqualTo(1);
        assertThat(lease.toString()).contains(ROLE + "=" + token).contains("RELEASED");
    }
}
