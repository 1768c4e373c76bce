package dev.tenure.engine;

import java.util.List;

/**
 * What follows from an event.
 */
public record Step(Election next, List<Effect> effects) {}
