package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.test.virtual.Invariant;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What the application supplies: metadata, monitors, an executor.
 */
class SurroundingsTest extends EngineTest {

    private Map<String, String> announced() {
        return store().record(KEY).orElseThrow().holder().metadata();
    }

    @Test
    void metadataIsReadAtEveryAcquisition() {
        AtomicInteger reads = new AtomicInteger();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata("fixed", "1")
                        .metadata(() -> Map.of("read", String.valueOf(reads.incrementAndGet()))));
        LeaderElector elector = leader(a);
        assertThat(announced()).isEqualTo(Map.of("fixed", "1", "read", "1"));
        assertThat(elector.leader().orElseThrow().metadata()).isEqualTo(announced());
        advanceTo(30);
        assertThat(reads).hasValue(1);
        elector.resign();
        advanceTo(32);
        assertThat(announced()).containsEntry("read", "2");
    }

    @Test
    void supplierThatThrowsDelaysNothing() {
        AtomicInteger reads = new AtomicInteger();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata("fixed", "1").metadata(() -> {
                    if (reads.incrementAndGet() == 2) {
                        throw new IllegalStateException("not now");
                    }
                    return Map.of("read", String.valueOf(reads.get()));
                }));
        LeaderElector elector = leader(a);
        elector.resign();
        advanceTo(1);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(announced()).isEqualTo(Map.of("fixed", "1", "read", "1"));
        assertThat(log.text()).contains("not now");
        assertThat(log.told(CoreEvent.METADATA_FAILED)).hasSize(1);
    }

    @Test
    void supplierThatGivesNullIsSurvived() {
        VirtualTenure a = processWith("a", setup -> setup.metadata("fixed", "1").metadata(() -> null));
        leader(a);
        assertThat(announced()).isEqualTo(Map.of("fixed", "1"));
    }

    @Test
    void supplierThatHangsIsNoOutageOfTheStore() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata("fixed", "1").metadata(() -> {
                    take(Duration.ofDays(1));
                    return Map.of();
                }));
        VirtualCall<?> call =
                a.call(() -> a.tenure().tryAcquire("other").orElseThrow().release());
        LeaderElector elector = a.stand(ROLE);
        advanceTo(2.4);
        assertThat(elector.isLeader()).isTrue();
        assertThat(announced()).isEqualTo(Map.of("fixed", "1"));
        assertThat(recorder().events("a", Recorded.Kind.STORE_FAILING)).isEmpty();
        assertThat(call.result()).isNotNull();
    }

    @Test
    void supplierThatHangsLaterIsNoOutageOfTheStore() {
        AtomicInteger reads = new AtomicInteger();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata(() -> {
                    if (reads.incrementAndGet() > 1) {
                        take(Duration.ofDays(1));
                    }
                    return Map.of("read", "1");
                }));
        LeaderElector elector = leader(a);
        elector.resign();
        advanceTo(1 + 2.4);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(announced()).isEqualTo(Map.of("read", "1"));
        assertThat(recorder().events("a", Recorded.Kind.STORE_FAILING)).isEmpty();
    }

    @Test
    void lateMetadataDoesNotSendAnAcquisitionThatIsOver() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata(() -> {
                    take(seconds(5));
                    return Map.of();
                }));
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        elector.stop();
        advanceTo(30);
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).isEmpty();
        assertThat(store().record(KEY)).isEmpty();
    }

    // monitors

    @Test
    void B34_monitorIsToldInOrder() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(4);
        elector.stop();
        world.settle();
        assertThat(recorder().events().stream()
                        .filter(event -> event.source() == 0)
                        .map(Recorded::kind))
                .containsExactly(
                        Recorded.Kind.STANDING,
                        Recorded.Kind.ACQUIRE_FINISHED,
                        Recorded.Kind.ELECTED,
                        Recorded.Kind.RENEW_FINISHED,
                        Recorded.Kind.LOST,
                        Recorded.Kind.LAPSED,
                        Recorded.Kind.RELEASED,
                        Recorded.Kind.STOPPED);
    }

    @Test
    void monitorOrderOfALossAndOfAnOutage() {
        VirtualTenure a = process("a", options -> options.retryInterval(seconds(2)));
        leader(a);
        store().down();
        advanceTo(12);
        store().heal();
        advanceTo(14);
        assertThat(recorder().events().stream()
                        .filter(event -> event.source() == 0)
                        .map(Recorded::kind)
                        .filter(kind -> kind != Recorded.Kind.RENEW_FINISHED && kind != Recorded.Kind.ACQUIRE_FINISHED))
                .containsExactly(
                        Recorded.Kind.STANDING,
                        Recorded.Kind.ELECTED,
                        Recorded.Kind.STORE_FAILING,
                        Recorded.Kind.LOST,
                        Recorded.Kind.LAPSED,
                        Recorded.Kind.STORE_RECOVERED,
                        Recorded.Kind.ELECTED);
    }

    @Test
    void monitorIsToldTimesAndSlack() {
        List<String> told = new ArrayList<>();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(new ElectionMonitor() {
                    @Override
                    public void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
                        told.add(outcome + " " + took + " " + slack);
                    }

                    @Override
                    public void lost(Lease lease, LossReason reason, Duration held) {
                        told.add(reason + " " + held);
                    }

                    @Override
                    public void released(Lease lease, ReleaseOutcome outcome, Duration drained) {
                        told.add(outcome + " " + drained);
                    }
                }));
        LeaderElector elector = leader(a);
        store().on(Kind.RENEW).once().delay(seconds(0.5), seconds(0.5));
        advanceTo(5);
        elector.stop();
        world.settle();
        assertThat(told).containsExactly("SUCCEEDED PT1S PT5S", "STOPPED PT5S", "RELEASED PT0S");
    }

    @Test
    void monitorThatHangsDelaysNoListenerAndNoRenewal() {
        world.checker().allow(Invariant.SIGNALS_IN_ORDER); // the other monitor may be told nothing more
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(new ElectionMonitor() {
                    @Override
                    public void elected(Lease lease) {
                        take(seconds(1000));
                    }
                }));
        LeaderElector elector = leader(a);
        advanceTo(30);
        assertThat(recorder().times("a", Recorded.Kind.ON_ELECTED)).isEqualTo(allSeconds(0));
        assertThat(renewals("a")).hasSize(10);
        assertThat(now(elector.stop())).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void K171_termsAreCountedPerTermAndReason() {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector first = leader(a);
        store().on(Kind.RENEW).once().answer(dev.tenure.spi.RenewResult.NOT_HOLDER);
        advanceTo(12);
        LeaderElector second = b.stand(ROLE);
        advanceTo(13);
        first.stop();
        advanceTo(14);
        assertThat(recorder().events("a", Recorded.Kind.ELECTED)).hasSize(2);
        assertThat(recorder().events("b", Recorded.Kind.ELECTED)).hasSize(1);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER", "STOPPED");
        assertThat(second.term()).isEqualTo(1);
    }

    // the executor

    @Test
    void executorThatRefusesIsReplacedByTenuresOwnThreads() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.executor(task -> {
                    throw new RejectedExecutionException("full");
                }));
        LeaderElector elector = a.stand(ROLE);
        advanceTo(4);
        assertThat(recorder().events("a", Recorded.Kind.ON_ELECTED)).hasSize(1);
        elector.stop();
        world.settle();
        assertThat(recorder().events("a", Recorded.Kind.ON_LOST)).hasSize(1);
    }

    @Test
    void executorThatThrowsSomethingElseEndsNothing() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.executor(task -> {
                    throw new IllegalStateException("odd executor");
                }));
        LeaderElector elector = a.stand(ROLE);
        advanceTo(7);
        assertThat(elector.isLeader()).isTrue();
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6));
        var outcome = elector.stop();
        advanceTo(20);
        assertThat(elector.isLeader()).isFalse();
        assertThat(outcome.isDone() || store().record(KEY).isEmpty()).isTrue();
    }

    @Test
    void executorThatRunsOnTheCallerIsSurvived() {
        VirtualTenure a = processWith("a", setup -> setup.executor(Runnable::run));
        LeaderElector elector = a.stand(ROLE);
        advanceTo(4);
        assertThat(elector.isLeader()).isTrue();
        assertThat(recorder().events("a", Recorded.Kind.ON_ELECTED)).hasSize(1);
        elector.resign();
        advanceTo(6);
        assertThat(elector.term()).isEqualTo(2);
    }
}
