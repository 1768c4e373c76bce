package dev.tenure.engine;

import org.jspecify.annotations.Nullable;

/**
 * What never changes about an election on this side.
 *
 * @param nonce random; incarnations are made of it and a count
 * @param once none for an elector, which stands again
 */
public record Candidate(
        String nonce, Timing timing, @Nullable Once once) {}
