package dev.tenure.test;

import dev.tenure.LossReason;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Whom a double tells of its terms. What is to be told is noted under a lock, in the order of what happened, and told
 * without.
 */
final class FakeListeners {
    private final OnThrown onThrown;
    private final FakeFailures failures;
    private final List<FakeListener> all = new CopyOnWriteArrayList<>();
    private final List<String> history = new CopyOnWriteArrayList<>();

    /**
     * Takes what a first half threw.
     */
    @FunctionalInterface
    interface OnThrown {
        void take(String where, FakeLease lease, Throwable thrown);
    }

    FakeListeners(OnThrown onThrown, FakeFailures failures) {
        this.onThrown = onThrown;
        this.failures = failures;
    }

    void add(FakeListener listener) {
        all.add(listener);
    }

    void remove(FakeListener listener) {
        listener.remove();
        drop(listener);
        listener.run(); // what was noted for it counts as told
    }

    private synchronized void drop(FakeListener listener) {
        all.remove(listener);
    }

    List<String> history() {
        return List.copyOf(history);
    }

    synchronized void noteElected(FakeLease lease) {
        history.add("elected " + lease);
        all.forEach(listener -> note(listener, lease));
    }

    private void note(FakeListener listener, FakeLease lease) {
        listener.elected(lease, thrown -> onThrown.take("elected listener", lease, thrown));
    }

    /**
     * Ends it, unless it has ended; whether this is the end that is to be told.
     */
    synchronized boolean noteEnd(FakeLease lease, LossReason detected, long now) {
        LossReason first = lease.hold().lose(detected);
        if (!lease.ending().begin(now)) {
            return false;
        }
        history.add("lost " + lease);
        all.forEach(listener -> listener.lost(lease, first, thrown -> failures.add("lost listener", thrown)));
        return true;
    }

    /**
     * Tells one of a term that runs already.
     */
    void tell(FakeListener listener, FakeLease running) {
        note(listener, running);
        listener.run();
    }

    /**
     * Tells what was noted.
     */
    void tell() {
        all.forEach(FakeListener::run);
    }
}
