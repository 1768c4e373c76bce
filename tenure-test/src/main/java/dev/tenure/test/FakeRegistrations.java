package dev.tenure.test;

import dev.tenure.Registration;
import java.util.ArrayList;
import java.util.List;

/**
 * The listeners that are registered, and where that was done. Each registration is one, whatever it is of.
 */
final class FakeRegistrations {
    private final List<Entry> all = new ArrayList<>();

    /**
     * A listener.
     */
    static final class Entry {
        private final String what;
        private final String origin = FakeOrigin.here();

        private Entry(String what) {
            this.what = what;
        }

        @Override
        public String toString() {
            return what + " " + origin;
        }
    }

    /**
     * @param removal runs at the first removal
     */
    Registration add(String what, Runnable removal) {
        Entry entry = new Entry(what);
        synchronized (this) {
            all.add(entry);
        }
        return () -> {
            if (take(entry)) {
                removal.run();
            }
        };
    }

    private synchronized boolean take(Entry entry) {
        return all.remove(entry);
    }

    synchronized int size() {
        return all.size();
    }

    synchronized List<Entry> all() {
        return List.copyOf(all);
    }
}
