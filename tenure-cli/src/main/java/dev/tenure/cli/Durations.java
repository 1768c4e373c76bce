package dev.tenure.cli;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Durations as people write them, {@code 15s}, {@code 500ms}, {@code 1.5s}, {@code 2m}, {@code 1h}, {@code 1d}, and ISO
 * 8601.
 */
final class Durations {
    private static final Pattern SHORT = Pattern.compile("([+-]?\\d{1,12}(?:\\.\\d{1,9})?)\\s*(us|ms|s|m|h|d)");
    private static final Duration LONGEST = Duration.ofDays(365);
    private static final String FORM = "a duration such as 15s, 500ms, 2m, 1h or PT15S";

    private Durations() {}

    /**
     * For options that must be above zero.
     */
    static final class Positive implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Duration duration = parse(text);
            if (duration.isZero() || duration.isNegative()) {
                throw refused("above zero");
            }
            return duration;
        }
    }

    /**
     * For options that may be zero.
     */
    static final class NotNegative implements ITypeConverter<Duration> {
        @Override
        public Duration convert(String text) {
            Duration duration = parse(text);
            if (duration.isNegative()) {
                throw refused("zero or more");
            }
            return duration;
        }
    }

    private static Duration parse(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        Matcher matcher = SHORT.matcher(lower);
        Duration duration;
        if (matcher.matches()) {
            BigDecimal nanos = new BigDecimal(matcher.group(1)).multiply(unit(matcher.group(2)));
            if (nanos.abs().compareTo(BigDecimal.valueOf(LONGEST.toNanos())) > 0) {
                throw refused("at most 365d");
            }
            duration = Duration.ofNanos(nanos.longValue());
        } else {
            duration = parseIso(lower);
        }
        if (duration.compareTo(LONGEST) > 0) {
            throw refused("at most 365d");
        }
        return duration;
    }

    private static BigDecimal unit(String name) {
        return BigDecimal.valueOf(
                switch (name) {
                    case "us" -> 1_000L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> 86_400_000_000_000L;
                });
    }

    private static Duration parseIso(String lower) {
        try {
            return Duration.parse(lower);
        } catch (DateTimeException | ArithmeticException malformed) {
            throw refused(FORM);
        }
    }

    private static TypeConversionException refused(String bound) {
        return new TypeConversionException("must be " + bound);
    }
}
