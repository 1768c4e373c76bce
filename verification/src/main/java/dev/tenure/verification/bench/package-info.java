/**
 * Figures of speed and size.
 */
@NullMarked
package dev.tenure.verification.bench;

import org.jspecify.annotations.NullMarked;
