package dev.tenure.cli;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What others wrote, on one line of a terminal; and durations as people read them.
 */
final class Text {
    /**
     * What stores say of a record that somebody made without an end.
     */
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private Text() {}

    /**
     * Control and formatting characters become escapes, so that nothing moves the cursor or breaks the line.
     */
    static String oneLine(String text) {
        if (text.codePoints().noneMatch(Text::isOdd)) {
            return text;
        }
        StringBuilder safe = new StringBuilder();
        text.codePoints().forEach(c -> {
            if (isOdd(c)) {
                safe.append(String.format("\\u%04x", c));
            } else {
                safe.appendCodePoint(c);
            }
        });
        return safe.toString();
    }

    private static boolean isOdd(int c) {
        int type = Character.getType(c);
        return Character.isISOControl(c)
                || type == Character.FORMAT
                || type == Character.SURROGATE
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    /**
     * The message of a failure on one line, or its kind if it has none.
     */
    static String reason(Throwable failure) {
        String message = failure.getMessage();
        return oneLine(message == null || message.isBlank() ? failure.getClass().getSimpleName() : message.strip());
    }

    /**
     * Three figures or so: {@code 850ms}, {@code 12.3s}, {@code 4m05s}, {@code 3h12m}, {@code 2d07h}.
     */
    static String rough(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (duration.compareTo(LONGEST) >= 0) {
            return "never";
        }
        if (millis < 1_000) {
            return millis + "ms";
        }
        if (millis < 60_000) {
            return millis / 1_000 + "." + millis % 1_000 / 100 + "s";
        }
        long seconds = millis / 1_000;
        if (seconds < 3_600) {
            return String.format("%dm%02ds", seconds / 60, seconds % 60);
        }
        if (seconds < 86_400) {
            return String.format("%dh%02dm", seconds / 3_600, seconds / 60 % 60);
        }
        return String.format("%dd%02dh", seconds / 86_400, seconds / 3_600 % 24);
    }

    static String metadata(Map<String, String> metadata) {
        return metadata.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> oneLine(entry.getKey() + "=" + entry.getValue()))
                .collect(Collectors.joining(" "));
    }
}
