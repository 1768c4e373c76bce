package dev.tenure.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Who measures what in which registry of this process: a registry gives the second one the first one's gauges without a
 * word. Keeps no registry alive.
 */
final class Claims {
    private static final Map<MeterRegistry, Set<Tags>> TAKEN = new WeakHashMap<>();

    private Claims() {}

    /**
     * False if another has them.
     */
    static boolean take(MeterRegistry registry, Tags tags) {
        synchronized (TAKEN) {
            return TAKEN.computeIfAbsent(registry, same -> new HashSet<>()).add(tags);
        }
    }

    static void giveBack(MeterRegistry registry, Tags tags) {
        synchronized (TAKEN) {
            Set<Tags> taken = TAKEN.get(registry);
            if (taken != null) {
                taken.remove(tags);
            }
        }
    }
}
