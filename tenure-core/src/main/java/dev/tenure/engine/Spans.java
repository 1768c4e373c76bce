package dev.tenure.engine;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Spans of time for people.
 */
final class Spans {
    private Spans() {}

    /**
     * {@code 1.5s}, rounded to milliseconds.
     */
    static String text(long nanos) {
        return text(Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanos))));
    }

    static String text(Duration span) {
        return span.toString().substring(2).toLowerCase(Locale.ROOT);
    }
}
