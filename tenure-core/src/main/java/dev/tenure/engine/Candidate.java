package dev.tenure.engine;

import org.jspecify.annotations.Nullable;

/**
 * What never changes about an election on this side.
 *
 * @param nonce random, one for the process
 * @param number of this candidate in the process
 * @param once none for an elector, which stands again
 */
public record Candidate(
        String nonce, long number, Timing timing, @Nullable Once once) {

    /**
     * The candidate's n-th incarnation.
     */
    String incarnation(long n) {
        return nonce + "." + Long.toString(number, 36) + "-" + n;
    }
}
