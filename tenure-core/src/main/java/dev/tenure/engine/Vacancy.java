package dev.tenure.engine;

import java.util.OptionalLong;

/**
 * Since when a role can have been without a holder, as far as one candidate knows. On the loop.
 */
final class Vacancy {
    private long since = Time.NEVER;
    private boolean woken;

    /**
     * The store has shown another's record.
     */
    void held(long now) {
        since = now;
        woken = false;
    }

    /**
     * That record has changed; it may have been freed. The first time counts.
     */
    void changed(long now) {
        if (since != Time.NEVER && !woken) {
            since = now;
            woken = true;
        }
    }

    /**
     * How long, if another held the role before; forgets it.
     */
    OptionalLong end(long now) {
        long from = since;
        since = Time.NEVER;
        return from == Time.NEVER ? OptionalLong.empty() : OptionalLong.of(Math.max(0, now - from));
    }
}
