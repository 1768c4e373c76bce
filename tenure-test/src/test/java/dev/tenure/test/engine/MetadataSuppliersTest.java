package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.test.virtual.Recorded;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * Metadata that is supplied: how long it is waited for, and what is told of a supplier that does not do its part.
 */
class MetadataSuppliersTest extends EngineTest {
    private static final String ASKED_AGAIN = "It is asked again when it has returned";

    private final AtomicInteger asked = new AtomicInteger();

    private Map<String, String> announced() {
        return announced(KEY);
    }

    private Map<String, String> announced(String key) {
        return store().record(key).orElseThrow().holder().metadata();
    }

    /**
     * @param took how long each call takes, counted from 1
     */
    private Supplier<Map<String, String>> url(IntFunction<Duration> took) {
        return () -> {
            int call = asked.incrementAndGet();
            take(took.apply(call));
            return Map.of("url", "http://a/" + call);
        };
    }

    private List<Recorded> faults() {
        return recorder().events("a", Recorded.Kind.FAULT);
    }

    private List<String> lines() {
        return log.lines("WARN", "where=metadata supplier");
    }

    @Test
    void theFirstAnswerIsWaitedForLonger() {
        VirtualTenure a = processWith("a", setup -> setup.metadata(url(call -> Duration.ofMillis(500))));
        LeaderElector elector = a.stand(ROLE);
        advanceTo(0.4);
        assertThat(elector.isLeader()).isFalse();
        advanceTo(0.5);
        assertThat(elector.isLeader()).isTrue();
        assertThat(announced()).isEqualTo(Map.of("url", "http://a/1"));
        assertThat(faults()).isEmpty();
        elector.resign();
        advanceTo(1.7);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(announced()).isEqualTo(Map.of("url", "http://a/1"));
        assertThat(faults()).hasSize(1);
        assertThat(log.text()).contains("a metadata supplier has not answered for 0.1s");
    }

    @Test
    void aFirstAnswerThatIsTooLateIsToldOnceAndAnnouncedInTheNextTerm() {
        VirtualTenure a = processWith(
                "a", setup -> setup.metadata("fixed", "1").metadata(url(call -> seconds(call == 1 ? 2 : 0.05))));
        LeaderElector elector = a.stand(ROLE);
        advanceTo(0.7); // a quarter of the time limit of a call is 0.6 s
        assertThat(elector.isLeader()).isTrue();
        assertThat(announced()).isEqualTo(Map.of("fixed", "1"));
        assertThat(lines()).hasSize(1);
        assertThat(faults()).hasSize(1);
        assertThat(log.text()).contains("a metadata supplier has not answered for 0.6s", ASKED_AGAIN);
        advanceTo(5);
        assertThat(announced()).isEqualTo(Map.of("fixed", "1")); // a term's metadata does not change
        elector.resign();
        advanceTo(7);
        assertThat(announced()).isEqualTo(Map.of("fixed", "1", "url", "http://a/2"));
        assertThat(lines()).hasSize(1);
    }

    @Test
    void aCallThatHangsIsToldOnceDelaysNoLaterTermAndIsAskedAgainWhenItHasReturned() {
        VirtualTenure a =
                processWith("a", setup -> setup.metadata(url(call -> call == 2 ? seconds(60) : Duration.ZERO)));
        LeaderElector elector = leader(a);
        for (int term = 2; term <= 4; term++) {
            elector.resign();
            advanceTo(5 * term);
            assertThat(elector.term()).isEqualTo(term);
            assertThat(announced()).isEqualTo(Map.of("url", "http://a/1"));
        }
        assertThat(recorder().times("a", Recorded.Kind.ELECTED)).isEqualTo(allSeconds(0, 1.1, 11, 16));
        assertThat(asked).hasValue(2);
        assertThat(lines()).hasSize(1);
        assertThat(faults()).hasSize(1);
        advanceTo(70);
        elector.resign();
        advanceTo(75);
        assertThat(asked).hasValue(3);
        assertThat(announced()).isEqualTo(Map.of("url", "http://a/3"));
    }

    @Test
    void whatIsWrongAgainAfterItWasRightIsToldAgain() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata(() -> {
                    int call = asked.incrementAndGet();
                    if (call != 1 && call != 4) {
                        throw new IllegalStateException("no port in call " + call);
                    }
                    return Map.of("url", "http://a/" + call);
                }));
        LeaderElector elector = leader(a);
        List<Integer> told = List.of(0, 1, 1, 1, 2);
        for (int term = 1; term <= 5; term++) {
            assertThat(elector.term()).isEqualTo(term);
            assertThat(announced()).isEqualTo(Map.of("url", term < 4 ? "http://a/1" : "http://a/4"));
            assertThat(faults()).as("term %s", term).hasSize(told.get(term - 1));
            assertThat(lines()).hasSize(told.get(term - 1));
            elector.resign();
            advanceTo(2 * term);
        }
        assertThat(log.text())
                .contains("no port in call 2", "no port in call 5")
                .doesNotContain("no port in call 3");
    }

    @Test
    void moreThanIsAllowedIsRefusedAndTold() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata("version", "7")
                        .metadata(() ->
                                Map.of("url", "u".repeat(asked.incrementAndGet() == 1 ? 4096 - 8 - 3 : 4096 - 8 - 2))));
        LeaderElector elector = leader(a);
        assertThat(announced().get("url")).hasSize(4085);
        assertThat(faults()).isEmpty();
        elector.resign();
        advanceTo(2);
        assertThat(elector.term()).isEqualTo(2);
        assertThat(announced().get("url")).hasSize(4085);
        assertThat(faults()).hasSize(1);
        assertThat(log.text())
                .contains("metadata must be at most 4096 characters in all; what its supplier gave last is announced:"
                        + " metadata=4097 characters");
    }

    @Test
    void aSupplierThatHangsKeepsNothingOfAnother() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.metadata(() -> {
                            take(Duration.ofDays(1));
                            return Map.of("zone", "1");
                        })
                        .metadata(url(call -> Duration.ZERO)));
        LeaderElector elector = a.stand(ROLE);
        advanceTo(1);
        assertThat(announced()).isEqualTo(Map.of("url", "http://a/1"));
        elector.resign();
        advanceTo(3);
        assertThat(announced()).isEqualTo(Map.of("url", "http://a/2"));
    }

    @Test
    void electionsThatBeginTogetherWaitForTheSameAnswer() {
        VirtualTenure a = processWith("a", setup -> setup.metadata(url(call -> Duration.ofMillis(300))));
        a.stand(ROLE);
        a.stand("shipping");
        advanceTo(1);
        assertThat(announced()).isEqualTo(Map.of("url", "http://a/1"));
        assertThat(announced("leader:shipping")).isEqualTo(Map.of("url", "http://a/1"));
        assertThat(asked).hasValue(1);
        assertThat(faults()).isEmpty();
    }
}
