package dev.tenure;

import org.jspecify.annotations.Nullable;

/**
 * What can go wrong while taking part in an election.
 */
public abstract class TenureException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TenureException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
