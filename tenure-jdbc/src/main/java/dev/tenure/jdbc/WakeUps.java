package dev.tenure.jdbc;

import dev.tenure.Registration;

/**
 * Hints that a key has changed.
 */
interface WakeUps {
    /**
     * For databases that tell nobody.
     */
    WakeUps NONE = (key, wakeUp) -> () -> {};

    Registration watch(String key, Runnable wakeUp);

    default void close() {}
}
