package dev.tenure.verification.simulation;

/**
 * What a checker found.
 *
 * @param invariant I1 to I8, or the name of another check
 * @param at virtual nanoseconds
 */
public record Violation(String invariant, long at, String what) {}
