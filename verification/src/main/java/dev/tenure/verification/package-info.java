/**
 * Simulation, histories and benchmarks.
 */
@NullMarked
package dev.tenure.verification;

import org.jspecify.annotations.NullMarked;
