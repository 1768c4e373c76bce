package dev.tenure.cli;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Events of an election as JSON lines, each written whole and at once, appended. Thread-safe. A line that cannot be
 * written is lost, and the first one is told: a full disk ends no leadership.
 */
final class EventLog {
    /**
     * What happened to which term.
     *
     * @param token none if it belongs to no term
     * @param term none if it belongs to no term
     */
    record Event(
            String name,
            @Nullable Long token,
            @Nullable Long term,
            @Nullable String reason) {
        static Event of(String name, @Nullable String reason) {
            return new Event(name, null, null, reason);
        }
    }

    private final OutputStream out;
    private final String role;
    private final String candidate;
    private final Consumer<String> complaints;
    private boolean failing;

    EventLog(OutputStream out, String role, String candidate, Consumer<String> complaints) {
        this.out = out;
        this.role = role;
        this.candidate = candidate;
        this.complaints = complaints;
    }

    /**
     * Opens a file to append to.
     *
     * @throws CommandFailure if it cannot be written
     */
    static OutputStream append(Path file) {
        try {
            return new FileOutputStream(file.toFile(), true);
        } catch (IOException cannot) {
            throw CommandFailure.usage(
                    "--events must be a file that can be written: --events=" + Text.oneLine(file.toString()));
        }
    }

    synchronized void write(Event event) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("t", Instant.now().toString());
        line.put("mono_ns", System.nanoTime());
        line.put("role", role);
        line.put("event", event.name());
        line.put("token", event.token());
        line.put("term", event.term());
        line.put("name", candidate);
        line.put("reason", event.reason());
        try {
            String begun = failing ? "\n" : ""; // by a line that was cut
            out.write((begun + Json.write(line) + "\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
            failing = false;
        } catch (IOException full) {
            if (!failing) {
                complaints.accept("events cannot be written: " + Text.reason(full));
            }
            failing = true;
        }
    }
}
