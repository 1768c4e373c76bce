package dev.tenure.verification.simulation;

import org.jspecify.annotations.Nullable;

/**
 * What came of one seed.
 *
 * @param hash of the trace
 * @param events how many things happened
 * @param tally how often what happened
 * @param violation what was found first; none if all held
 */
public record Outcome(
        long seed,
        long hash,
        long events,
        Tally tally,
        @Nullable Violation violation) {}
