package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.NoLeaderException;
import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.StoreRule;
import dev.tenure.test.virtual.VirtualTenure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Who follows without standing.
 */
class WatchTest extends EngineTest {

    private static String nameOf(LeaderWatch watch) {
        return watch.leader().map(Leader::name).orElse("nobody");
    }

    @Test
    void readsAtOnceAndOnEveryChange() {
        VirtualTenure a = processWith("a", setup -> setup.metadata("url", "http://a/"));
        LeaderElector first = leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        world.settle();
        assertThat(watch.requireLeader().metadata("url")).contains("http://a/");
        assertThat(watch.requireLeader().fencingToken()).contains(leaseOf(first).fencingToken());
        VirtualTenure b = process("b");
        b.stand(ROLE);
        advanceTo(5);
        first.stop();
        advanceTo(5.1);
        assertThat(nameOf(watch)).isIn("b", "nobody");
        advanceTo(15);
        assertThat(nameOf(watch)).isEqualTo("b");
        watch.close();
    }

    @Test
    void listenersAreToldThePresentLeaderThenEveryOther() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        List<String> told = new ArrayList<>();
        watch.onChange(leader -> told.add(leader.map(Leader::name).orElse("nobody")));
        world.settle();
        assertThat(told).containsExactly("a");
        advanceTo(20); // renewals are no change
        assertThat(told).containsExactly("a");
        first.stop();
        advanceTo(20.1);
        assertThat(told).containsExactly("a", "nobody");
        VirtualTenure b = process("b");
        b.stand(ROLE);
        advanceTo(40);
        assertThat(told).containsExactly("a", "nobody", "b");
        watch.close();
    }

    @Test
    void newTermOfTheSameLeaderIsAChange() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        List<Long> tokens = new ArrayList<>();
        watch.onChange(leader -> leader.ifPresent(
                present -> tokens.add(present.fencingToken().orElseThrow().value())));
        world.settle();
        first.resign();
        advanceTo(20);
        assertThat(tokens).hasSize(2);
        assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
        watch.close();
    }

    @Test
    void nextLeaderIsSeenSoonThoughTheStoreWakesNobodyThen() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        LeaderWatch watch = process("c").tenure().watch(ROLE);
        process("b").stand(ROLE);
        advanceTo(1);
        StoreRule late = store().on(Kind.ACQUIRE).once().hold();
        first.stop();
        advanceTo(1.1);
        assertThat(nameOf(watch)).isEqualTo("nobody");
        late.call().answer();
        advanceTo(1.5);
        assertThat(nameOf(watch)).isEqualTo("b");
        watch.close();
    }

    @Test
    void whileNobodyLeadsItLooksEveryRetryInterval() {
        LeaderWatch watch = process("c").tenure().watch(ROLE);
        advanceTo(4);
        assertThat(store().times(Kind.READ, "c")).isEqualTo(allSeconds(0, 0.05, 0.15, 0.35, 0.75, 1.55, 2.55, 3.55));
        advanceTo(600);
        assertThat(store().calls(Kind.READ, "c")).hasSizeLessThan(610);
        watch.close();
    }

    @Test
    void emptyWhileNobodyLeadsOrNothingWasRead() {
        store().on(Kind.READ).once().hold();
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        world.settle();
        assertThat(watch.leader()).isEmpty();
        assertThatThrownBy(watch::requireLeader)
                .isInstanceOf(NoLeaderException.class)
                .hasMessageContaining(ROLE);
        advanceTo(10);
        assertThat(watch.leader()).isEmpty();
        watch.close();
    }

    @Test
    void recordOfADeadLeaderRunsOut() {
        VirtualTenure a = process("a");
        leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        List<String> told = new ArrayList<>();
        watch.onChange(leader -> told.add(leader.map(Leader::name).orElse("nobody")));
        advanceTo(2);
        a.crash();
        advanceTo(10.1);
        assertThat(nameOf(watch)).isEqualTo("nobody");
        assertThat(told).containsExactly("a", "nobody");
        watch.close();
    }

    @Test
    void whatIsKnownLastsToItsEndWhileTheStoreIsDown() {
        VirtualTenure a = process("a");
        leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        List<String> told = new ArrayList<>();
        watch.onChange(leader -> told.add(leader.map(Leader::name).orElse("nobody")));
        world.settle();
        store().cut("c");
        advanceTo(9.9);
        assertThat(nameOf(watch)).isEqualTo("a");
        advanceTo(14);
        assertThat(nameOf(watch)).isEqualTo("nobody");
        assertThat(told).containsExactly("a", "nobody");
        assertThat(log.told(CoreEvent.STORE_UNAVAILABLE)).hasSize(1);
        store().heal();
        advanceTo(20);
        assertThat(nameOf(watch)).isEqualTo("a");
        assertThat(log.told(CoreEvent.STORE_RECOVERED)).hasSize(1);
        watch.close();
    }

    @Test
    void readThatHangsIsAskedAgainAndItsLateAnswerIsNothing() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        StoreRule held = store().on(Kind.READ).once().holdAnswer();
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        advanceTo(3.5);
        assertThat(store().times(Kind.READ, "c")).startsWith(seconds(0), seconds(3.4));
        first.stop();
        advanceTo(4);
        assertThat(nameOf(watch)).isEqualTo("nobody");
        held.call().answer();
        world.settle();
        assertThat(nameOf(watch)).isEqualTo("nobody");
        watch.close();
    }

    @Test
    void storeThatThrowsIsReadAgain() {
        store().on(Kind.READ).once().throwing(() -> new IllegalStateException("odd"));
        VirtualTenure a = process("a");
        leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        advanceTo(1.1);
        assertThat(nameOf(watch)).isEqualTo("a");
        watch.close();
    }

    @Test
    void wakeUpDuringAReadReadsAgain() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        StoreRule held = store().on(Kind.READ).once().holdAnswer();
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        world.settle();
        first.stop();
        world.settle();
        held.call().answer();
        world.settle();
        assertThat(nameOf(watch)).isEqualTo("nobody");
        watch.close();
    }

    @Test
    void withoutPushItPolls() {
        pollingStore();
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        advanceTo(3.5);
        assertThat(store().times(Kind.READ, "c")).isEqualTo(allSeconds(0, 1, 2, 3));
        first.stop();
        advanceTo(4);
        assertThat(nameOf(watch)).isEqualTo("nobody");
        watch.close();
    }

    @Test
    void closedWatchReadsNoMoreAndTellsNothing() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        List<String> told = new ArrayList<>();
        watch.onChange(leader -> told.add(leader.map(Leader::name).orElse("nobody")));
        world.settle();
        watch.close();
        watch.close();
        int reads = store().calls(Kind.READ).size();
        first.stop();
        advanceTo(30);
        assertThat(store().calls(Kind.READ)).hasSize(reads);
        assertThat(told).containsExactly("a");
        assertThat(store().watches("c")).isZero();
    }

    @Test
    void closingTheTenureClosesItsWatches() {
        VirtualTenure c = process("c");
        c.tenure().watch(ROLE);
        world.settle();
        c.close();
        assertThat(store().watches("c")).isZero();
    }

    @Test
    void listenersThatThrowOrHangOrAreRemovedDelayNobody() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        List<String> told = new ArrayList<>();
        watch.onChange(leader -> {
            throw new IllegalStateException("listener");
        });
        watch.onChange(leader -> take(seconds(1000)));
        Registration removed = watch.onChange(leader -> told.add("removed"));
        removed.remove();
        watch.onChange(leader -> told.add(leader.map(Leader::name).orElse("nobody")));
        world.settle();
        first.stop();
        advanceTo(1);
        assertThat(told).containsExactly("a", "nobody");
        watch.close();
    }

    @Test
    void watchStandsForNothing() {
        VirtualTenure c = process("c");
        LeaderWatch watch = c.tenure().watch(ROLE);
        advanceTo(60);
        assertThat(store().calls(Kind.ACQUIRE)).isEmpty();
        assertThat(store().record(KEY)).isEmpty();
        watch.close();
    }

    // what a candidate knows

    @Test
    void R005_candidateKnowsWhoLeads() {
        VirtualTenure a = processWith("a", setup -> setup.metadata("zone", "north"));
        LeaderElector first = leader(a);
        VirtualTenure b = process("b");
        LeaderElector second = b.stand(ROLE);
        advanceTo(1);
        assertThat(second.leader().orElseThrow().name()).isEqualTo("a");
        assertThat(second.leader().orElseThrow().metadata("zone")).contains("north");
        assertThat(first.leader().orElseThrow().name()).isEqualTo("a");
        a.crash();
        advanceTo(9.99);
        assertThat(second.leader()).isPresent();
        advanceTo(11);
        assertThat(second.leader().orElseThrow().name()).isEqualTo("b");
    }
}
