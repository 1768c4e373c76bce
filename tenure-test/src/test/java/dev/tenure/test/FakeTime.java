package dev.tenure.test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands until it is moved.
 */
final class FakeTime {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    /**
     * Begins just before the overflow, as {@link System#nanoTime()} may.
     */
    private static final long FIRST_NANOS =
            Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();

    private final AtomicLong passed = new AtomicLong();

    void pass(Duration time) {
        passed.addAndGet(time.toNanos());
    }

    long nanos() {
        return FIRST_NANOS + passed.get();
    }

    Instant wall() {
        return START.plusNanos(passed.get());
    }
}
