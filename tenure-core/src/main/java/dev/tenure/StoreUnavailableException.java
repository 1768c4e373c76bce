package dev.tenure;

import org.jspecify.annotations.Nullable;

/**
 * The store could not be reached or did not answer in time: worth another try.
 */
public final class StoreUnavailableException extends StoreException {
    private static final long serialVersionUID = 1;

    public StoreUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
