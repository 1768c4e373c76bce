package dev.tenure.schedule;

import java.time.Instant;

/**
 * All whole multiples of a period since the epoch.
 *
 * @param period in milliseconds, so that no date overflows
 */
record RateSlots(long period) implements Slots {

    @Override
    public boolean callsUser() {
        return false;
    }

    @Override
    public Instant next(Instant after) {
        return Instant.ofEpochMilli(floor(after) + period);
    }

    @Override
    public Instant newest(Instant until) {
        return Instant.ofEpochMilli(floor(until));
    }

    @Override
    public Passed passed(Instant first, Instant now) {
        long newest = floor(now);
        return new Passed(
                Instant.ofEpochMilli(newest),
                (newest - first.toEpochMilli()) / period,
                Instant.ofEpochMilli(newest + period));
    }

    private long floor(Instant time) {
        return Math.floorDiv(time.toEpochMilli(), period) * period;
    }
}
