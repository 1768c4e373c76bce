package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.ScriptedWork;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rule 9: nothing but stop and close ends an election. Rule 10: an unreachable store makes nobody leader.
 */
class Rule9And10SurvivalTest extends EngineTest {

    @Test
    void R058_unreachableStoreMakesNobodyLeaderAndThenExactlyOne() {
        store().down();
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector first = a.stand(ROLE);
        LeaderElector second = b.stand(ROLE);
        advanceTo(60);
        assertThat(first.isLeader()).isFalse();
        assertThat(second.isLeader()).isFalse();
        assertThat(first.term() + second.term()).isZero();
        store().heal();
        advanceTo(62);
        assertThat(first.isLeader() ^ second.isLeader()).isTrue();
    }

    @Test
    void R063_unexpectedExceptionsOfTheStoreAreSurvived() {
        store().on(Kind.ACQUIRE).once().throwing(() -> new IllegalStateException("first"));
        store().on(Kind.ACQUIRE).once().throwingError(() -> new LinkageError("second"));
        store().on(Kind.ACQUIRE).once().fail(() -> new OutOfMemoryError("third"));
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(3);
        assertThat(acquisitions("a")).isEqualTo(allSeconds(0, 1, 2, 3));
        assertThat(elector.isLeader()).isTrue();
    }

    @Test
    void R059_K169_outageIsLoggedOncePerOutage() {
        VirtualTenure a = process("a");
        leader(a);
        advanceTo(1);
        store().down();
        advanceTo(15);
        assertThat(log.lines("WARN", "gives no answer")).hasSize(1);
        store().heal();
        advanceTo(20);
        assertThat(log.lines("INFO", "answers again")).hasSize(1);
        store().down();
        advanceTo(25);
        assertThat(log.lines("WARN", "gives no answer")).hasSize(2);
    }

    @Test
    void K169_longOutageIsRememberedEveryHalfMinute() {
        store().down();
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector elector = a.stand(ROLE);
        a.stand("other");
        b.stand(ROLE);
        world.advance(Duration.ofMinutes(10));
        assertThat(log.lines("WARN").size()).isLessThanOrEqualTo(2 * 21);
        assertThat(log.lines("ERROR")).isEmpty();
        assertThat(log.lines("WARN", "elections=2").size()).isBetween(18, 20);
        assertThat(log.told(CoreEvent.STORE_STILL_FAILING)).isNotEmpty();
        assertThat(elector.health().status()).isEqualTo(Status.UNREACHABLE);
        assertThat(elector.health().lastError()).containsInstanceOf(StoreUnavailableException.class);
        store().heal();
        world.advance(seconds(3));
        assertThat(log.lines("INFO", "answers again")).hasSize(2);
        assertThat(log.told(CoreEvent.STORE_RECOVERED)).hasSize(2);
    }

    @Test
    void K153_contentionIsNoWarning() {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector first = a.stand(ROLE);
        LeaderElector second = b.stand(ROLE);
        world.settle();
        for (int i = 0; i < 1_000; i++) {
            (first.isLeader() ? first : second).resign();
            world.advance(seconds(2));
        }
        assertThat(first.term() + second.term()).isEqualTo(1_001);
        assertThat(log.lines("WARN")).isEmpty();
        assertThat(log.lines("ERROR")).isEmpty();
        assertThat(log.lines("INFO", "elected:")).hasSize(1_001);
        assertThat(log.lines("INFO", "leadership ended:")).hasSize(1_000);
    }

    @Test
    void K093_outageOfAnyLengthIsFollowedByALeader() {
        for (int minutes : List.of(1, 10, 30)) {
            VirtualTenure a = process("a" + minutes);
            VirtualTenure b = process("b" + minutes);
            LeaderElector first = a.stand("r" + minutes);
            LeaderElector second = b.stand("r" + minutes);
            world.advance(seconds(5));
            store().onAll().hold();
            world.advance(Duration.ofMinutes(minutes));
            assertThat(first.isLeader() || second.isLeader()).isFalse();
            store().heal();
            world.advance(seconds(5));
            assertThat(first.isLeader() ^ second.isLeader()).isTrue();
        }
    }

