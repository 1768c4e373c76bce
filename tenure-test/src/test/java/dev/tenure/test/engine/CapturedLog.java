package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.event.KeyValuePair;
import org.slf4j.event.Level;
import org.slf4j.event.LoggingEvent;

/**
 * What is logged while a test runs, instead of on standard error. When it is closed, each line must have been one of the
 * events, with pairs of that event only.
 */
final class CapturedLog implements AutoCloseable {
    private static final String EVENT = LogLine.PREFIX + "event";

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    CapturedLog() {
        RecordingLogger.recorded().clear();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
    }

    String text() {
        return written.toString(StandardCharsets.UTF_8);
    }

    /**
     * The lines of one level, stack traces not among them.
     */
    List<String> lines(String level) {
        return text().lines()
                .filter(line -> line.contains(level + " dev.tenure"))
                .toList();
    }

    List<String> lines(String level, String with) {
        return lines(level).stream().filter(line -> line.contains(with)).toList();
    }

    /**
     * The pairs of all lines of an event at its level, in order; each has all keys of the event.
     */
    List<Map<String, Object>> told(CoreEvent event) {
        List<Map<String, Object>> all = pairs(event, event.level());
        all.forEach(pairs -> assertThat(List.copyOf(pairs.keySet())).isEqualTo(event.keys()));
        return all;
    }

    /**
     * The same of those that are logged at this level, which may lack pairs.
     */
    List<Map<String, Object>> pairs(CoreEvent event, Level level) {
        return RecordingLogger.recorded().stream()
                .filter(line -> event.id().equals(all(line).get(EVENT)) && line.getLevel() == level)
                .map(CapturedLog::withoutEvent)
                .toList();
    }

    private static Map<String, Object> all(LoggingEvent line) {
        Map<String, Object> all = new LinkedHashMap<>();
        List<KeyValuePair> pairs = line.getKeyValuePairs() == null ? List.of() : line.getKeyValuePairs();
        pairs.forEach(pair -> all.put(pair.key, pair.value));
        return all;
    }

    private static Map<String, Object> withoutEvent(LoggingEvent line) {
        Map<String, Object> rest = new LinkedHashMap<>();
        all(line).forEach((key, value) -> {
            assertThat(key).startsWith(LogLine.PREFIX);
            if (!key.equals(EVENT)) {
                rest.put(key.substring(LogLine.PREFIX.length()), value);
            }
        });
        return rest;
    }

    private static void check(LoggingEvent line) {
        String id = String.valueOf(all(line).get(EVENT));
        CoreEvent event = CoreEvent.valueOf(id.toUpperCase(java.util.Locale.ROOT));
        assertThat(event.keys()).as(id).containsAll(withoutEvent(line).keySet());
        assertThat(line.getMessage()).endsWith(" [" + id + "]");
        boolean once = event == CoreEvent.CANDIDATE_STARTED || event == CoreEvent.CANDIDATE_STOPPED;
        assertThat(line.getLevel()).as(id).isIn(event.level(), once ? Level.DEBUG : event.level());
    }

    @Override
    public void close() {
        System.setErr(before);
        List.copyOf(RecordingLogger.recorded()).forEach(CapturedLog::check);
    }
}
