package dev.tenure.log;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.helpers.SubstituteLogger;
import org.slf4j.spi.DefaultLoggingEventBuilder;
import org.slf4j.spi.LoggingEventAware;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * One line of the log: made where the event happens, and written there or on another thread. The text alone has all that
 * the pairs have, for logs that are text:
 *
 * <pre>elected: billing token=1767 term=1 key=leader:billing store=redis [leadership_acquired]</pre>
 *
 * <p>Loggers that take key-value pairs get them besides, named {@code tenure.event}, {@code tenure.role} and so on. A line
 * whose level is off is not made.
 */
public final class LogLine {
    /**
     * Before each name of a pair; the rest of a log is other people's.
     */
    public static final String PREFIX = "tenure.";

    private static final String MILLIS = "_ms";
    private static final LogLine OFF = new LogLine(NOPLogger.NOP_LOGGER, CoreEvent.LOOP_FAULTED, Level.TRACE);

    private final Logger log;
    private final LogEvent event;
    private final Level level;
    private final Map<String, Object> pairs = new LinkedHashMap<>();
    private @Nullable Throwable cause;

    private LogLine(Logger log, LogEvent event, Level level) {
        this.log = log;
        this.event = event;
        this.level = level;
    }

    public static LogLine of(Logger log, LogEvent event) {
        return of(log, event, event.level());
    }

    /**
     * At another level than the event's own.
     */
    public static LogLine of(Logger log, LogEvent event, Level level) {
        return log.isEnabledForLevel(level) ? new LogLine(log, event, level) : OFF;
    }

    /**
     * Whether it will be written.
     */
    public boolean isOn() {
        return !equals(OFF);
    }

    /**
     * Adds a text.
     *
     * @param value null adds nothing
     */
    public LogLine with(String key, @Nullable String value) {
        return add(key, value);
    }

    public LogLine with(String key, long value) {
        return isOn() ? add(key, value) : this;
    }

    /**
     * Adds a span of time.
     *
     * @param key ends in {@code _ms}: milliseconds in the pair, {@code 1.5s} in the text
     */
    public LogLine with(String key, Duration value) {
        return add(key, value);
    }

    /**
     * Adds what was thrown; its trace follows the line.
     *
     * @param why null for none
     */
    public LogLine cause(@Nullable Throwable why) {
        if (isOn()) {
            cause = why;
        }
        return this;
    }

    /**
     * Adds what was thrown where DEBUG is on; the line says enough without it.
     */
    public LogLine detail(Throwable why) {
        return log.isDebugEnabled() ? cause(why) : this;
    }

    private LogLine add(String key, @Nullable Object value) {
        if (isOn() && value != null) {
            pairs.put(key, value);
        }
        return this;
    }

    /**
     * On the calling thread, which waits for whatever the log writes to. To be called once.
     */
    public void write() {
        if (!isOn()) {
            return;
        }
        LoggingEventBuilder line = log.atLevel(level);
        if (takesPairs(line)) {
            line = line.addKeyValue(PREFIX + "event", event.id());
            for (Map.Entry<String, Object> pair : pairs.entrySet()) {
                Object value = pair.getValue();
                line = line.addKeyValue(
                        PREFIX + pair.getKey(), value instanceof Duration span ? span.toMillis() : value);
            }
        }
        if (cause != null) {
            line = line.setCause(cause);
        }
        line.log(text());
    }

    /**
     * Not if it would only put them in front of the text.
     */
    private boolean takesPairs(LoggingEventBuilder line) {
        if (!line.getClass().equals(DefaultLoggingEventBuilder.class)) {
            return true;
        }
        return log instanceof SubstituteLogger early
                ? early.isDelegateEventAware() // one that was made while the logging system began
                : log instanceof LoggingEventAware;
    }

    private String text() {
        StringBuilder text = new StringBuilder(128);
        Map<String, Object> rest = new LinkedHashMap<>(pairs);
        String sentence = event.text();
        int from = 0;
        for (int open = sentence.indexOf('{'); open >= 0; open = sentence.indexOf('{', from)) {
            int close = sentence.indexOf('}', open);
            String key = sentence.substring(open + 1, close);
            rest.remove(key);
            text.append(sentence, from, open).append(pairs.containsKey(key) ? text(pairs.get(key)) : "none");
            from = close + 1;
        }
        text.append(sentence, from, sentence.length());
        rest.forEach((key, value) -> text.append(' ')
                .append(value instanceof Duration ? withoutUnit(key) : key)
                .append('=')
                .append(quoted(text(value))));
        return text.append(" [").append(event.id()).append(']').toString();
    }

    private static String withoutUnit(String key) {
        return key.endsWith(MILLIS) ? key.substring(0, key.length() - MILLIS.length()) : key;
    }

    /**
     * On one line, whatever a store's message has in it.
     */
    private static String text(@Nullable Object value) {
        if (value instanceof Duration span) {
            Duration rounded = Duration.ofMillis(TimeUnit.NANOSECONDS.toMillis(span.toNanos()));
            return rounded.toString().substring(2).toLowerCase(Locale.ROOT);
        }
        return String.valueOf(value).replaceAll("\\p{Cntrl}+", " ");
    }

    private static String quoted(String value) {
        boolean plain = !value.isEmpty() && value.chars().noneMatch(each -> each == ' ' || each == '"' || each == '=');
        return plain ? value : '"' + value.replace("\"", "'") + '"';
    }
}
