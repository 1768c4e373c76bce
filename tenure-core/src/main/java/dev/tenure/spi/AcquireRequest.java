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
        return tokenAfter(highest, 0, storeTime);
    }

    /**
     * As {@link #tokenAfter(long, Instant)}, where an operator has accepted a token: then a floor that cannot be right
     * is passed over, so that its asker gets a grant that tells it what was accepted.
     *
     * @param accepted what {@link LeaseStore#acceptToken} said last; 0 if nothing
     */
    public long tokenAfter(long highest, long accepted, Instant storeTime) {
        boolean passedOver = accepted > 0 && Tokens.isImplausible(tokenFloor, Tokens.micros(storeTime));
        return Tokens.next(key, highest, passedOver ? 0 : tokenFloor, storeTime);
    }
}
