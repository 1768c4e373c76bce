package dev.tenure.verification.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * When the machine under an instance was suspended, so that its monotonic clock stood still.
 */
final class Sleeps {
    private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<Sleep> all = new ArrayList<>();

    private record Sleep(long from, long to) {}

    void add(long from, long to) {
        all.add(new Sleep(from, to));
    }

    /**
     * How long it slept after a time, all in all.
     */
    long since(long time) {
        return sum(time, 0);
    }

    /**
     * The same without what is too short to be noticed.
     */
    long noticedSince(long time) {
        return sum(time, RESOLUTION);
    }

    private long sum(long time, long lost) {
        long sum = 0;
        for (Sleep sleep : all) {
            if (sleep.from() >= time) {
                sum += Math.max(0, sleep.to() - sleep.from() - lost);
            }
        }
        return sum;
    }

    /**
     * When it woke last; negative if it never slept.
     */
    long wokeAt() {
        return all.isEmpty() ? -1 : all.get(all.size() - 1).to();
    }
}
