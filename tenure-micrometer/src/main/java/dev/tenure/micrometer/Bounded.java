package dev.tenure.micrometer;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The values of one tag, of which there are only so many: what comes later is {@link TenureMeters#OTHER}.
 */
final class Bounded {
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final int most;

    Bounded(int most) {
        this.most = most;
    }

    String of(String value) {
        if (known.contains(value)) {
            return value;
        }
        synchronized (known) {
            if (known.size() < most) {
                known.add(value);
                return value;
            }
            return known.contains(value) ? value : TenureMeters.OTHER;
        }
    }
}
