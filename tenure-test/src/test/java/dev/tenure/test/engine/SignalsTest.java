package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/**
 * Section E: the signals of one lease.
 */
class SignalsTest extends EngineTest {

    @Test
    void K063_R094_signalsAreThereAtOnceAndComplete() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        CompletionStage<LossReason> lost = lease.lost();
        List<LossReason> told = new ArrayList<>();
        lost.thenAccept(told::add);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(told).containsExactly(LossReason.TAKEN_OVER);
    }

    @Test
    void K063_callbackOnALostLeaseIsCalledSoonAndNotOnTheCaller() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        List<String> told = new ArrayList<>();
        lease.onLost(reason ->
                told.add(reason + " " + Thread.currentThread().getName().startsWith("virtual-a")));
        assertThat(told).isEmpty();
        world.settle();
        assertThat(told).containsExactly("TAKEN_OVER true");
    }

    @Test
    void stagesCannotBeCompletedFromOutside() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        lease.lost().toCompletableFuture().complete(LossReason.STOPPED);
        lease.lapsed().toCompletableFuture().complete(null);
        assertThat(isDone(lease.lost())).isFalse();
        assertThat(isDone(lease.lapsed())).isFalse();
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void B53_B79_callbackThatThrowsIsLoggedAndOthersRun() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        List<String> told = new ArrayList<>();
        lease.onLost(reason -> {
            throw new IllegalStateException("in a callback");
        });
        lease.onLost(reason -> told.add("second"));
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(told).containsExactly("second");
        assertThat(log.text()).contains("in a callback");
        advanceTo(12);
        assertThat(recorder().times("a", Recorded.Kind.ELECTED)).hasSize(2);
    }

    @Test
    void removedCallbackIsNotCalled() {
        VirtualTenure a = process("a");
        Lease lease = leaseOf(leader(a));
        List<String> told = new ArrayList<>();
        Registration once = lease.onLost(reason -> told.add("removed"));
        lease.onLost(reason -> told.add("kept"));
        once.remove();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(told).containsExactly("kept");
    }

    @Test
    void callbackThatRunsDelaysTheReleaseOfAVoluntaryEnd() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        leaseOf(elector).onLost(reason -> take(seconds(4)));
        elector.stop();
        advanceTo(3.9);
        assertThat(releases("a")).isEmpty();
        advanceTo(4);
        assertThat(releases("a")).isEqualTo(allSeconds(4));
    }
}
