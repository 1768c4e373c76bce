package dev.tenure.engine;

/**
 * The transition function: what an event makes of an election at a time. Pure: no clock, thread, I/O or log.
 */
@FunctionalInterface
public interface Transition {
    /**
     * The rules of Tenure.
     */
    Transition RULES = Turn::apply;

    Step apply(Election election, Event event, long now);
}
