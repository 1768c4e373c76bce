package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Renewals that are due together go out in one call, and a bad one costs the others nothing.
 */
class BatchingTest extends EngineTest {

    private List<LeaderElector> leaders(VirtualTenure process, int count, Duration apart) {
        List<LeaderElector> electors = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            electors.add(process.stand("role-" + i));
            world.advance(apart);
        }
        return electors;
    }

    private long batches() {
        return store().calls(Kind.RENEW).stream()
                .map(StoreCall::batch)
                .distinct()
                .count();
    }

    @Test
    void renewalsDueWithinTheWindowGoOutInOneCall() {
        VirtualTenure a = process("a");
        leaders(a, 20, Duration.ofMillis(2)); // within 40 ms
        advanceTo(3.2);
        assertThat(store().calls(Kind.RENEW)).hasSize(20);
        assertThat(batches()).isEqualTo(1);
        assertThat(renewals("a").stream().distinct()).containsExactly(seconds(3));
        advanceTo(30);
        assertThat(batches()).isEqualTo(10);
    }

    @Test
    void renewalsFurtherApartStayApart() {
        VirtualTenure a = process("a");
        leaders(a, 3, Duration.ofMillis(60));
        advanceTo(3.5);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 3.06, 3.12));
    }

    @Test
    void windowIsATwentiethOfAShortRenewalInterval() {
        VirtualTenure a = process(
                "a",
                options -> options.lease(seconds(1))
                        .renewInterval(seconds(0.2))
                        .safetyMargin(seconds(0.1))
                        .retryInterval(seconds(0.1)));
        leaders(a, 2, Duration.ofMillis(11));
        advanceTo(0.25);
        assertThat(renewals("a")).isEqualTo(allSeconds(0.2, 0.211));
    }

    @Test
    void badClaimCostsTheOthersNothing() {
        VirtualTenure a = process("a");
        List<LeaderElector> electors = leaders(a, 16, Duration.ZERO);
        world.settle();
        store().failBatches(batch -> batch.stream().anyMatch(call -> call.key().equals("leader:role-5")));
        advanceTo(3.1);
        long answered = store().calls(Kind.RENEW).stream()
                .filter(call -> call.result().isPresent())
                .map(StoreCall::key)
                .distinct()
                .count();
        assertThat(answered).isEqualTo(15);
        assertThat(batches()).isEqualTo(1 + 2 + 2 + 2 + 2);
        advanceTo(60);
        for (int i = 0; i < 16; i++) {
            if (i != 5) {
                assertThat(electors.get(i).term()).as("role-" + i).isEqualTo(1);
                assertThat(electors.get(i).isLeader()).isTrue();
            }
        }
        assertThat(reasons("a")).allMatch("DEADLINE_EXCEEDED"::equals);
        assertThat(electors.get(5).term()).isGreaterThan(1);
    }

    @Test
    void storeThatIsDownIsNotFloodedWithHalves() {
        VirtualTenure a = process("a");
        leaders(a, 64, Duration.ZERO);
        world.settle();
        store().failBatches(batch -> true);
        advanceTo(3.1);
        assertThat(batches()).isLessThanOrEqualTo(15);
        advanceTo(9);
        assertThat(lostAt("a")).hasSize(64);
    }

    @Test
    void halvesKeepTheSendTimeOfTheirDecision() {
        VirtualTenure a = process("a");
        List<LeaderElector> electors = leaders(a, 2, Duration.ZERO);
        world.settle();
        store().failBatches(batch -> batch.size() == 2);
        advanceTo(4);
        assertThat(leaseOf(electors.get(0)).remaining()).isEqualTo(seconds(8));
        assertThat(leaseOf(electors.get(1)).remaining()).isEqualTo(seconds(8));
    }

    @Test
    void hungClaimOfABatchDoesNotHoldTheOthersUp() {
        VirtualTenure a = process("a");
        List<LeaderElector> electors = leaders(a, 5, Duration.ZERO);
        world.settle();
        store().on(Kind.RENEW).key("leader:role-2").hold();
        store().on(Kind.ACQUIRE).key("leader:role-2").hold();
        advanceTo(100);
        for (int i = 0; i < 5; i++) {
            assertThat(electors.get(i).isLeader()).isEqualTo(i != 2);
        }
    }

    @Test
    void refusedClaimOfABatchEndsOneTermOnly() {
        VirtualTenure a = process("a");
        leaders(a, 5, Duration.ZERO);
        world.settle();
        store().on(Kind.RENEW).key("leader:role-2").once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(reasons("a")).containsExactly("TAKEN_OVER");
    }

    @Test
    void answersOfABatchThatComeTwiceAreSurvived() {
        VirtualTenure a = process("a");
        List<LeaderElector> electors = leaders(a, 4, Duration.ZERO);
        world.settle();
        var held = store().on(Kind.RENEW).times(4).holdAnswer();
        advanceTo(3);
        held.calls().forEach(StoreCall::answer);
        held.calls().forEach(StoreCall::answer);
        world.settle();
        held.calls().forEach(call -> call.fail(outage()));
        advanceTo(60);
        assertThat(electors).allMatch(elector -> elector.term() == 1 && elector.isLeader());
    }

    @Test
    void anElectionThatIsDueSoonJoinsABatch() {
        VirtualTenure a = process("a");
        a.stand("early");
        world.advance(Duration.ofMillis(49));
        a.stand("late");
        advanceTo(3);
        assertThat(renewals("a")).isEqualTo(allSeconds(3, 3));
        assertThat(batches()).isEqualTo(1);
    }
}
