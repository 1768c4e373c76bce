package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import org.junit.jupiter.api.Test;

/**
 * What is logged with which level; the beginnings of the lines are what people search for.
 */
class LogLinesTest extends EngineTest {

    @Test
    void B46_eventsHaveTheirLevelAndTheirWords() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(lease -> {}, (lease, reason) -> {
            throw new IllegalStateException("listener");
        });
        elector.start();
        world.settle();
        leaseOf(elector).onLost(reason -> {
            throw new IllegalStateException("callback");
        });
        assertThat(log.lines("INFO", "elected: billing")).hasSize(1);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(log.lines("WARN", "leadership lost: billing").get(0)).contains("TAKEN_OVER");
        assertThat(log.lines("WARN", "fault survived: role=billing where=lost listener"))
                .hasSize(1);
        assertThat(log.lines("WARN", "threw")).hasSize(1);
        store().on(Kind.ACQUIRE).times(3).fail(EngineTest::outage);
        advanceTo(20);
        assertThat(elector.isLeader()).isTrue();
        assertThat(log.lines("WARN", "store gives no answer: scripted role=billing"))
                .hasSize(1);
        assertThat(log.lines("INFO", "store answers again: scripted")).hasSize(1);
        elector.resign();
        advanceTo(22);
        assertThat(log.lines("INFO", "leadership ended: billing").get(0)).contains("RESIGNED");
        assertThat(log.lines("INFO", "released: billing")).hasSize(1);
        a.failAt("Woken", 1);
        store().wake(KEY);
        advanceTo(23);
        assertThat(log.lines("WARN", "where=rules of the election")).hasSize(1);
        elector.stop();
        advanceTo(24);
        assertThat(log.lines("INFO", "leadership ended: billing").get(1)).contains("STOPPED");
        assertThat(log.lines("ERROR")).isEmpty();
    }
}
