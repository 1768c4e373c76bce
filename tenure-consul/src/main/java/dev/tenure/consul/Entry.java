package dev.tenure.consul;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * A key as Consul has it.
 *
 * @param value empty where the answer has none
 * @param session who has locked it; empty if nobody
 * @param index its ModifyIndex
 */
record Entry(String key, String value, String session, long index) {

    /**
     * Of a JSON object that Consul answered.
     */
    static Entry of(@Nullable Object json) {
        String value;
        try {
            value = new String(Base64.getDecoder().decode(Json.text(json, "Value")), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException unsound) {
            value = "";
        }
        return new Entry(Json.text(json, "Key"), value, Json.text(json, "Session"), Json.number(json, "ModifyIndex"));
    }

    boolean isLocked() {
        return !session.isEmpty();
    }
}
