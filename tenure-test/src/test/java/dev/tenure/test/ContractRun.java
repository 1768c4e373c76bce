package dev.tenure.test;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/**
 * Runs all tests of a contract, each on an instance of its own, and keeps what they failed with.
 */
final class ContractRun {
    private final Map<String, Throwable> failures = new TreeMap<>();
    private final List<String> skipped = new ArrayList<>();
    private final List<String> passed = new ArrayList<>();

    ContractRun(Supplier<? extends LeaseStoreContract> contracts) {
        for (Method test : tests()) {
            run(test, contracts.get());
        }
    }

    /**
     * The tests of the contract.
     */
    static List<Method> tests() {
        List<Method> tests = new ArrayList<>();
        for (Class<?> part = LeaseStoreContract.class; part != Object.class; part = part.getSuperclass()) {
            for (Method method : part.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    tests.add(method);
                }
            }
        }
        return tests;
    }

    private void run(Method test, LeaseStoreContract contract) {
        try {
            test.invoke(contract);
            passed.add(test.getName());
        } catch (InvocationTargetException thrown) {
            if (thrown.getCause() instanceof TestAbortedException) {
                skipped.add(test.getName());
            } else {
                failures.put(test.getName(), thrown.getCause());
            }
        } catch (IllegalAccessException unreadable) {
            throw new AssertionError(unreadable);
        } finally {
            contract.closeOpenedStores();
        }
    }

    Map<String, Throwable> failures() {
        return failures;
    }

    List<String> skipped() {
        return skipped;
    }

    List<String> passed() {
        return passed;
    }
}
