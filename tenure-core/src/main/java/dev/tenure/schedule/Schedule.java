package dev.tenure.schedule;

import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * When a task is due. Immutable; one may serve several tasks.
 */
public final class Schedule {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(365);

    private final String text;
    private final @Nullable Slots slots;
    private final Duration delay;

    private Schedule(String text, @Nullable Slots slots, Duration delay) {
        this.text = text;
        this.slots = slots;
        this.delay = delay;
    }

    /**
     * Every {@code period} of the wall clock, in the phase of the epoch: at all its whole multiples since
     * 1970-01-01T00:00Z, so that each instance has the same slots and a successor keeps them.
     *
     * @param period whole milliseconds, from 1 ms to 365 days
     */
    public static Schedule fixedRate(Duration period) {
        check("period", period);
        if (!period.equals(Duration.ofMillis(period.toMillis()))) {
            throw invalid("period", period, "whole milliseconds");
        }
        return new Schedule("every " + text(period), new RateSlots(period.toMillis()), Duration.ZERO);
    }

    /**
     * At the begin of each term, and then {@code delay} after the end of the run before, on the monotonic clock. It has
     * no slots that instances share, and a follower has none at all. A run that finds the lease too short is tried again
     * after {@code delay}.
     *
     * @param delay from 1 ms to 365 days
     */
    public static Schedule fixedDelay(Duration delay) {
        check("delay", delay);
        return new Schedule(text(delay) + " after the run before", null, delay);
    }

    /**
     * By the calendar of a zone; any cron library fits in.
     *
     * @param next gives the first slot strictly after a time, which is given in {@code zone}. It is called on a callback
     *     thread, one call at a time, after each slot; up to 100 times in a row to find the newest slot before a time; and
     *     up to 1,100 times in a row to count those that passed while the process stood still or when the clock was set
     *     forward. It must depend on nothing but its argument, and return soon. If it throws, or returns null or a time
     *     that is not after its argument, that is a fault: told once, and asked again every half minute. If it does not
     *     return for 30 s, that is a fault as well, told once. The task waits meanwhile, others do not. The newest slot before a time is looked for in the 400 days before it.
     */
    public static Schedule calendar(ZoneId zone, UnaryOperator<ZonedDateTime> next) {
        Objects.requireNonNull(zone, "zone");
        Objects.requireNonNull(next, "next");
        return new Schedule("calendar in " + zone, new CalendarSlots(zone, next), Duration.ZERO);
    }

    /**
     * None with a fixed delay.
     */
    @Nullable
    Slots slots() {
        return slots;
    }

    Duration delay() {
        return delay;
    }

    private static void check(String option, Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw invalid(option, value, "from 1ms to 365 days");
        }
    }

    private static InvalidOptionsException invalid(String option, Duration value, String bound) {
        return new InvalidOptionsException(List.of(new Violation(option, text(value), bound)));
    }

    static String text(Duration value) {
        return value.toString().substring(2).toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return text;
    }
}
