package dev.tenure;

import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.engine.Settings;
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

    /**
     * So that whatever follows from it is above zero.
     */
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(1);

    private static final String ROLE = "{role}";
    private static final String NOTHING_ODD = "without white space and control characters";
    private static final int LONGEST_ROLE = 128;
    private static final int LONGEST_NAME = 256;

    private OptionRules() {}

    static List<Violation> check(ElectionOptions o) {
        List<Violation> all = new ArrayList<>();
        OptionValues set = o.set();
        checkSpans(all, o, set);
        boolean drain = notNegative(all, "drainTimeout", set.drainTimeout);
        boolean interrupt = notNegative(all, "interruptAfter", set.interruptAfter);
        if (drain && interrupt && set.interruptAfter != null && set.interruptAfter.compareTo(set.drainTimeout) > 0) {
            all.add(new Violation(
                    "interruptAfter", text(set.interruptAfter), "at most drainTimeout=" + text(set.drainTimeout)));
        }
        notNegative(all, "startDelay", set.startDelay);
        boolean first = positive(all, "workBackoff", set.firstBackoff, " for its first");
        if (first && set.longestBackoff.compareTo(set.firstBackoff) < 0) {
            all.add(new Violation(
                    "workBackoff", text(set.longestBackoff), "at least its first=" + text(set.firstBackoff)));
        } else {
            positive(all, "workBackoff", set.longestBackoff, " for its most");
        }
        if (set.healthCheck != null) {
            positive(all, "healthGrace", set.healthGrace);
        }
        checkNames(all, set);
        return all;
    }

    /**
     * What hangs on the lease. Where one is wrong, the others are still held to what is true without it.
     */
    private static void checkSpans(List<Violation> all, ElectionOptions o, OptionValues set) {
        boolean lease = positive(all, "lease", set.lease);
        if (lease && set.lease.compareTo(SHORTEST_LEASE) < 0) {
            all.add(new Violation("lease", text(set.lease), "at least " + text(SHORTEST_LEASE)));
            lease = false;
        }
        boolean margin = notNegative(all, "safetyMargin", set.safetyMargin) && lease;
        if (margin && o.safetyMargin().compareTo(set.lease) >= 0) {
            all.add(new Violation("safetyMargin", text(o.safetyMargin()), "below lease=" + text(set.lease)));
            margin = false;
        }
        String room = margin ? "lease - safetyMargin" : "lease";
        Duration left = margin ? set.lease.minus(o.safetyMargin()) : set.lease;
        boolean renew = positive(
                        all,
                        "renewInterval",
                        margin ? o.renewInterval() : set.renewInterval,
                        set.renewInterval == null ? " (not set, follows from lease and safetyMargin)" : "")
                && (margin || set.renewInterval != null);
        if (renew && lease) {
            renew = atMostHalf(all, "renewInterval", o.renewInterval(), room, left, set.lease);
        }
        if (renew && lease) {
            room += " - renewInterval";
            left = left.minus(o.renewInterval());
        }
        boolean derivable = margin && renew;
        boolean call = positive(
                all,
                "callTimeout",
                derivable ? o.callTimeout() : set.callTimeout,
                set.callTimeout == null ? " (not set, follows from lease, safetyMargin and renewInterval)" : "");
        if (call && lease && set.callTimeout != null) {
            atMostHalf(all, "callTimeout", set.callTimeout, room, left, set.lease);
        }
        positive(all, "retryInterval", lease ? o.retryInterval() : set.retryInterval);
        notNegative(all, "retryJitter", set.retryJitter);
    }

    private static boolean atMostHalf(
            List<Violation> all, String option, Duration value, String room, Duration left, Duration lease) {
        Duration most = left.dividedBy(2);
        if (value.compareTo(most) <= 0) {
            return true;
        }
        String half = room.equals("lease") ? room : "(" + room + ")";
        all.add(new Violation(
                option, text(value), "at most " + half + " / 2 = " + text(most) + ", lease=" + text(lease)));
        return false;
    }

    private static void checkNames(List<Violation> all, OptionValues set) {
        if (set.keyFormat != null && !set.keyFormat.contains(ROLE)) {
            all.add(new Violation("keyFormat", shown(set.keyFormat), "a text with {role} in it"));
        }
        if (set.keyFormat != null && hasOddCharacters(set.keyFormat)) {
            all.add(new Violation("keyFormat", shown(set.keyFormat), NOTHING_ODD));
        }
        if (set.key != null && set.key.isEmpty()) {
            all.add(new Violation("key", "", "at least one character"));
        }
        if (set.key != null && hasOddCharacters(set.key)) {
            all.add(new Violation("key", shown(set.key), NOTHING_ODD));
        }
    }

    /**
     * With all that can be said without a role.
     */
    static List<Violation> check(ElectionOptions o, StoreTraits store) {
        List<Violation> all = checkOn(o, store);
        o.key().ifPresent(key -> checkLength(all, key, store.longestKey()));
        return all;
    }

    static List<Violation> check(ElectionOptions o, String role, StoreTraits store) {
        List<Violation> all = checkOn(o, store);
        all.addAll(checkKey(o, role, store.defaultKeyFormat(), store.longestKey()));
        return all;
    }

    private static List<Violation> checkOn(ElectionOptions o, StoreTraits store) {
        List<Violation> all = check(o);
        if (all.stream().noneMatch(violation -> violation.option().equals("lease"))) {
            if (o.lease().compareTo(store.shortestLease()) < 0) {
                all.add(new Violation(
                        "lease", text(o.lease()), "at least " + text(store.shortestLease()) + " on " + store.name()));
            }
            if (o.lease().compareTo(store.longestLease()) > 0) {
                all.add(new Violation("lease", text(o.lease()), "at most " + text(store.longestLease())));
            }
        }
        return all;
    }

    static String resolveKey(ElectionOptions o, String role, String format, int maxLength) {
        InvalidOptionsException.throwIfAny(checkKey(o, role, format, maxLength));
        return expand(o, role, format);
    }

    /**
     * The characters of key and format are not looked at again.
     */
    private static List<Violation> checkKey(ElectionOptions o, String role, String format, int maxLength) {
        List<Violation> all = new ArrayList<>(checkRole(role));
        if (all.isEmpty() || o.key().isPresent()) { // otherwise the key follows from the role
            checkLength(all, expand(o, role, format), maxLength);
        }
        return all;
    }

    private static void checkLength(List<Violation> all, String key, int maxLength) {
        if (key.length() > maxLength) {
            all.add(new Violation("key", shown(key), "1 to " + maxLength + " characters, has " + key.length()));
        }
    }

    static List<Violation> checkRole(@Nullable String role) {
        if (role == null) {
            return List.of(new Violation("role", "null", "given"));
        }
        if (role.isEmpty() || role.length() > LONGEST_ROLE) {
            return List.of(
                    new Violation("role", shown(role), "1 to " + LONGEST_ROLE + " characters, has " + role.length()));
        }
        if (hasOddCharacters(role)) {
            return List.of(new Violation("role", shown(role), NOTHING_ODD));
        }
        return List.of();
    }

    static List<Violation> checkInstance(@Nullable String name, Map<String, String> metadata) {
        List<Violation> all = new ArrayList<>();
        if (name != null && (name.isEmpty() || name.length() > LONGEST_NAME)) {
            all.add(new Violation(
                    "instance", shown(name), "1 to " + LONGEST_NAME + " characters, has " + name.length()));
        } else if (name != null && name.isBlank()) {
            all.add(new Violation("instance", shown(name), "more than white space"));
        } else if (name != null && name.chars().anyMatch(Character::isISOControl)) {
            all.add(new Violation("instance", shown(name), "without control characters"));
        }
        int size = Settings.size(metadata);
        if (size > Settings.LONGEST_METADATA) {
            all.add(new Violation(
                    "metadata", size + " characters", "at most " + Settings.LONGEST_METADATA + " characters in all"));
        }
        return all;
    }

    private static String expand(ElectionOptions o, String role, String format) {
        return o.key().orElseGet(() -> o.keyFormat().orElse(format).replace(ROLE, role));
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

    /**
     * @param value null if it is not set, which is fine
     */
    private static boolean positive(List<Violation> all, String option, @Nullable Duration value) {
        return positive(all, option, value, "");
    }

    /**
     * @param which says what of the option it is, if that is not plain
     */
    private static boolean positive(List<Violation> all, String option, @Nullable Duration value, String which) {
        if (value != null && (value.isNegative() || value.isZero())) {
            all.add(new Violation(option, text(value), "above zero" + which));
            return false;
        }
        return notTooLong(all, option, value, which);
    }

    private static boolean notNegative(List<Violation> all, String option, @Nullable Duration value) {
        if (value != null && value.isNegative()) {
            all.add(new Violation(option, text(value), "zero or more"));
            return false;
        }
        return notTooLong(all, option, value, "");
    }

    private static boolean notTooLong(List<Violation> all, String option, @Nullable Duration value, String which) {
        if (value != null && value.compareTo(LONGEST) > 0) {
            all.add(new Violation(option, text(value), "at most " + text(LONGEST) + which));
            return false;
        }
        return true;
    }

    /**
     * {@code 1.5s}, {@code 1m30s}: as people write durations.
     */
    static String text(Duration value) {
        return value.toString().substring(2).toLowerCase(java.util.Locale.ROOT);
    }
}
