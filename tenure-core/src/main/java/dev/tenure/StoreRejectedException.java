package dev.tenure;

import org.jspecify.annotations.Nullable;

/**
 * The store refuses this client: credentials, permission or configuration. Another try needs somebody to change that.
 */
public final class StoreRejectedException extends StoreException {
    private static final long serialVersionUID = 1;

    public StoreRejectedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
