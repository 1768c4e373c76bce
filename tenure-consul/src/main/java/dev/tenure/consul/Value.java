package dev.tenure.consul;

import dev.tenure.spi.Holder;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a key, as JSON. It outlives its session: only a key that a session has locked is held.
 *
 * @param lease of the session
 * @param token 0 if it is the key's ModifyIndex; else that of the term's first session
 * @param revoked by an operator: nobody's
 */
record Value(Holder holder, Optional<Instant> since, Duration lease, long token, boolean revoked) {
    private static final long VERSION = 1;
    private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(15);

    String json(String session) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("v", VERSION);
        fields.put("name", holder.name());
        fields.put("incarnation", holder.incarnation());
        fields.put("metadata", holder.metadata());
        since.ifPresent(instant -> fields.put("since", instant.toString()));
        fields.put("lease", lease.toMillis());
        fields.put("session", session);
        if (token != 0) {
            fields.put("token", token);
        }
        if (revoked) {
            fields.put("revoked", true);
        }
        return Json.write(fields);
    }

    /**
     * None if it is of another version.
     *
     * @throws IOException if it cannot be read
     */
    static Optional<Value> parse(String text) throws IOException {
        Object json = Json.parse(text);
        if (!(json instanceof Map)) {
            throw new IOException("not an object");
        }
        if (Json.number(json, "v") != VERSION) {
            return Optional.empty();
        }
        String incarnation = Json.text(json, "incarnation");
        if (incarnation.isEmpty()) {
            throw new IOException("no incarnation");
        }
        long lease = Json.number(json, "lease");
        return Optional.of(new Value(
                new Holder(Json.text(json, "name"), incarnation, metadata(Json.field(json, "metadata"))),
                since(Json.text(json, "since")),
                lease > 0 ? Duration.ofMillis(lease) : UNKNOWN_LEASE,
                Json.number(json, "token"),
                Boolean.TRUE.equals(Json.field(json, "revoked"))));
    }

    /**
     * A stand-in for what cannot be read, and what is of another version.
     */
    static Value unreadable(Entry entry) {
        Holder nobody = new Holder("unknown", "unreadable:" + entry.session(), Map.of());
        return new Value(nobody, Optional.empty(), UNKNOWN_LEASE, 0, false);
    }

    /**
     * As {@link #parse}, or the stand-in.
     */
    static Value of(Entry entry) {
        try {
            return parse(entry.value()).orElseGet(() -> unreadable(entry));
        } catch (IOException broken) {
            return unreadable(entry);
        }
    }

    private static Map<String, String> metadata(@Nullable Object json) {
        Map<String, String> metadata = new LinkedHashMap<>();
        if (json instanceof Map<?, ?> fields) {
            fields.forEach((name, value) -> metadata.put(String.valueOf(name), String.valueOf(value)));
        }
        return metadata;
    }

    private static Optional<Instant> since(String text) {
        try {
            return text.isEmpty() ? Optional.empty() : Optional.of(Instant.parse(text));
        } catch (DateTimeException unsound) {
            return Optional.empty();
        }
    }

    /**
     * Taken from its holder, who keeps the name.
     */
    Value revokedAs(String incarnation) {
        return new Value(new Holder(holder.name(), incarnation, holder.metadata()), since, lease, 0, true);
    }

    /**
     * Of the same term on a longer session.
     */
    Value prolonged(Duration longer, long keptToken) {
        return new Value(holder, since, longer, keptToken, revoked);
    }

    long tokenAt(long index) {
        return token != 0 ? token : index;
    }
}
