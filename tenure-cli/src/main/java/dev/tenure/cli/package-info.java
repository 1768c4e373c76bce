/**
 * The {@code tenure} command.
 */
@NullMarked
package dev.tenure.cli;

import org.jspecify.annotations.NullMarked;
