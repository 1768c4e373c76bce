package dev.tenure.test;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Fails a test that leaves a listener registered with a {@link FakeLeadership}, or whose user code threw something that
 * the test did not ask {@link FakeLeadership#failures()} for. To be registered with
 * {@link org.junit.jupiter.api.extension.ExtendWith}.
 *
 * <p>It looks after each test, when its {@code @AfterEach} methods have run, at the doubles in the fields of the test's
 * class, whatever the fields' types, also in an {@link java.util.Optional}, an array or a collection or map of the JDK, not
 * in other objects; and at those that it hands to parameters with {@link FakeRole}: of test methods, their constructors and their
 * {@code @BeforeEach} and {@code @AfterEach} methods. A double that several tests share, in a static field or in an
 * instance for the whole class, is judged by what each test adds to it.
 */
public final class LeadershipLeaks implements BeforeEachCallback, AfterEachCallback, ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(LeadershipLeaks.class);

    /**
     * To be called by JUnit.
     */
    public LeadershipLeaks() {}

    /**
     * The doubles that were handed to one test, and what shared ones had before it.
     */
    private static final class Test {
        private final Map<String, FakeLeadership> handed = new LinkedHashMap<>();
        private final Map<FakeElector, List<FakeRegistrations.Entry>> before = new HashMap<>();

        static Test of(ExtensionContext context) {
            Store store = context.getStore(NAMESPACE);
            Object key = context.getUniqueId();
            Test known = store.get(key, Test.class);
            if (known == null) {
                known = new Test();
                store.put(key, known);
            }
            return known;
        }
    }

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.isAnnotated(FakeRole.class)
                && parameter.getParameter().getType().isAssignableFrom(FakeLeadership.class)
                && context.getTestMethod().isPresent();
    }

    @Override
    public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        String role =
                parameter.findAnnotation(FakeRole.class).map(FakeRole::value).orElseThrow();
        return Test.of(context).handed.computeIfAbsent(role, FakeLeadership::of);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        boolean perClass = context.getTestInstanceLifecycle()
                .filter(Lifecycle.PER_CLASS::equals)
                .isPresent();
        Map<FakeElector, List<FakeRegistrations.Entry>> before = Test.of(context).before;
        for (FakeElector shared : FakeFields.of(context, !perClass)) {
            before.put(shared, shared.registrations().all());
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Test test = Test.of(context);
        Set<FakeElector> all = new HashSet<>();
        all.addAll(FakeFields.of(context, false));
        test.handed.values().forEach(handed -> all.add((FakeElector) handed));
        FakeReport report = new FakeReport();
        for (FakeElector each : all) {
            report.add(each, test.before.getOrDefault(each, List.of()));
        }
        report.failIfAny();
    }
}
