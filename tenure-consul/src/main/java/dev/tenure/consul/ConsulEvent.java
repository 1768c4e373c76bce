package dev.tenure.consul;

import dev.tenure.log.LogEvent;
import java.util.List;
import org.slf4j.event.Level;

/**
 * What this store tells.
 */
enum ConsulEvent implements LogEvent {
    WAKEUPS_LOST(Level.WARN, "changes are not heard of, each may cost seconds: {error}", "store", "where", "error"),
    WAKEUPS_REGAINED(Level.INFO, "changes are heard of again: {where}", "store", "where"),
    FILES_UNUSABLE(Level.WARN, "{error}; what was read before is used on", "error"),
    CLIENT_LEFT(Level.DEBUG, "the HTTP client is left to the garbage collector: {where}", "where");

    private final Level level;
    private final String text;
    private final String keys;

    ConsulEvent(Level level, String text, String... keys) {
        this.level = level;
        this.text = text;
        this.keys = String.join(" ", keys);
    }

    @Override
    public Level level() {
        return level;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public List<String> keys() {
        return keys.isEmpty() ? List.of() : List.of(keys.split(" "));
    }
}
