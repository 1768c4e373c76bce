package dev.tenure.test.virtual;

import java.time.Duration;

/**
 * Something that a process told its monitor or a listener.
 *
 * @param at since the beginning of the world
 * @param source which registration it was told to; 0 is the monitor
 * @param term 0 if it is about no term
 * @param token 0 if there is none
 * @param detail reason, outcome or error, as text; empty if there is none
 */
public record Recorded(
        Duration at, String process, String role, Kind kind, int source, long term, long token, String detail) {

    /**
     * What happened; each after the method that told it.
     */
    public enum Kind {
        STANDING,
        ACQUIRE_FINISHED,
        ELECTED,
        RENEW_FINISHED,
        LOST,
        LAPSED,
        RELEASED,
        STOPPED,
        STORE_FAILING,
        STORE_RECOVERED,
        TOKEN_REGRESSED,
        WALL_CLOCK_JUMPED,
        FAULT,
        /**
         * The first half of a registration.
         */
        ON_ELECTED,
        /**
         * Its second half.
         */
        ON_LOST
    }
}