    @Test
    void K094_everyInstanceStandsAgainAfterEveryLoss() {
        List<VirtualTenure> all = List.of(process("a"), process("b"), process("c"));
        List<LeaderElector> electors =
                all.stream().map(each -> each.stand(ROLE)).toList();
        for (int round = 0; round < 3; round++) {
            world.advance(seconds(5));
            int leader = leading(electors);
            store().cut(all.get(leader).name());
            world.advance(seconds(20));
            store().heal();
            world.advance(seconds(5));
        }
        assertThat(electors.stream().filter(LeaderElector::isLeader)).hasSize(1);
        assertThat(electors).allMatch(elector -> elector.health().isHealthy());
    }

    private static int leading(List<LeaderElector> electors) {
        for (int i = 0; i < electors.size(); i++) {
            if (electors.get(i).isLeader()) {
                return i;
            }
        }
        throw new AssertionError("nobody leads");
    }

    @Test
    void K005_B10_flappingLinksNeverShowTwoLeaders() {
        List<VirtualTenure> all = new java.util.ArrayList<>();
        List<LeaderElector> electors = new java.util.ArrayList<>();
        for (int i = 0; i < 12; i++) {
            VirtualTenure each = process("n" + i);
            all.add(each);
            electors.add(each.stand(ROLE));
        }
        java.util.Set<String> off = new java.util.HashSet<>();
        for (int i = 0; i < 12; i++) {
            flap(all.get(i).name(), off, i * 1.3);
        }
        for (int sample = 0; sample < 300 * 4; sample++) {
            world.advance(Duration.ofMillis(250));
            assertThat(electors.stream().filter(LeaderElector::isLeader).count())
                    .isLessThanOrEqualTo(1);
        }
        off.add("stop");
        world.advance(seconds(17));
        store().heal();
        world.advance(seconds(30));
        assertThat(electors.stream().filter(LeaderElector::isLeader)).hasSize(1);
    }

    private void flap(String name, java.util.Set<String> off, double first) {
        world.after(seconds(first), () -> {
            if (off.contains("stop")) {
                return;
            }
            if (off.remove(name)) {
                store().heal();
                off.forEach(store()::cut);
                flap(name, off, 4);
            } else {
                off.add(name);
                store().cut(name);
                flap(name, off, 12);
            }
        });
    }

