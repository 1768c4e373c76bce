package dev.tenure.engine;

import dev.tenure.LossReason;
import java.util.Optional;

/**
 * What an election does for its user: that of an elector, or of one acquisition. Called on the loop; does not block.
 */
interface Role {
    /**
     * Takes what a health check says, on any thread.
     */
    @FunctionalInterface
    interface HealthAnswer {
        void is(boolean healthy);
    }

    default void standing() {}

    void elected(TermHandle handle);

    default void startWork(TermHandle handle) {}

    default void interruptWork() {}

    default void wallClockJumped() {}

    void askHealth(HealthAnswer answer);

    void lost(TermHandle handle, LossReason reason);

    /**
     * Over without a term.
     *
     * @param error none if another holds the key
     */
    default void gaveUp(Optional<Throwable> error) {}

    /**
     * Stands no longer.
     */
    void stopped();

    /**
     * Nothing is left to do for it.
     */
    default void quiet() {}
}
