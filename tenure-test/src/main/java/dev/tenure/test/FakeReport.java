package dev.tenure.test;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be said against a test.
 */
final class FakeReport {
    private final StringBuilder text = new StringBuilder();
    private final List<Throwable> thrown = new ArrayList<>();

    /**
     * @param before listeners that the test is not to blame for
     */
    void add(FakeElector leadership, List<FakeRegistrations.Entry> before) {
        List<FakeRegistrations.Entry> left =
                new ArrayList<>(leadership.registrations().all());
        left.removeAll(before);
        if (!left.isEmpty()) {
            line(leadership.role() + ": " + left.size() + " listener" + (left.size() == 1 ? " is" : "s are")
                    + " still registered:");
            left.forEach(entry -> line("  " + entry));
        }
        List<FakeFailures.Failure> unseen = leadership.thrown().takeUnseen();
        if (!unseen.isEmpty()) {
            line(leadership.role() + ": user code threw, and the test did not look at failures():");
            for (FakeFailures.Failure failure : unseen) {
                line("  " + failure.where() + ": " + failure.thrown());
                thrown.add(failure.thrown());
            }
        }
    }

    private void line(String line) {
        text.append(text.isEmpty() ? "" : "\n").append(line);
    }

    void failIfAny() {
        if (!text.isEmpty()) {
            AssertionError error = new AssertionError(text.toString());
            thrown.forEach(error::addSuppressed);
            throw error;
        }
    }
}
