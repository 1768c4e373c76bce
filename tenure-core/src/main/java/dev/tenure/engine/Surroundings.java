package dev.tenure.engine;

import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What the engine takes from outside besides its settings: in production the machine's clocks and threads, in tests
 * others.
 *
 * @param random of incarnations, jitter and spread
 * @param callbacks runs user code unless the settings name an executor
 * @param spare runs what that executor refuses
 * @param threaded whether the loop gets a thread of its own; otherwise whoever made this drives it
 */
public record Surroundings(
        Time time,
        Transition transition,
        RandomGenerator random,
        Executor callbacks,
        Executor spare,
        boolean threaded) {

    static Surroundings machine(Executor callbacks) {
        return new Surroundings(SystemTime.INSTANCE, Transition.RULES, Hub.secure(), callbacks, callbacks, true);
    }
}
