/**
 * The real engine on virtual time, one thread, seeded: processes, a network, a store and what goes wrong with them, and
 * checkers of the invariants that look after every event. See {@code docs/verification.md}.
 */
@NullMarked
package dev.tenure.verification.simulation;

import org.jspecify.annotations.NullMarked;
