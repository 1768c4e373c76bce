package dev.tenure.schedule;

import dev.tenure.engine.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * The wall clock as a task has seen it, to notice that it was set back.
 */
final class WallClock {
    private static final Duration STEP = Duration.ofSeconds(1);

    private final Time time;
    private long seenAt;
    private Instant seen;

    WallClock(Time time) {
        this.time = time;
        seenAt = time.now();
        seen = wall();
    }

    Instant wall() {
        return Instant.ofEpochMilli(time.wallMillis());
    }

    /**
     * Whether it shows less than it should since it was last looked at.
     */
    boolean isSetBack() {
        Instant expected = seen.plusNanos(time.now() - seenAt);
        return wall().isBefore(expected.minus(STEP));
    }

    void look() {
        seenAt = time.now();
        seen = wall();
    }

    /**
     * When a slot that has come was due, on the monotonic clock, by what the wall clock shows now.
     */
    long dueAt(Instant slot) {
        Duration late = Duration.between(slot, wall());
        return late.compareTo(Duration.ofDays(365)) > 0
                ? time.now() - TimeUnit.DAYS.toNanos(365)
                : time.now() - late.toNanos();
    }
}