    @Test
    void K095_termAfterAnOutageIsRenewedLikeAnyOther() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        store().cut("a");
        advanceTo(20);
        store().heal();
        advanceTo(24);
        assertThat(elector.term()).isEqualTo(2);
        int before = renewals("a").size();
        advanceTo(64);
        assertThat(renewals("a").size() - before).isBetween(13, 14);
        assertThat(reasons("a")).hasSize(1);
    }

    @Test
    void K121_K170_refusedClientIsShownAtOnceAndRetriedSlowly() {
        store().onAll().fail(() -> new StoreRejectedException("no permission for session:write", null));
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        world.settle();
        assertThat(elector.health().status()).isEqualTo(Status.MISCONFIGURED);
        assertThat(elector.health().detail()).contains("session:write");
        world.advance(Duration.ofMinutes(10));
        assertThat(acquisitions("a").size()).isLessThan(26);
        assertThat(elector.health().status()).isEqualTo(Status.MISCONFIGURED);
        assertThat(log.lines("WARN").size()).isBetween(2, 11);
        store().heal();
        world.advance(seconds(30));
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.health().status()).isEqualTo(Status.LEADING);
    }

    @Test
    void refusedClientThatLeadsRetriesUntilItsDeadline() {
        VirtualTenure a = process("a");
        leader(a);
        store().on(Kind.RENEW).fail(() -> new StoreRejectedException("password expired", null));
        advanceTo(9);
        assertThat(lostAt("a")).isEqualTo(allSeconds(9));
        assertThat(renewals("a").size()).isBetween(5, 12);
    }

    @Test
    void K170_failedAndContendedAttemptsAreTwoOutcomes() {
        VirtualTenure b = process("b");
        leader(b);
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        advanceTo(1);
        assertThat(elector.health().status()).isEqualTo(Status.FOLLOWING);
        store().onAll().from("a").fail(EngineTest::outage);
        advanceTo(12);
        assertThat(elector.health().status()).isEqualTo(Status.UNREACHABLE);
        assertThat(recorder().events("a", Recorded.Kind.ACQUIRE_FINISHED).stream()
                        .map(Recorded::detail)
                        .distinct())
                .containsExactly("REFUSED", "FAILED");
    }

    @Test
    void listenersMonitorsAndWorkThatThrowEndNothing() {
        VirtualTenure a = processWith("a", setup -> setup.monitor(new Thrower()));
        ScriptedWork work = new ScriptedWork();
        LeaderElector elector = a.tenure().elector(ROLE, work);
        elector.onChange(lease -> {}, (lease, reason) -> {
            throw new AssertionError("lost listener");
        });
        elector.start();
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(11);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(recorder().events("a", Recorded.Kind.FAULT)).hasSize(1);
        assertThat(log.text()).contains("a monitor threw").contains("lost listener");
        assertThat(log.told(CoreEvent.MONITOR_FAILED)).isNotEmpty();
    }

    private static final class Thrower implements ElectionMonitor {
        @Override
        public void elected(dev.tenure.Lease lease) {
            throw new NoClassDefFoundError("monitor");
        }

        @Override
        public void renewFinished(dev.tenure.Lease lease, Outcome outcome, Duration took, Duration slack) {
            throw new IllegalStateException("monitor");
        }
    }

    @Test
    void oneRolesTroubleIsNotAnothers() {
        VirtualTenure a = process("a");
        LeaderElector good = a.stand("good");
        LeaderElector bad = a.stand("bad");
        store().on(Kind.RENEW).key("leader:bad").fail(EngineTest::outage);
        store().on(Kind.ACQUIRE).key("leader:bad").skipping(0).hold();
        advanceTo(60);
        assertThat(good.isLeader()).isTrue();
        assertThat(good.term()).isEqualTo(1);
        assertThat(bad.isLeader()).isFalse();
    }

    @Test
    void storeWhoseWatchThrowsIsPolled() {
        store().failWatching();
        VirtualTenure b = process("b");
        LeaderElector first = leader(b);
        VirtualTenure a = process("a");
        LeaderElector second = a.stand(ROLE);
        advanceTo(1);
        first.stop();
        advanceTo(11);
        assertThat(second.isLeader()).isTrue();
        assertThat(log.lines("WARN", "it is polled")).hasSize(2);
        assertThat(log.told(CoreEvent.WATCHING_FAILED)).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Stand", "Tick", "Acquired", "Renewed", "Woken", "End", "Released", "UserCodeEnded"})
    void R063_rulesThatThrowAreSurvived(String event) {
        VirtualTenure a = process("a");
        a.failAt(event, 2);
        LeaderElector elector = a.stand(ROLE);
        advanceTo(4);
        if (event.equals("Stand")) {
            a.failAt("none", 0);
            elector.stop();
            elector.start();
        }
        store().wake(KEY);
        advanceTo(5);
        elector.resign();
        advanceTo(30);
        elector.resign();
        advanceTo(60);
        assertThat(elector.isLeader()).isTrue();
        assertThat(log.text()).contains("the rules fail by script");
        assertThat(log.told(CoreEvent.ELECTION_FAULTED)).isNotEmpty();
    }

    @Test
    void B15_storeThatCannotBeClosedIsLogged() {
        store().failClosing();
        VirtualTenure a = process("a");
        leader(a);
        a.close();
        assertThat(store().record(KEY)).isEmpty();
        assertThat(log.lines("WARN", "closing the store failed")).hasSize(1);
        assertThat(log.told(CoreEvent.STORE_CLOSE_FAILED)).hasSize(1);
    }

    @Test
    void nullAnswersOfAStoreAreSurvived() {
        store().on(Kind.RENEW).once().does(call -> call.fail(null));
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        advanceTo(20);
        assertThat(elector.isLeader()).isTrue();
        assertThat(elector.term()).isEqualTo(1);
    }
}
