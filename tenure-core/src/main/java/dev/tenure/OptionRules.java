package dev.tenure;

import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which options can work together, on which store.
 */
final class OptionRules {
    /**
     * Far below what a {@code long} of nanoseconds holds, so that sums of a few do not overflow.
     */
    private static final Duration LONGEST = Duration.ofDays(365);

    private static final int LONGEST_ROLE = 128;
    private static final int LONGEST_NAME = 256;
    private static final int LONGEST_METADATA = 4096;

    private OptionRules() {}

    static List<Violation> check(ElectionOptions o) {
        List<Violation> all = new ArrayList<>();
        boolean sane = positive(all, "lease", o.lease());
        sane &= notNegative(all, "safetyMargin", o.safetyMargin());
        if (!sane) {
            return all; // the rest follows from these
        }
        if (o.safetyMargin().compareTo(o.lease()) >= 0) {
            all.add(new Violation("safetyMargin", text(o.safetyMargin()), "below lease=" + text(o.lease())));
            return all;
        }
        if (positive(all, "renewInterval", o.renewInterval())) {
            checkRenewal(all, o);
        }
        positive(all, "retryInterval", o.retryInterval());
        notNegative(all, "retryJitter", o.retryJitter());
        if (notNegative(all, "drainTimeout", o.drainTimeout())
                && notNegative(all, "interruptAfter", o.interruptAfter())
                && o.interruptAfter().compareTo(o.drainTimeout()) > 0) {
            all.add(new Violation(
                    "interruptAfter", text(o.interruptAfter()), "at most drainTimeout=" + text(o.drainTimeout())));
        }
        notNegative(all, "startDelay", o.startDelay());
        positive(all, "workBackoff", o.firstWorkBackoff());
        if (o.longestWorkBackoff().compareTo(o.firstWorkBackoff()) < 0) {
            all.add(new Violation(
                    "workBackoff", text(o.longestWorkBackoff()), "at least its first=" + text(o.firstWorkBackoff())));
        }
        notLongerThan(all, "workBackoff", o.longestWorkBackoff(), LONGEST);
        if (o.healthCheck().isPresent()) {
            positive(all, "healthGrace", o.healthGrace());
        }
        o.keyFormat()
                .filter(format -> !format.contains("{role}"))
                .ifPresent(format -> all.add(new Violation("keyFormat", format, "a text with {role} in it")));
        return all;
    }

    private static void checkRenewal(List<Violation> all, ElectionOptions o) {
        Duration most = o.lease().minus(o.safetyMargin()).dividedBy(2);
        if (o.renewInterval().compareTo(most) > 0) {
            all.add(new Violation(
                    "renewInterval",
                    text(o.renewInterval()),
                    "at most (lease - safetyMargin) / 2 = " + text(most) + ", lease=" + text(o.lease())));
            return; // the limit of the call timeout follows from it
        }
        if (positive(all, "callTimeout", o.callTimeout()) && o.callTimeout().compareTo(o.longestCallTimeout()) > 0) {
            all.add(new Violation(
                    "callTimeout",
                    text(o.callTimeout()),
                    "at most (lease - safetyMargin - renewInterval) / 2 = " + text(o.longestCallTimeout()) + ", lease="
                            + text(o.lease())));
        }
    }

    static List<Violation> check(ElectionOptions o, StoreTraits store) {
        List<Violation> all = new ArrayList<>();
        if (o.lease().compareTo(store.shortestLease()) < 0) {
            all.add(new Violation(
                    "lease", text(o.lease()), "at least " + text(store.shortestLease()) + " on " + store.name()));
        }
        notLongerThan(all, "lease", o.lease(), store.longestLease());
        return all;
    }

    static String resolveKey(ElectionOptions o, String role, String format, int maxLength) {
        InvalidOptionsException.throwIfAny(checkKey(o, role, format, maxLength));
        return expand(o, role, format);
    }

    static List<Violation> checkKey(ElectionOptions o, String role, String format, int maxLength) {
        List<Violation> all = new ArrayList<>(checkRole(role));
        if (!all.isEmpty()) {
            return all;
        }
        String key = expand(o, role, format);
        if (key.isEmpty() || key.length() > maxLength) {
            all.add(new Violation("key", shown(key), "1 to " + maxLength + " characters, has " + key.length()));
        } else if (hasOddCharacters(key)) {
            all.add(new Violation("key", shown(key), "without white space and control characters"));
        }
        return all;
    }

    static List<Violation> checkRole(String role) {
        if (role.isEmpty() || role.length() > LONGEST_ROLE) {
            return List.of(
                    new Violation("role", shown(role), "1 to " + LONGEST_ROLE + " characters, has " + role.length()));
        }
        if (hasOddCharacters(role)) {
            return List.of(new Violation("role", shown(role), "without white space and control characters"));
        }
        return List.of();
    }

    static List<Violation> checkInstance(@Nullable String name, Map<String, String> metadata) {
        List<Violation> all = new ArrayList<>();
        if (name != null && (name.isBlank() || name.length() > LONGEST_NAME)) {
            all.add(new Violation("instance", shown(name), "1 to " + LONGEST_NAME + " characters"));
        } else if (name != null && name.chars().anyMatch(Character::isISOControl)) {
            all.add(new Violation("instance", shown(name), "without control characters"));
        }
        int size = metadata.entrySet().stream()
                .mapToInt(entry -> entry.getKey().length() + entry.getValue().length())
                .sum();
        if (size > LONGEST_METADATA) {
            all.add(new Violation(
                    "metadata", size + " characters", "at most " + LONGEST_METADATA + " characters in all"));
        }
        return all;
    }

    private static String expand(ElectionOptions o, String role, String format) {
        return o.key().orElseGet(() -> o.keyFormat().orElse(format).replace("{role}", role));
    }

    private static boolean hasOddCharacters(String text) {
        return text.codePoints()
                .anyMatch(c -> Character.isISOControl(c)
                        || Character.isWhitespace(c)
                        || Character.isSpaceChar(c)
                        || Character.getType(c) == Character.SURROGATE
                        || Character.getType(c) == Character.FORMAT);
    }

    /**
     * A text that is safe on one line of a log or a terminal.
     */
    private static String shown(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(LONGEST_ROLE).forEach(c -> {
            if (hasOddCharacters(Character.toString(c))) {
                safe.append(String.format("\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    private static boolean positive(List<Violation> all, String option, Duration value) {
        if (value.isNegative() || value.isZero()) {
            all.add(new Violation(option, text(value), "above zero"));
            return false;
        }
        return notLongerThan(all, option, value, LONGEST);
    }

    private static boolean notNegative(List<Violation> all, String option, Duration value) {
        if (value.isNegative()) {
            all.add(new Violation(option, text(value), "zero or more"));
            return false;
        }
        return notLongerThan(all, option, value, LONGEST);
    }

    private static boolean notLongerThan(List<Violation> all, String option, Duration value, Duration most) {
        if (value.compareTo(most) > 0) {
            all.add(new Violation(option, text(value), "at most " + text(most)));
            return false;
        }
        return true;
    }

    /**
     * {@code 1.5s}, {@code 250ms}: as people write durations.
     */
    static String text(Duration value) {
        return value.toString().substring(2).toLowerCase(java.util.Locale.ROOT);
    }
}
