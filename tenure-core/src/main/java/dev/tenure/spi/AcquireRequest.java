package dev.tenure.spi;

import java.time.Duration;
import java.time.Instant;

/**
 * A candidate asks for a key.
 *
 * @param lease how long a grant is to last
 * @param tokenFloor the highest token that this process has seen for the key; 0 if none
 * @param timeLimit how long the asker waits for the answer; a store sets it on its driver
 */
public record AcquireRequest(String key, Holder holder, Duration lease, long tokenFloor, Duration timeLimit) {

    /**
     * Whether a record is the asker's own already, so that its answer was lost.
     */
    public boolean matches(LeaseRecord present) {
        return present.holder().incarnation().equals(holder.incarnation());
    }

    /**
     * The token to grant: {@code max(highest + 1, store time in µs, tokenFloor + 1)}.
     *
     * @param highest what the store remembers for the key; 0 if nothing
     * @param storeTime the store's own clock
     * @throws dev.tenure.TokenImplausibleException if the highest known is above store time by a day or above
     *     2<sup>53</sup>
     */
    public long tokenAfter(long highest, Instant storeTime) {
        return Tokens.next(key, highest, tokenFloor, storeTime);
    }
}
