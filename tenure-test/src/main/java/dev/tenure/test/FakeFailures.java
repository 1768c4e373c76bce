package dev.tenure.test;

import java.util.ArrayList;
import java.util.List;

/**
 * What user code threw. Logged, since a test may not ask.
 */
final class FakeFailures {
    private static final System.Logger LOG = System.getLogger(FakeLeadership.class.getName());

    private final String role;
    private final List<Failure> all = new ArrayList<>();
    private int seen;

    record Failure(String where, Throwable thrown) {}

    FakeFailures(String role) {
        this.role = role;
    }

    void add(String where, Throwable thrown) {
        LOG.log(System.Logger.Level.WARNING, where + " of " + role + " threw", thrown);
        synchronized (this) {
            all.add(new Failure(where, thrown));
        }
    }

    /**
     * Runs user code that ends nothing by what it throws.
     */
    void guard(String where, Runnable userCode) {
        try {
            userCode.run();
        } catch (Throwable thrown) {
            add(where, thrown);
        }
    }

    /**
     * All; they count as seen from now on.
     */
    synchronized List<Throwable> see() {
        seen = all.size();
        return all.stream().map(Failure::thrown).toList();
    }

    synchronized List<Failure> takeUnseen() {
        List<Failure> unseen = List.copyOf(all.subList(seen, all.size()));
        seen = all.size();
        return unseen;
    }
}
