package dev.tenure.cli;

import java.util.Map;

/**
 * What a node said.
 *
 * @param nanos of {@link System#nanoTime()}, which all processes of a host share
 * @param token 0 if it is about no term
 */
record DemoEvent(String node, String name, long nanos, long token, String reason) {

    /**
     * Of a line of a node's event log.
     */
    static DemoEvent parse(String node, String line) {
        Map<String, String> fields = Json.readFlat(line);
        return new DemoEvent(
                node,
                fields.getOrDefault("event", ""),
                Long.parseLong(fields.getOrDefault("mono_ns", "0")),
                Long.parseLong(fields.getOrDefault("token", "0")),
                fields.getOrDefault("reason", ""));
    }

    boolean is(String event) {
        return name.equals(event);
    }
}
