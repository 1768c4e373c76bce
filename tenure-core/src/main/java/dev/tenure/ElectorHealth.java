package dev.tenure;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether an election works.
 *
 * @param since when the status began
 * @param detail one sentence for people
 */
public record ElectorHealth(Status status, Instant since, String detail, Optional<Throwable> lastError) {

    /**
     * Constants may be added.
     */
    public enum Status {
        /**
         * Not started, or stopped.
         */
        STOPPED,
        LEADING,
        /**
         * Another instance leads, or an election is going on.
         */
        FOLLOWING,
        /**
         * The store does not answer.
         */
        UNREACHABLE,
        /**
         * The store refuses this client.
         */
        MISCONFIGURED,
        /**
         * The store granted a token that is not above one seen before: restored or exchanged.
         */
        FENCING_REGRESSED,
        /**
         * Work of an earlier term has not returned, so this instance does not stand.
         */
        WORK_STUCK,
        /**
         * The loop does not move, or leads past its deadline: restart the process.
         */
        WEDGED
    }

    public boolean isHealthy() {
        return status == Status.LEADING || status == Status.FOLLOWING || status == Status.STOPPED;
    }
}
