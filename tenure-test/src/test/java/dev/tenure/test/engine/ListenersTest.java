package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Section E: listeners and signals; order, once, late, throwing, slow.
 */
class ListenersTest extends EngineTest {

    @Test
    void K051_B39_longStartCallbackDoesNotStopRenewal() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<Duration> second = new ArrayList<>();
        elector.onChange(lease -> take(seconds(25)), (lease, reason) -> {});
        elector.onChange(lease -> second.add(world.elapsed()), (lease, reason) -> {});
        elector.start();
        advanceTo(25);
        assertThat(second).isEqualTo(allSeconds(0));
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 6, 9, 12, 15, 18, 21, 24));
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void K056_startCallbackThatThrowsEndsTheTermAndLetsAnotherLead() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<LossReason> lost = new ArrayList<>();
        elector.onChange(
                lease -> {
                    throw new IllegalStateException("cannot start");
                },
                (lease, reason) -> lost.add(reason));
        elector.start();
        VirtualTenure b = process("b");
        LeaderElector other = b.stand(ROLE);
        advanceTo(2);
        assertThat(lost).containsExactly(LossReason.WORK_FAILED);
        assertThat(other.isLeader()).isTrue();
        assertThat(renewals("a").size()).isLessThanOrEqualTo(1);
        advanceTo(30);
        assertThat(other.isLeader()).isTrue();
        assertThat(log.text()).contains("cannot start");
    }

    @Test
    void K056_variantOfAnError() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(
                lease -> {
                    throw new ExceptionInInitializerError("no class");
                },
                (lease, reason) -> {});
        elector.start();
        advanceTo(0.5);
        assertThat(reasons("a")).containsExactly("WORK_FAILED");
        assertThat(store().record(KEY)).isEmpty();
    }

    @Test
    void K067_failingStartBacksOff() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(
                lease -> {
                    throw new IllegalStateException("cannot start");
                },
                (lease, reason) -> {});
        elector.start();
        advanceTo(60);
        List<Duration> grants = recorder().times("a", Recorded.Kind.ELECTED);
        assertThat(grants).isEqualTo(allSeconds(0, 1, 3, 7, 15, 31));
        advanceTo(121);
        grants = recorder().times("a", Recorded.Kind.ELECTED);
        assertThat(grants.subList(6, grants.size())).isEqualTo(allSeconds(61, 91, 121));
    }

    @Test
    void K067_backoffStartsAgainAfterATermThatWorked() {
        boolean[] fails = {true};
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(
                lease -> {
                    if (fails[0]) {
                        throw new IllegalStateException("cannot start");
                    }
                },
                (lease, reason) -> {});
        elector.start();
        advanceTo(6);
        fails[0] = false;
        advanceTo(8);
        elector.resign();
        advanceTo(9.5);
        fails[0] = true;
        elector.resign();
        advanceTo(12);
        assertThat(recorder().times("a", Recorded.Kind.ELECTED))
                .startsWith(allSeconds(0, 1, 3, 7, 9, 10.5, 11.5).toArray(new Duration[0]));
    }

    @Test
    void K058_bothSourcesOfALossInTheSameInstantAreOneLoss() {
        VirtualTenure a = process("a");
        leader(a);
        var held = store().on(Kind.RENEW).hold();
        advanceTo(8.9);
        a.pause();
        advanceTo(9);
        held.calls().forEach(call -> call.answer(RenewResult.NOT_HOLDER));
        a.resume();
        assertThat(recorder().events("a", Recorded.Kind.ON_LOST)).hasSize(1);
        assertThat(recorder().events("a", Recorded.Kind.LOST)).hasSize(1);
    }

    @Test
    void K016_lossBeforeTheCallbackHasSetUpItsStopIsSeenByIt() {
        boolean[] stopped = new boolean[2];
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(
                lease -> {
                    take(seconds(5));
                    lease.onLost(reason -> stopped[0] = true);
                    stopped[1] = !lease.isHeld();
                },
                (lease, reason) -> {});
        elector.start();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(5);
        assertThat(stopped).containsExactly(true, true);
    }

    @Test
    void K059_delayedStartThatIsOvertakenByTheLossNeverRuns() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.startDelay(seconds(4)).retryInterval(seconds(30)));
        leader(a, work);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(20);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
        assertThat(work.runs()).isZero();
    }

    @Test
    void startDelayDelaysTheWorkOnly() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.startDelay(seconds(4)));
        LeaderElector elector = leader(a, work);
        assertThat(recorder().times("a", Recorded.Kind.ON_ELECTED)).isEqualTo(allSeconds(0));
        advanceTo(3.99);
        assertThat(work.runs()).isZero();
        advanceTo(4);
        assertThat(work.runs()).isEqualTo(1);
        assertThat(elector.term()).isEqualTo(1);
    }

    @Test
    void startDelayCutByAStopRunsNothing() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a", options -> options.startDelay(seconds(4)));
        LeaderElector elector = leader(a, work);
        advanceTo(1);
        elector.stop();
        advanceTo(30);
        assertThat(work.runs()).isZero();
        assertThat(releases("a")).isEqualTo(allSeconds(1));
    }

    @Test
    void K061_lateEventsOfAnOlderTermDoNotTouchTheNewer() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> seen = new ArrayList<>();
        elector.onChange(
                lease -> {
                    seen.add("elected " + lease.term() + " "
                            + lease.fencingToken().value());
                    take(seconds(2));
                },
                (lease, reason) -> seen.add(
                        "lost " + lease.term() + " " + lease.fencingToken().value()));
        elector.start();
        world.settle();
        elector.resign();
        advanceTo(2);
        assertThat(elector.isLeader()).isFalse(); // waits for its listener
        advanceTo(3.5);
        assertThat(elector.isLeader()).isTrue();
        Lease second = leaseOf(elector);
        assertThat(second.term()).isEqualTo(2);
        advanceTo(10);
        assertThat(seen).hasSize(3);
        assertThat(seen.get(1)).startsWith("lost 1").endsWith(seen.get(0).substring("elected 1 ".length()));
        assertThat(seen.get(2)).isEqualTo("elected 2 " + second.fencingToken().value());
    }

    @Test
    void B65_runningTermIsToldToALateRegistration() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(5);
        List<String> told = new ArrayList<>();
        elector.onChange(lease -> told.add("elected"), (lease, reason) -> told.add("lost"));
        world.settle();
        assertThat(told).containsExactly("elected");
        elector.stop();
        world.settle();
        assertThat(told).containsExactly("elected", "lost");
    }

    @Test
    void termThatIsOverIsNotToldToALateRegistration() {
        ScriptedWork work = new ScriptedWork();
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a, work);
        elector.stop();
        world.settle();
        List<String> told = new ArrayList<>();
        elector.onChange(lease -> told.add("elected"), (lease, reason) -> told.add("lost"));
        work.finish();
        advanceTo(5);
        assertThat(told).isEmpty();
    }

    @Test
    void registrationRacingTheEndOfATermIsToldBothHalvesOrNone() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        List<String> told = new ArrayList<>();
        a.holdCallbacks();
        elector.onChange(lease -> told.add("elected"), (lease, reason) -> told.add("lost"));
        world.settle();
        elector.stop();
        world.settle();
        a.releaseCallbacks();
        advanceTo(5);
        assertThat(told).isIn(List.of(), List.of("elected", "lost"));
    }

    @Test
    void B65_identicalRegistrationsAreTwo() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> told = new ArrayList<>();
        java.util.function.Consumer<Lease> elected = lease -> told.add("elected");
        java.util.function.BiConsumer<Lease, LossReason> lost = (lease, reason) -> told.add("lost");
        Registration first = elector.onChange(elected, lost);
        elector.onChange(elected, lost);
        elector.start();
        world.settle();
        assertThat(told).containsExactly("elected", "elected");
        first.remove();
        first.remove();
        world.settle();
        elector.stop();
        world.settle();
        assertThat(told).containsExactly("elected", "elected", "lost");
    }

    @Test
    void removedRegistrationIsCalledNoMore() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> told = new ArrayList<>();
        Registration removed = elector.onChange(lease -> told.add("elected"), (lease, reason) -> told.add("lost"));
        a.holdCallbacks();
        elector.start();
        world.settle();
        removed.remove();
        a.releaseCallbacks();
        advanceTo(3);
        assertThat(told).isEmpty();
    }

    @Test
    void removingOneselfWithinACallbackIsFine() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> told = new ArrayList<>();
        Registration[] own = new Registration[1];
        own[0] = elector.onChange(
                lease -> {
                    told.add("elected");
                    own[0].remove();
                },
                (lease, reason) -> told.add("lost"));
        elector.start();
        advanceTo(1);
        elector.resign();
        advanceTo(10);
        assertThat(told).containsExactly("elected");
        assertThat(elector.term()).isEqualTo(2);
    }

    @Test
    void registeringWithinACallbackIsToldOfTheTerm() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> told = new ArrayList<>();
        elector.onChange(
                lease -> elector.onChange(inner -> told.add("inner"), (inner, reason) -> told.add("inner lost")),
                (lease, reason) -> {});
        elector.start();
        world.settle();
        assertThat(told).containsExactly("inner");
    }

    @Test
    void B38_listenerThatThrowsDoesNotKeepOthersFromBeingTold() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<String> told = new ArrayList<>();
        elector.onChange(lease -> {}, (lease, reason) -> {
            throw new IllegalStateException("first");
        });
        elector.onChange(lease -> {}, (lease, reason) -> told.add("second"));
        elector.start();
        advanceTo(1);
        assertThat(now(elector.stop())).isEqualTo(dev.tenure.ReleaseOutcome.RELEASED);
        assertThat(told).containsExactly("second");
    }

    @Test
    void slowListenerDoesNotDelayAnother() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        List<Duration> told = new ArrayList<>();
        elector.onChange(lease -> {}, (lease, reason) -> take(seconds(5)));
        elector.onChange(lease -> {}, (lease, reason) -> told.add(world.elapsed()));
        elector.start();
        advanceTo(1);
        elector.stop();
        advanceTo(2);
        assertThat(told).isEqualTo(allSeconds(1));
    }

    @Test
    void stopFromWithinACallbackEndsTheTerm() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(lease -> elector.stop(), (lease, reason) -> {});
        elector.start();
        advanceTo(1);
        assertThat(elector.isLeader()).isFalse();
        assertThat(store().record(KEY)).isEmpty();
        assertThat(reasons("a")).containsExactly("STOPPED");
    }

    @Test
    void B13_B34_candidateThatStopsOrResignsIsToldNothing() {
        leader(process("b"));
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(1);
        assertThat(now(elector.resign())).isEqualTo(dev.tenure.ReleaseOutcome.NOT_HOLDER);
        advanceTo(2);
        elector.stop();
        advanceTo(5);
        assertThat(recorder().events("a", Recorded.Kind.LOST)).isEmpty();
        assertThat(recorder().events("a", Recorded.Kind.ON_LOST)).isEmpty();
        assertThat(recorder().events("a", Recorded.Kind.STOPPED)).hasSize(1);
    }
}
