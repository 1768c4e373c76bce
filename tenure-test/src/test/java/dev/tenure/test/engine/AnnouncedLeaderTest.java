package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions.WhenUncoordinated;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Calls that are meant for one very leader.
 */
class AnnouncedLeaderTest extends EngineTest {

    private static String headerFor(Leader leader) {
        return leader.fencingToken().orElseThrow().toHeader();
    }

    @Test
    void aCallMeantForThisTermGetsItsLease() {
        LeaderElector elector = leader(process("a"));
        String header = headerFor(elector.leader().orElseThrow());
        assertThat(elector.leaseFor(header).map(Lease::fencingToken))
                .contains(leaseOf(elector).fencingToken());
        assertThat(elector.leaseFor(" " + header + " ")).isPresent();
    }

    @Test
    void aCallMeantForAnotherTermGetsNoneWhetherEarlierOrLater() {
        VirtualTenure a = process("a");
        LeaderElector first = leader(a);
        String header = headerFor(first.leader().orElseThrow());
        LeaderElector second = process("b").stand(ROLE);
        first.resign();
        advanceTo(5);
        assertThat(second.isLeader()).isTrue();
        assertThat(second.leaseFor(header)).isEmpty();
        assertThat(first.leaseFor(header)).isEmpty();
        assertThat(first.leaseFor(headerFor(second.leader().orElseThrow()))).isEmpty();
        long own = leaseOf(second).fencingToken().value();
        assertThat(second.leaseFor(ROLE + "=" + (own - 1))).isEmpty();
        assertThat(second.leaseFor(ROLE + "=" + (own + 1))).isEmpty();
        assertThat(second.leaseFor(ROLE + "=" + own)).isPresent();
    }

    @Test
    void aCallAfterTheDeadlineGetsNone() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        String header = headerFor(elector.leader().orElseThrow());
        a.pause();
        advanceTo(9);
        assertThat(elector.leaseFor(header)).isEmpty();
        a.resume();
    }

    @Test
    void whatIsNoHeaderIsNoMatchAndNoException() {
        LeaderElector elector = leader(process("a"));
        String value = String.valueOf(leaseOf(elector).fencingToken().value());
        assertThat(elector.leaseFor(null)).isEmpty();
        for (String odd : List.of(
                "",
                " ",
                "=",
                "billing",
                "billing=",
                "=" + value,
                value,
                "billing=x",
                "billing=-1",
                "billing=0",
                "%=1",
                "%zz=" + value,
                "billing=" + value + "0",
                "billing=+" + value,
                "billing=0" + value,
                "other=" + value,
                "Billing=" + value,
                "billing=99999999999999999999999",
                "billing=" + value + ",billing=" + value)) {
            assertThat(elector.leaseFor(odd)).as(odd).isEmpty();
        }
    }

    @Test
    void rolesOfAnyCharactersComeThrough() {
        LeaderElector elector = process("a").stand("bill\u00fcng/a=b,c%20");
        world.settle();
        String header = headerFor(elector.leader().orElseThrow());
        assertThat(header).matches("[\\x21-\\x7e]+");
        assertThat(elector.leaseFor(header)).isPresent();
    }

    @Test
    void withoutCoordinationNoCallIsMeantForAnybody() {
        world = VirtualWorld.builder()
                .traits(StoreTraits.builder("nothing", StoreTraits.Scope.NONE).build())
                .build();
        LeaderElector elector = leader(process("a", o -> o.whenUncoordinated(WhenUncoordinated.LEAD)));
        assertThat(elector.leader().orElseThrow().fencingToken()).isEmpty();
        assertThat(elector.leaseFor("billing=1")).isEmpty();
    }
}
