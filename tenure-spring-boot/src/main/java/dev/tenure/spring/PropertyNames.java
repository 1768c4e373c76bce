package dev.tenure.spring;

import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import java.util.Set;
import java.util.function.Function;

/**
 * The properties behind options.
 */
final class PropertyNames {
    private static final String FIX =
            "Change the named properties; docs/guides/options.md says how they hang together.";

    private PropertyNames() {}

    /**
     * {@code renew-interval} for {@code renewInterval}.
     */
    static String dashed(String option) {
        StringBuilder dashed = new StringBuilder();
        option.chars().forEach(c -> {
            if (Character.isUpperCase(c)) {
                dashed.append('-').append((char) Character.toLowerCase(c));
            } else {
                dashed.append((char) c);
            }
        });
        return dashed.toString();
    }

    /**
     * {@code tenure.roles.billing}, with brackets around what is no plain name.
     */
    static String ofRole(String role) {
        boolean plain = role.matches("[a-z0-9]+(-[a-z0-9]+)*");
        return plain ? "tenure.roles." + role : "tenure.roles[" + role + "]";
    }

    static RefusedStartException refusal(InvalidOptionsException invalid, Function<Violation, String> property) {
        return RefusedStartException.of(
                invalid.violations().stream()
                        .map(violation ->
                                property.apply(violation) + " must be " + violation.bound() + ": " + violation.value())
                        .toList(),
                FIX,
                invalid);
    }

    /**
     * For what is set for all roles or for the instance.
     */
    static String common(Violation violation) {
        return switch (violation.option()) {
            case "instance", "metadata" -> "tenure." + violation.option();
            default -> "tenure.defaults." + dashed(violation.option());
        };
    }

    /**
     * For what is set for a role: the role's own property, unless the value came from the defaults.
     */
    static String ofRole(String role, Violation violation, Set<String> own, Set<String> common) {
        String option = violation.option();
        if (option.equals("role")) {
            return "role " + role;
        }
        return !own.contains(option) && common.contains(option)
                ? "tenure.defaults." + dashed(option) + " (for role " + role + ")"
                : ofRole(role) + "." + dashed(option);
    }
}
