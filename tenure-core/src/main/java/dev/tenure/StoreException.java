package dev.tenure;

import org.jspecify.annotations.Nullable;

/**
 * The store gave no usable answer. Says nothing about who leads.
 */
public abstract class StoreException extends TenureException {
    private static final long serialVersionUID = 1;

    StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
