package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.channel.LeaderChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes that leak, and such that do not.
 */
class LeadershipLeaksTest {

    /**
     * What each test failed with, by its method; empty if it passed.
     */
    private static Map<String, Optional<Throwable>> run(Class<?> tests) {
        Map<String, Optional<Throwable>> results = new TreeMap<>();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest()) {
                    results.put(test.getDisplayName().replaceAll("\\(.*", ""), result.getThrowable());
                }
            }
        });
        return results;
    }

    private static String message(Map<String, Optional<Throwable>> results, String test) {
        return results.get(test).orElseThrow().getMessage();
    }

    /**
     * Code under test.
     */
    static final class Switch implements AutoCloseable {
        private final Registration registration;
        private boolean on;

        Switch(Leadership leadership) {
            registration = leadership.onChange(lease -> on = true, (lease, reason) -> on = false);
        }

        @Override
        public void close() {
            registration.remove();
        }
    }

    @ExtendWith(LeadershipLeaks.class)
    static final class InFields {
        private final FakeLeadership billing = FakeLeadership.of("billing");
        private final LeaderElector shipping = FakeLeadership.of("shipping");

        @Test
        void leaks() {
            Switch leaked = new Switch(billing);
            billing.elect();
            assertThat(leaked.on).isTrue();
        }

        @Test
        void leaksThree() {
            new Switch(billing).close();
            LeaderChannel.<String>builder("changes", shipping).build();
            billing.watch().onChange(leader -> {});
            assertThat(new Switch(billing).on).isFalse();
        }

        @Test
        void cleansUp() {
            try (Switch closed = new Switch(billing)) {
                assertThat(closed.on).isFalse();
            }
            billing.elect().onLost(reason -> {});
        }

        @Test
        void throwsUnseen() {
            Registration registration = billing.onChange(lease -> {}, (lease, reason) -> {
                throw new IllegalStateException("cannot stop");
            });
            billing.elect();
            billing.lose(LossReason.TAKEN_OVER);
            registration.remove();
        }

        @Test
        void throwsSeen() {
            billing.runs(lease -> {
                throw new IllegalStateException("work");
            });
            billing.elect();
            assertThat(billing.failures()).hasSize(1);
        }
    }

    @Test
    void aLeakFailsItsTestAndSaysWhereItIs() {
        Map<String, Optional<Throwable>> results = run(InFields.class);
        assertThat(results).hasSize(5);
        assertThat(message(results, "leaks").lines())
                .hasSize(3)
                .startsWith("billing: 1 listener is still registered:")
                .anyMatch(
                        line -> line.matches("  onChange at .*LeadershipLeaksTest\\$Switch\\.<init>\\(Lead.*:\\d+\\)"))
                .anyMatch(line -> line.matches("    at .*LeadershipLeaksTest\\$InFields\\.leaks\\(Lead.*:\\d+\\)"));
        assertThat(message(results, "leaksThree").lines())
                .contains("billing: 2 listeners are still registered:", "shipping: 1 listener is still registered:")
                .anyMatch(line -> line.matches("  onChange of a watch at .*InFields\\.leaksThree.*"))
                .anyMatch(line -> line.matches("  onChange at .*InFields\\.leaksThree.*"));
        assertThat(results.get("cleansUp")).isEmpty();
    }

    @Test
    void whatUserCodeThrewFailsATestThatDidNotLook() {
        Map<String, Optional<Throwable>> results = run(InFields.class);
        assertThat(message(results, "throwsUnseen"))
                .isEqualTo("billing: user code threw, and the test did not look at failures():\n"
                        + "  lost listener: java.lang.IllegalStateException: cannot stop");
        assertThat(results.get("throwsUnseen").orElseThrow().getSuppressed()).hasSize(1);
        assertThat(results.get("throwsSeen")).isEmpty();
    }

    @ExtendWith(LeadershipLeaks.class)
    static final class InOtherFields {
        private final FakeLeadership[] array = {FakeLeadership.of("array")};
        private final Object object = FakeLeadership.of("object");
        private final Optional<Leadership> optional = Optional.of(FakeLeadership.of("optional"));
        private final Map<String, List<LeaderElector>> map = Map.of("all", List.of(FakeLeadership.of("map")));
        private final AtomicReference<Leadership> reference = new AtomicReference<>(FakeLeadership.of("reference"));

        @Test
        void leaks() {
            new Switch(array[0]);
            new Switch((Leadership) object);
            new Switch(optional.orElseThrow());
            new Switch(map.get("all").get(0));
            new Switch(reference.get());
        }
    }

    @Test
    void doublesAreFoundInFieldsOfOtherTypes() {
        Map<String, Optional<Throwable>> results = run(InOtherFields.class);
        for (String role : List.of("array", "object", "optional", "map", "reference")) {
            assertThat(message(results, "leaks").lines()).contains(role + ": 1 listener is still registered:");
        }
    }

    @ExtendWith(LeadershipLeaks.class)
    static final class InParameters {
        private final Leadership handed;
        private FakeLeadership again;
        private Switch closed;

        InParameters(@FakeRole("billing") Leadership handed) {
            this.handed = handed;
        }

        @BeforeEach
        void open(@FakeRole("billing") FakeLeadership billing) {
            again = billing;
            closed = new Switch(billing);
        }

        @AfterEach
        void close() {
            closed.close();
        }

        @Test
        void isTheSameWithinATest(@FakeRole("billing") FakeLeadership billing, @FakeRole("x") FakeLeadership other) {
            assertThat(billing).isSameAs(again).isSameAs(handed).isNotSameAs(other);
            assertThat(billing.term()).isZero();
            billing.elect();
        }

        @Test
        void isAnotherInAnotherTest(@FakeRole("billing") LeaderElector billing) {
            assertThat(billing.term()).isZero();
            again.elect();
        }

        @Test
        void leaks(@FakeRole("other") FakeLeadership other) {
            assertThat(new Switch(other).on).isFalse();
        }
    }

    @Test
    void aDoubleIsHandedToParameters() {
        Map<String, Optional<Throwable>> results = run(InParameters.class);
        assertThat(results.get("isTheSameWithinATest")).isEmpty();
        assertThat(results.get("isAnotherInAnotherTest")).isEmpty();
        assertThat(message(results, "leaks")).startsWith("other: 1 listener is still registered:");
    }

    @ExtendWith(LeadershipLeaks.class)
    @TestInstance(TestInstance.Lifecycle.PER_CLASS)
    static final class Shared {
        private static final FakeLeadership ALL = FakeLeadership.of("all");
        private static final Switch ALWAYS = new Switch(ALL);

        private final FakeLeadership shared = FakeLeadership.of("shared");
        private final Switch always = new Switch(shared);

        @Test
        void addsNothing() {
            ALL.elect();
            shared.elect();
            assertThat(ALWAYS.on && always.on).isTrue();
        }

        @Nested
        class Inner {
            @Test
            void leaks() {
                assertThat(new Switch(shared).on).isIn(true, false);
            }
        }
    }

    @Test
    void aSharedDoubleIsJudgedByWhatEachTestAdds() {
        Map<String, Optional<Throwable>> results = run(Shared.class);
        assertThat(results.get("addsNothing")).isEmpty();
        assertThat(message(results, "leaks")).startsWith("shared: ");
    }
}
