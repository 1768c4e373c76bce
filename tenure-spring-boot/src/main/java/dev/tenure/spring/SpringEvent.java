package dev.tenure.spring;

import dev.tenure.log.LogEvent;
import java.util.List;
import org.slf4j.event.Level;

/**
 * What the auto-configuration tells.
 */
enum SpringEvent implements LogEvent {
    STORE_OF_APPLICATION(Level.INFO, "elections are held on {client} of the application", "client"),
    STORE_IN_MEMORY(
            Level.WARN,
            "ELECTIONS ARE HELD IN THIS PROCESS'S MEMORY, since {why}: every instance leads. Set tenure.store.url to"
                    + " elect one of several.",
            "why"),
    DRAIN_CUT_SHORT(
            Level.WARN,
            "work of {role} may run on while beans are destroyed: its drain-timeout of {drain_ms} is not below"
                    + " spring.lifecycle.timeout-per-shutdown-phase of {phase_ms}",
            "role",
            "drain_ms",
            "phase_ms"),
    NOT_MEASURED(Level.WARN, "elections are not measured: {error}", "error"),
    FENCE_UNAVAILABLE(Level.WARN, "the fence gives no answer, request refused: {role}", "role", "token"),
    METHOD_SKIPPED(Level.DEBUG, "skipped {method}: this instance does not lead {role}", "method", "role");

    private final Level level;
    private final String text;
    private final String keys;

    SpringEvent(Level level, String text, String... keys) {
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
        return List.of(keys.split(" "));
    }
}
