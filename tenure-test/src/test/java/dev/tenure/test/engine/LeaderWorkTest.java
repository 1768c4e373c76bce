package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What is told of leader work that fails, and when it is interrupted.
 */
class LeaderWorkTest extends EngineTest {

    @Test
    void K067_workThatThrowsBacksOffIsToldAndMetered() {
        List<String> metered = new ArrayList<>();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(new ElectionMonitor() {
                    @Override
                    public void fault(String role, String where, Throwable error) {
                        metered.add(role + ": " + where + ": " + error.getMessage());
                    }

                    @Override
                    public void lost(Lease lease, LossReason reason, Duration held) {
                        metered.add(lease.term() + ": " + reason);
                    }
                }));
        a.stand(ROLE, lease -> {
            throw new IllegalStateException("no cache");
        });
        advanceTo(20);
        List<Duration> grants = recorder().times("a", Recorded.Kind.ELECTED);
        assertThat(grants).isEqualTo(allSeconds(0, 1, 3, 7, 15));
        assertThat(metered)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 5)
                        .boxed()
                        .flatMap(term ->
                                List.of("billing: work of the leader: no cache", term + ": WORK_FAILED").stream())
                        .toList());
        assertThat(log.lines("WARN", "fault survived: role=billing where=work of the leader"))
                .hasSize(5);
        assertThat(log.told(CoreEvent.WORK_FAILED)).isNotEmpty();
        assertThat(log.told(CoreEvent.WORK_BACKS_OFF)).isNotEmpty();
        List<String> backOffs = log.lines("WARN", "(workBackoff)");
        assertThat(backOffs).hasSize(5);
        assertThat(backOffs.get(0))
                .contains("leader work of billing failed, times in a row=1")
                .contains("than 1s");
        assertThat(backOffs.get(4)).contains("times in a row=5").contains("than 16s");
    }

    @Test
    void aBackoffThatIsShorterThanThePauseAfterAnyEndDoesNotCountAndIsNotSaidToDecide() {
        VirtualTenure a = process(
                "a",
                options ->
                        options.retryInterval(seconds(2)).workBackoff(Duration.ofMillis(50), Duration.ofMillis(100)));
        a.stand(ROLE, lease -> {
            throw new IllegalStateException("no cache");
        });
        advanceTo(5);
        assertThat(recorder().times("a", Recorded.Kind.ELECTED)).isEqualTo(allSeconds(0, 2, 4));
        assertThat(log.lines("WARN", "no sooner than 2s after it has ended (retryInterval)"))
                .hasSize(3);
        assertThat(ElectionOptions.defaults().explain())
                .contains("after leader work failed this instance stays away for 1s, doubled by every failure up to 30s"
                        + " (workBackoff), but no shorter than after any other end that it chose: 2s (retryInterval;"
                        + " and retryJitter and callTimeout where the store wakes nobody)");
    }

    @Test
    void aLossInterruptsAtOnceWhateverAVoluntaryEndWaitsFor() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.interruptAfter(seconds(10)));
        LeaderElector elector = leader(a, work);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(elector.isLeader()).isFalse();
        assertThat(work.interrupts()).isEqualTo(1);
        assertThat(work.isRunning()).isFalse();
    }

    @Test
    void aHealthCheckThatEndsATermOfAnElectorSaysWhenItStandsAgain() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.healthCheck(() -> false, seconds(4)));
        leader(a, work);
        advanceTo(7.5);
        assertThat(reasons("a")).containsExactly("WORK_FAILED");
        assertThat(log.lines("WARN", "(workBackoff)")).hasSize(1);
    }

    @Test
    void anAcquiredLeaseThatFailsItsHealthCheckStandsNoMore() {
        VirtualTenure a = process("a", options -> options.healthCheck(() -> false, seconds(4)));
        a.call(() -> a.tenure().acquire(ROLE)).result();
        advanceTo(20);
        assertThat(reasons("a")).containsExactly("WORK_FAILED");
        assertThat(log.lines("WARN", "(workBackoff)")).isEmpty();
        assertThat(acquisitions("a")).hasSize(1);
    }
}
