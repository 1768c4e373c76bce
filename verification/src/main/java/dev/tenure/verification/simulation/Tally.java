package dev.tenure.verification.simulation;

import java.util.Map;
import java.util.TreeMap;

/**
 * How often what happened.
 */
public final class Tally {
    private final Map<String, Long> counts = new TreeMap<>();

    void count(String what) {
        add(what, 1);
    }

    void add(String what, long times) {
        counts.merge(what, times, Long::sum);
    }

    void most(String what, long value) {
        counts.merge("most " + what, value, Math::max);
    }

    synchronized void addAll(Tally other) {
        other.counts.forEach((what, value) -> {
            if (what.startsWith("most ")) {
                counts.merge(what, value, Math::max);
            } else {
                add(what, value);
            }
        });
    }

    public long of(String what) {
        return counts.getOrDefault(what, 0L);
    }

    /**
     * Those that begin so, without that beginning.
     */
    public Map<String, Long> all(String beginning) {
        Map<String, Long> found = new TreeMap<>();
        counts.forEach((what, value) -> {
            if (what.startsWith(beginning)) {
                found.put(what.substring(beginning.length()), value);
            }
        });
        return found;
    }
}
