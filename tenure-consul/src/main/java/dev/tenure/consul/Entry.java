package dev.tenure.consul;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
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

    /**
     * Of an answer of the KV store; none if it is 404.
     *
     * @throws dev.tenure.StoreUnavailableException if it is anything else
     */
    static List<Entry> all(Agent agent, Agent.Answer answer) {
        if (answer.status() == 404) {
            return List.of();
        }
        try {
            if (Json.parse(answer.body()) instanceof List<?> entries) {
                return entries.stream().map(Entry::of).toList();
            }
        } catch (IOException cut) {
            throw agent.unavailable("an answer that is not JSON: " + Trouble.shortly(answer.body()));
        }
        throw agent.unavailable("an answer that is no entry: " + Trouble.shortly(answer.body()));
    }

    boolean isLocked() {
        return !session.isEmpty();
    }
}
