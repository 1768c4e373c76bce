package dev.tenure.consul;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/**
 * Operations on keys that Consul carries out all or not at all. Of reads alone, none is written to Raft.
 */
final class Transaction {
    /**
     * That Consul takes at once.
     */
    static final int MOST = 64;

    /**
     * What Consul answered.
     *
     * @param entries empty if one operation failed; deletions have none
     * @param errors by the index of the operation
     */
    record Outcome(List<Entry> entries, Map<Integer, String> errors) {
        boolean done() {
            return errors.isEmpty();
        }

        /**
         * Why it was not done; empty if it was.
         */
        String why() {
            return String.join("; ", errors.values());
        }
    }

    private final List<Map<String, Object>> operations = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();

    /**
     * The session takes the key and writes the value.
     */
    Transaction lock(String key, String session, String value) {
        return add("lock", key, Map.of("Session", session, "Value", base64(value)));
    }

    /**
     * The session gives the key back; the value stays.
     */
    Transaction unlock(String key, String session, String value) {
        return add("unlock", key, Map.of("Session", session, "Value", base64(value)));
    }

    Transaction checkSession(String key, String session) {
        return add("check-session", key, Map.of("Session", session));
    }

    Transaction checkIndex(String key, long index) {
        return add("check-index", key, Map.of("Index", index));
    }

    Transaction deleteAt(String key, long index) {
        return add("delete-cas", key, Map.of("Index", index));
    }

    Transaction set(String key, String value) {
        return add("set", key, Map.of("Value", base64(value)));
    }

    Transaction get(String key) {
        return add("get", key, Map.of());
    }

    /**
     * Unlike {@link #get}, a missing key is no error; the keys that begin with it come too.
     */
    Transaction getTree(String key) {
        return add("get-tree", key, Map.of());
    }

    private Transaction add(String verb, String key, Map<String, Object> more) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("Verb", verb);
        fields.put("Key", key);
        fields.putAll(more);
        operations.add(fields);
        keys.add(key);
        return this;
    }

    private static String base64(String value) {
        return Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Fails if a right for any of them is missing.
     */
    CompletionStage<Outcome> send(Agent agent, Duration limit) {
        return sendEach(agent, limit).thenApply(outcome -> {
            outcome.errors().forEach((index, what) -> {
                if (Trouble.isForbidden(what)) {
                    throw Trouble.forbidden(
                            agent.where(),
                            what,
                            rule(keys.get(index)),
                            agent.options().token());
                }
            });
            return outcome;
        });
    }

    /**
     * A right that is missing for one is an error of that one.
     */
    CompletionStage<Outcome> sendEach(Agent agent, Duration limit) {
        Place place = agent.options().place();
        List<Object> all = new ArrayList<>();
        for (Map<String, Object> operation : operations) {
            Map<String, Object> fields = new LinkedHashMap<>(operation);
            fields.putAll(place.fields());
            all.add(Map.of("KV", fields));
        }
        return place.check(agent, limit)
                .thenCompose(
                        known -> agent.call("PUT", "/v1/txn?consistent", Json.write(all), limit, rule(keys.get(0))))
                .thenApply(answer -> outcome(agent, answer));
    }

    private Outcome outcome(Agent agent, Agent.Answer answer) {
        Object json;
        try {
            json = Json.parse(answer.body());
        } catch (IOException cut) {
            throw agent.unavailable("an answer that is not JSON: " + Trouble.shortly(answer.body()));
        }
        Map<Integer, String> errors = new LinkedHashMap<>();
        for (Object error : Json.list(Json.field(json, "Errors"))) {
            errors.put((int) Json.number(error, "OpIndex"), Json.text(error, "What"));
        }
        if (answer.status() != 200 && errors.isEmpty()) {
            throw agent.unavailable(answer.status() + " " + Trouble.shortly(answer.body()));
        }
        List<Entry> entries = new ArrayList<>();
        for (Object result : Json.list(Json.field(json, "Results"))) {
            entries.add(Entry.of(Json.field(result, "KV")));
        }
        return new Outcome(entries, errors);
    }

    static String readRule(String key) {
        return "key \"" + key + "\" { policy = \"read\" }";
    }

    static String rule(String key) {
        return "key \"" + key + "\" { policy = \"write\" }";
    }
}
