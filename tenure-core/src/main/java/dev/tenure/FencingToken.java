package dev.tenure;

import java.io.Serializable;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/**
 * The number of a term that a resource compares: above those of all earlier terms of the role, on all
 * instances. Orders nothing beyond its role.
 *
 * @param value positive; for a column of type {@code BIGINT}
 */
public record FencingToken(String role, long value) implements Serializable {

    /**
     * The header of a write that a resource is to compare; its value is {@link #toHeader()}.
     */
    public static final String HEADER = "Tenure-Fencing-Token";

    public FencingToken {
        if (role.isEmpty() || value <= 0) {
            throw new IllegalArgumentException("token needs a role and a positive value: " + role + "=" + value);
        }
    }

    /**
     * The token in a header's value.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static FencingToken fromHeader(String text) {
        int split = text.lastIndexOf('=');
        if (split < 0) {
            throw new IllegalArgumentException("not a fencing token: " + text);
        }
        String role = URLDecoder.decode(text.substring(0, split), StandardCharsets.UTF_8);
        return new FencingToken(role, Long.parseLong(text.substring(split + 1)));
    }

    /**
     * Whether the other is of a later term.
     *
     * @throws IllegalArgumentException if the other belongs to another role
     */
    public boolean isOlderThan(FencingToken other) {
        if (!role.equals(other.role)) {
            throw new IllegalArgumentException("tokens of two roles have no order: " + this + " " + other);
        }
        return value < other.value;
    }

    /**
     * Role and value as visible ASCII, for a header or a message.
     */
    public String toHeader() {
        return URLEncoder.encode(role, StandardCharsets.UTF_8) + "=" + value;
    }

    @Override
    public String toString() {
        return role + "=" + value;
    }
}
