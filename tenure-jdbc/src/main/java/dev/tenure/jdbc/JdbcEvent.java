package dev.tenure.jdbc;

import dev.tenure.log.LogEvent;
import java.util.List;
import org.slf4j.event.Level;

/**
 * What these stores tells.
 */
enum JdbcEvent implements LogEvent {
    LISTEN_ENDED(Level.DEBUG, "no longer listening on {channel}", "channel"),
    LISTEN_FAILED(Level.DEBUG, "not listening on {channel}: candidates ask again by themselves", "channel"),
    LISTEN_UNHEARD(
            Level.DEBUG, "notifications on {channel} do not come back: is a transaction pooler between?", "channel"),
    CONNECTION_NOT_RESTORED(Level.DEBUG, "a connection could not be put back as it was"),
    CONNECTION_NOT_ABORTED(Level.DEBUG, "a connection could not be aborted"),
    CONNECTION_NOT_CLOSED(Level.DEBUG, "a connection could not be closed");

    private final Level level;
    private final String text;
    private final String keys;

    JdbcEvent(Level level, String text, String... keys) {
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
