package dev.tenure.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The slots that a user's function gives. Believes nothing that it returns without a look.
 */
final class CalendarSlots implements Slots {
    private static final Duration FIRST_STEP = Duration.ofSeconds(1);
    private static final Duration FARTHEST = Duration.ofDays(400);
    private static final Duration RESOLUTION = Duration.ofMillis(1);
    private static final int MOST_COUNTED = 1_000;

    private final ZoneId zone;
    private final UnaryOperator<ZonedDateTime> function;

    CalendarSlots(ZoneId zone, UnaryOperator<ZonedDateTime> function) {
        this.zone = zone;
        this.function = function;
    }

    @Override
    public boolean callsUser() {
        return true;
    }

    @Override
    public Instant next(Instant after) throws SlotsUnknown {
        ZonedDateTime given = ZonedDateTime.ofInstant(after, zone);
        ZonedDateTime next;
        try {
            next = function.apply(given);
        } catch (Throwable thrown) {
            throw new SlotsUnknown("the calendar's function threw at " + given, thrown);
        }
        if (next == null || !next.toInstant().isAfter(after)) {
            throw new SlotsUnknown(
                    "the calendar's function must return a time strictly after its argument: " + given + " returned="
                            + next,
                    null);
        }
        return next.toInstant();
    }

    /**
     * Looks back by steps that double until there is a slot between, then halves the last step.
     */
    @Override
    public @Nullable Instant newest(Instant until) throws SlotsUnknown {
        Duration step = FIRST_STEP;
        while (true) {
            Instant from = until.minus(step);
            if (!next(from).isAfter(until)) {
                return newest(from, until);
            }
            if (step.equals(FARTHEST)) {
                return null;
            }
            step = step.multipliedBy(2).compareTo(FARTHEST) > 0 ? FARTHEST : step.multipliedBy(2);
        }
    }

    /**
     * @param from a time after which there is a slot until {@code until}
     */
    private Instant newest(Instant from, Instant until) throws SlotsUnknown {
        Instant low = from;
        Instant high = until;
        while (Duration.between(low, high).compareTo(RESOLUTION) > 0) {
            Instant middle = low.plus(Duration.between(low, high).dividedBy(2));
            if (next(middle).isAfter(until)) {
                high = middle;
            } else {
                low = middle;
            }
        }
        return next(low);
    }

    @Override
    public Passed passed(Instant first, Instant now) throws SlotsUnknown {
        Instant newest = first;
        Instant next = next(first);
        long older = 0;
        while (!next.isAfter(now)) {
            if (++older == MOST_COUNTED) {
                newest = newest(newest, now);
                next = next(newest);
                return new Passed(newest, older, next.isAfter(now) ? next : next(now));
            }
            newest = next;
            next = next(newest);
        }
        return new Passed(newest, older, next);
    }
}
