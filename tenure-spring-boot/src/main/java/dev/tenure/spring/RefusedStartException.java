package dev.tenure.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The application does not start as it is configured; told by {@link RefusalAnalyzer}.
 */
final class RefusedStartException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String action;

    RefusedStartException(String what, String action, @Nullable Throwable cause) {
        super(what, cause);
        this.action = action;
    }

    RefusedStartException(String what, String action) {
        this(what, action, null);
    }

    static RefusedStartException of(List<String> all, String action, @Nullable Throwable cause) {
        return new RefusedStartException(String.join(System.lineSeparator(), all), action, cause);
    }

    String what() {
        return String.valueOf(getMessage());
    }

    String action() {
        return action;
    }
}
