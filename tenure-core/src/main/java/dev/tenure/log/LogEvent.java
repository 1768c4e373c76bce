package dev.tenure.log;

import java.util.List;
import java.util.Locale;
import org.slf4j.event.Level;

/**
 * What a line of the log can tell; to be implemented by enums. The table in {@code docs/observability.md} has all of
 * them.
 */
public interface LogEvent {

    /**
     * The constant's.
     */
    String name();

    /**
     * What people search for and alert on: never changes its meaning, and is never used for another event.
     */
    default String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    Level level();

    /**
     * The sentence, with <code>{key}</code> where a value belongs into it.
     */
    String text();

    /**
     * Of all pairs that it may have.
     */
    List<String> keys();
}
