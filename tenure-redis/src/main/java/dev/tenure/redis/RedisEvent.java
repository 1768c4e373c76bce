package dev.tenure.redis;

import dev.tenure.log.LogEvent;
import java.util.List;
import org.slf4j.event.Level;

/**
 * What this store tells.
 */
enum RedisEvent implements LogEvent {
    WAKEUPS_LOST(
            Level.WARN,
            "releases are not heard of, each may cost up to the rest of a lease: {error}",
            "store",
            "where",
            "error"),
    WAKEUPS_REGAINED(Level.INFO, "releases are heard of again: {where}", "store", "where"),
    RECONNECT_REFUSED(Level.DEBUG, "closed meanwhile: {where}", "where"),
    CLIENT_CLOSE_LATE(Level.DEBUG, "closing goes on: {where}", "where");

    private final Level level;
    private final String text;
    private final String keys;

    RedisEvent(Level level, String text, String... keys) {
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
