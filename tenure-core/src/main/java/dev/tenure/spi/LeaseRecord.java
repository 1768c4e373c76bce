package dev.tenure.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A key as the store has it.
 *
 * @param holder the incarnation is one that no candidate has if the record was revoked, or is of an unknown format
 * @param token 0 if it cannot be told
 * @param remaining until it expires, by the store's clock; zero or less is expired
 * @param acquiredAt for people; by whichever clock wrote it
 */
public record LeaseRecord(String key, Holder holder, long token, Duration remaining, Optional<Instant> acquiredAt) {}
