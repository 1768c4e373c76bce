/**
 * The engine: a pure transition function ({@link dev.tenure.engine.Transition}, its states in
 * {@link dev.tenure.engine.Phase}) and the shell that carries out its effects. Not for applications.
 */
@NullMarked
package dev.tenure.engine;

import org.jspecify.annotations.NullMarked;
