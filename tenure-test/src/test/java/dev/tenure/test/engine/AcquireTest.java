package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.InvalidOptionsException;
import dev.tenure.LeaderElector;
import dev.tenure.OwnedLease;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

/**
 * The blocking ways to a lease.
 */
class AcquireTest extends EngineTest {

    @Test
    void acquireWaitsUntilThisInstanceLeads() {
        VirtualTenure b = process("b");
        LeaderElector other = leader(b);
        VirtualTenure a = process("a");
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        advanceTo(100);
        assertThat(call.isDone()).isFalse();
        other.stop();
        world.advance(Duration.ofMillis(10));
        assertThat(call.result().isHeld()).isTrue();
        assertThat(call.result().role()).isEqualTo(ROLE);
        assertThat(call.result().term()).isEqualTo(1);
    }

    @Test
    void B77_acquireThrowsIfTheStoreHasNeverAnswered() {
        store().down();
        VirtualTenure a = process("a");
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        assertThat(call.failure()).isInstanceOf(StoreUnavailableException.class);
        store().heal();
        advanceTo(30);
        assertThat(store().record(KEY)).isEmpty();
        assertThat(acquisitions("a")).hasSize(1);
    }

    @Test
    void acquireThrowsAfterTheCallLimitIfTheStoreHangsFromTheBeginning() {
        store().cut("a");
        VirtualTenure a = process("a");
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        advanceTo(2.39);
        assertThat(call.isDone()).isFalse();
        advanceTo(2.4);
        assertThat(call.failure()).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void acquireWaitsThroughALaterOutage() {
        VirtualTenure a = process("a");
        a.stand("other");
        advanceTo(1);
        store().down();
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        advanceTo(60);
        assertThat(call.isDone()).isFalse();
        store().heal();
        advanceTo(62);
        assertThat(call.result().isHeld()).isTrue();
    }

    @Test
    void acquireThrowsAtOnceIfTheStoreRejects() {
        VirtualTenure a = process("a");
        a.stand("other");
        advanceTo(1);
        store().on(Kind.ACQUIRE).fail(() -> new StoreRejectedException("wrong password", null));
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        assertThat(call.failure()).isInstanceOf(StoreRejectedException.class).hasMessageContaining("wrong password");
    }

    @Test
    void R082_tryAcquireIsEmptyIfAnotherHolds() {
        leader(process("b"));
        VirtualTenure a = process("a");
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE));
        assertThat(call.result()).isEmpty();
        advanceTo(30);
        assertThat(acquisitions("a")).hasSize(1);
        assertThat(releases("a")).isEmpty();
    }

    @Test
    void tryAcquireGivesTheLeaseIfNobodyHolds() {
        VirtualTenure a = process("a");
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE));
        assertThat(call.result().orElseThrow().isHeld()).isTrue();
    }

    @Test
    void tryAcquireWithoutAnAnswerIsAStoreException() {
        VirtualTenure a = process("a");
        a.stand("other");
        advanceTo(1);
        store().on(Kind.ACQUIRE).hold();
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE));
        advanceTo(3.4);
        assertThat(call.failure()).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void tryAcquireThatWasGrantedTooLateIsReleased() {
        StoreRule held = store().on(Kind.ACQUIRE).once().holdAnswer();
        VirtualTenure a = process("a");
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE));
        advanceTo(2.4);
        assertThat(call.failure()).isInstanceOf(StoreUnavailableException.class);
        advanceTo(2.41);
        assertThat(store().record(KEY)).isEmpty();
        held.call().answer();
        world.settle();
        advanceTo(20);
        assertThat(store().record(KEY)).isEmpty();
        assertThat(renewals("a")).isEmpty();
    }

    @Test
    void K014_limitedWaitIsEmptyAndNeverASuccess() {
        leader(process("a"));
        VirtualTenure b = process("b");
        VirtualTenure c = process("c");
        VirtualCall<Optional<OwnedLease>> second = b.call(() -> b.tenure().tryAcquire(ROLE, seconds(2)));
        VirtualCall<Optional<OwnedLease>> third = c.call(() -> c.tenure().tryAcquire(ROLE, seconds(2)));
        advanceTo(1.99);
        assertThat(second.isDone() || third.isDone()).isFalse();
        advanceTo(2);
        assertThat(second.result()).isEmpty();
        assertThat(third.result()).isEmpty();
        assertThat(store().record(KEY).orElseThrow().holder().name()).isEqualTo("a");
        assertThat(recorder().events("b", Recorded.Kind.ELECTED)).isEmpty();
    }

    @Test
    void limitedWaitEndsByTheLastAnswer() {
        VirtualTenure b = process("b");
        leader(b);
        VirtualTenure a = process("a");
        store().on(Kind.ACQUIRE).from("a").fail(EngineTest::outage);
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE, seconds(3)));
        advanceTo(3);
        assertThat(call.failure()).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void limitedWaitLastsThroughFailuresOfAStoreThatNeverAnswered() {
        store().on(Kind.ACQUIRE).times(2).fail(EngineTest::outage);
        VirtualTenure a = process("a");
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE, seconds(5)));
        advanceTo(2);
        assertThat(call.result()).isPresent();
    }

    @Test
    void limitedWaitTakesAGrantThatComesInTime() {
        VirtualTenure b = process("b");
        LeaderElector other = leader(b);
        VirtualTenure a = process("a");
        VirtualCall<Optional<OwnedLease>> call = a.call(() -> a.tenure().tryAcquire(ROLE, seconds(5)));
        advanceTo(3);
        other.stop();
        advanceTo(3.1);
        assertThat(call.result()).isPresent();
    }

    @Test
    void K158_magicWaitsAreRefusedAndZeroAsksOnce() {
        leader(process("b"));
        VirtualTenure a = process("a");
        for (Duration wait : new Duration[] {null, seconds(-1), Duration.ofNanos(-1), Duration.ofDays(366)}) {
            assertThatThrownBy(() -> a.tenure().tryAcquire(ROLE, wait))
                    .isInstanceOf(InvalidOptionsException.class)
                    .hasMessageContaining("wait must be from zero to 365 days: wait=" + wait);
        }
        VirtualCall<Optional<OwnedLease>> once = a.call(() -> a.tenure().tryAcquire(ROLE, Duration.ZERO));
        assertThat(once.result()).isEmpty();
        VirtualCall<Optional<OwnedLease>> shortest = a.call(() -> a.tenure().tryAcquire(ROLE, Duration.ofNanos(1)));
        world.advance(Duration.ofNanos(1));
        assertThat(shortest.result()).isEmpty();
        assertThat(store().record(KEY).orElseThrow().holder().name()).isEqualTo("b");
    }

    @Test
    void B08_interruptedThreadDoesNotTouchTheStore() {
        VirtualTenure a = process("a");
        VirtualCall<OwnedLease> call = a.call(() -> {
            Thread.currentThread().interrupt();
            return a.tenure().acquire(ROLE);
        });
        assertThat(call.failure()).isInstanceOf(InterruptedException.class);
        advanceTo(5);
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void interruptEndsTheWaiting() {
        leader(process("b"));
        VirtualTenure a = process("a");
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        advanceTo(1);
        call.interrupt();
        assertThat(call.failure()).isInstanceOf(InterruptedException.class);
        int asked = acquisitions("a").size();
        advanceTo(60);
        assertThat(acquisitions("a")).hasSize(asked);
    }

    @Test
    void closingEndsWaitingCallsWithACancellation() {
        leader(process("b"));
        VirtualTenure a = process("a");
        VirtualCall<OwnedLease> forEver = a.call(() -> a.tenure().acquire(ROLE));
        VirtualCall<Optional<OwnedLease>> limited = a.call(() -> a.tenure().tryAcquire("other", seconds(100)));
        limited.result().orElseThrow().release();
        store().on(Kind.ACQUIRE).key("leader:third").hold();
        VirtualCall<Optional<OwnedLease>> single = a.call(() -> a.tenure().tryAcquire("third"));
        advanceTo(1);
        a.close();
        assertThat(forEver.failure()).isInstanceOf(CancellationException.class);
        assertThat(single.failure()).isInstanceOf(CancellationException.class);
    }

    @Test
    void acquiringARoleOfAnOwnElectorIsRefused() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        assertThatThrownBy(() -> a.tenure().acquire(ROLE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("role=" + ROLE);
        assertThatThrownBy(() -> a.tenure().tryAcquire(ROLE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> a.tenure().acquireAsync(ROLE)).isInstanceOf(IllegalStateException.class);
        elector.stop();
        world.settle();
        VirtualCall<OwnedLease> call = a.call(() -> a.tenure().acquire(ROLE));
        assertThat(call.result().isHeld()).isTrue();
    }

    @Test
    void acquiringTwiceInOneTenureExcludesItself() {
        VirtualTenure a = process("a");
        OwnedLease first = a.call(() -> a.tenure().acquire(ROLE)).result();
        VirtualCall<OwnedLease> second = a.call(() -> a.tenure().acquire(ROLE));
        advanceTo(30);
        assertThat(second.isDone()).isFalse();
        first.release();
        advanceTo(30.1);
        assertThat(second.result().isHeld()).isTrue();
        assertThat(first.fencingToken().isOlderThan(second.result().fencingToken()))
                .isTrue();
    }

    @Test
    void R118_acquireAndElectorsExcludeEachOther() {
        VirtualTenure a = process("a");
        OwnedLease lease = a.call(() -> a.tenure().acquire(ROLE)).result();
        VirtualTenure b = process("b");
        LeaderElector elector = b.stand(ROLE);
        advanceTo(60);
        assertThat(elector.isLeader()).isFalse();
        lease.release();
        advanceTo(60.1);
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void acquiredLeaseIsRenewedAndNotAcquiredAgainOnceLost() {
        VirtualTenure a = process("a");
        OwnedLease lease = a.call(() -> a.tenure().acquire(ROLE)).result();
        advanceTo(31);
        assertThat(renewals("a")).hasSize(10);
        store().on(Kind.RENEW).hold();
        advanceTo(60);
        assertThat(lease.isHeld()).isFalse();
        assertThat(acquisitions("a")).hasSize(1);
        assertThat(reasons("a")).containsExactly("DEADLINE_EXCEEDED");
    }

    @Test
    void B78_waitOfTheAcquisitionDoesNotLimitTheLease() {
        VirtualTenure a = process("a");
        OwnedLease lease =
                a.call(() -> a.tenure().tryAcquire(ROLE, seconds(2))).result().orElseThrow();
        advanceTo(60);
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void closedTenureAcquiresNothing() {
        VirtualTenure a = process("a");
        a.close();
        assertThatThrownBy(() -> a.tenure().acquire(ROLE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> a.tenure().acquireAsync(ROLE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> a.tenure().elector(ROLE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> a.tenure().watch(ROLE)).isInstanceOf(IllegalStateException.class);
        assertThat(store().calls()).isEmpty();
    }
}
