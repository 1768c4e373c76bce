package dev.tenure;

/**
 * A registered callback.
 */
@FunctionalInterface
public interface Registration {

    /**
     * Removes it: no call begins afterwards. Idempotent.
     */
    void remove();
}
