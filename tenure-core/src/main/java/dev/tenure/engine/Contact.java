package dev.tenure.engine;

import org.jspecify.annotations.Nullable;

/**
 * How the store answers.
 *
 * @param failingSince {@link Time#NEVER} if it answered last
 * @param failures in a row
 * @param last why there was no answer
 */
public record Contact(
        long failingSince, int failures, @Nullable Throwable last) {
    static final Contact FINE = new Contact(Time.NEVER, 0, null);

    public boolean isFailing() {
        return failures > 0;
    }

    Contact failed(Throwable error, long now) {
        return new Contact(isFailing() ? failingSince : now, failures + 1, error);
    }
}
