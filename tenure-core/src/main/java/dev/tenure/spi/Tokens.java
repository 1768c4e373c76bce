package dev.tenure.spi;

import dev.tenure.TokenImplausibleException;
import java.time.Duration;
import java.time.Instant;

/**
 * The one formula of stores that compute their tokens. By the store's clock, a token survives the loss of what the
 * store remembered; by the highest seen, it survives a store clock that was set back.
 */
public final class Tokens {
    /**
     * The largest token: what a double, and so Lua, still counts exactly.
     */
    public static final long LARGEST = 1L << 53;

    /**
     * How far above the store's clock a token may be.
     */
    public static final Duration LARGEST_LEAD = Duration.ofDays(1);

    private Tokens() {}

    /**
     * The token of a new grant: {@code max(stored + 1, store time in µs, floor + 1)}.
     *
     * @param stored the highest that the store remembers for the key; 0 if nothing
     * @param floor the highest that the asker has seen for the key; 0 if none
     * @throws TokenImplausibleException if the highest known is above store time by a day or above 2<sup>53</sup>
     */
    public static long next(String key, long stored, long floor, Instant storeTime) {
        long micros = micros(storeTime);
        long known = Math.max(stored, floor);
        if (isImplausible(known, micros)) {
            throw new TokenImplausibleException(key, known, micros);
        }
        return Math.max(known + 1, micros);
    }

    /**
     * Whether a token is one that this formula cannot have made by the given store time, in µs since the epoch.
     */
    public static boolean isImplausible(long token, long storeMicros) {
        return token >= LARGEST || token > storeMicros + LARGEST_LEAD.toMillis() * 1_000;
    }

    /**
     * A time as µs since the epoch.
     */
    public static long micros(Instant time) {
        return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
    }
}
