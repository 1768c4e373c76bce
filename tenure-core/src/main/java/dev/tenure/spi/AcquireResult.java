package dev.tenure.spi;

import java.time.Duration;
import java.util.Optional;

/**
 * The store's answer to an {@link AcquireRequest}.
 */
public sealed interface AcquireResult {

    /**
     * The key is the asker's.
     *
     * @param token the term's token
     * @param accepted what an operator last said by {@link LeaseStore#acceptToken}: candidates that saw higher tokens
     *     forget them once for each new value; 0 if nothing was said
     */
    record Granted(long token, long accepted) implements AcquireResult {}

    /**
     * The key is another's, or not to be had yet.
     */
    record Denied(Optional<LeaseRecord> present, Optional<Duration> retryAfter) implements AcquireResult {}

    static AcquireResult granted(long token) {
        return new Granted(token, 0);
    }

    /**
     * Granted, with the operator's mark.
     */
    static AcquireResult granted(long token, long accepted) {
        return new Granted(token, accepted);
    }

    /**
     * Denied because of this record; asking again is worth it when the record ends.
     */
    static AcquireResult denied(LeaseRecord present) {
        return new Denied(Optional.of(present), Optional.of(present.remaining()));
    }

    /**
     * Denied until then, for no holder: a lock delay for instance.
     */
    static AcquireResult denied(Duration retryAfter) {
        return new Denied(Optional.empty(), Optional.of(retryAfter));
    }

    /**
     * Denied, nothing known.
     */
    static AcquireResult denied() {
        return new Denied(Optional.empty(), Optional.empty());
    }
}
