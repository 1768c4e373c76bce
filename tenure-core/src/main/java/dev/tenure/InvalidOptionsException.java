package dev.tenure;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Options that cannot work, all of them in one message.
 */
public final class InvalidOptionsException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    /**
     * One option, its value, and what it must be.
     */
    public record Violation(String option, String value, String bound) implements Serializable {
        @Override
        public String toString() {
            return option + " must be " + bound + ": " + option + "=" + value;
        }
    }

    private final ArrayList<Violation> violations;

    public InvalidOptionsException(List<Violation> violations) {
        super(violations.stream().map(Violation::toString).collect(Collectors.joining("; ")));
        this.violations = new ArrayList<>(violations);
    }

    /**
     * Throws unless the list is empty.
     */
    public static void throwIfAny(List<Violation> violations) {
        if (!violations.isEmpty()) {
            throw new InvalidOptionsException(violations);
        }
    }

    public List<Violation> violations() {
        return List.copyOf(violations);
    }
}
