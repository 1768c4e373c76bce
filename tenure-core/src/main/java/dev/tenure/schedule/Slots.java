package dev.tenure.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a schedule, which are the same on all instances.
 */
interface Slots {
    /**
     * Whether computing them calls user code.
     */
    boolean callsUser();

    /**
     * The first one strictly after a time.
     *
     * @throws SlotsUnknown if user code gives none
     */
    Instant next(Instant after) throws SlotsUnknown;

    /**
     * The newest one at or before a time; null if none is found.
     */
    @Nullable
    Instant newest(Instant until) throws SlotsUnknown;

    /**
     * What has passed from {@code first}, which is a slot, until {@code now}.
     */
    Passed passed(Instant first, Instant now) throws SlotsUnknown;

    /**
     * Slots that have passed.
     *
     * @param older how many before the newest
     * @param next the first one that has not passed
     */
    record Passed(Instant newest, long older, Instant next) {}

    /**
     * The function of a calendar failed.
     */
    final class SlotsUnknown extends Exception {
        private static final long serialVersionUID = 1;

        SlotsUnknown(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }
}
