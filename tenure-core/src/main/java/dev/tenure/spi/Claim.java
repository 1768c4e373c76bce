package dev.tenure.spi;

import java.time.Duration;

/**
 * A granted key: what renewal and release must match, by incarnation and token, in one atomic step.
 *
 * @param token the granted one; {@link #UNKNOWN_TOKEN} in a release of an acquisition whose answer never came, which
 *     matches by incarnation alone; a renewal always has one
 * @param lease how long a renewal prolongs, counted from its sending
 * @param timeLimit how long the asker waits for the answer; a store sets it on its driver
 */
public record Claim(String key, Holder holder, long token, Duration lease, Duration timeLimit) {

    /**
     * Stands for the token of a grant that may exist although its answer was lost. An incarnation has one grant at a
     * time, so that it says enough.
     */
    public static final long UNKNOWN_TOKEN = 0;

    /**
     * Whether a record is this very grant.
     */
    public boolean matches(LeaseRecord present) {
        return (token == UNKNOWN_TOKEN || present.token() == token)
                && present.holder().incarnation().equals(holder.incarnation());
    }
}
