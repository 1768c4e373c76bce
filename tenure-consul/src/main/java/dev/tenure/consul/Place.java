package dev.tenure.consul;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Where in Consul sessions and keys are: data center and, in Consul Enterprise, namespace and admin partition.
 */
final class Place {
    /**
     * Of no session.
     */
    private static final String NOBODY = "00000000-0000-0000-0000-000000000000";

    private final String query;
    private final Map<String, String> fields = new LinkedHashMap<>();
    private volatile boolean known;

    /**
     * Each is empty for the agent's or the token's own.
     */
    Place(String datacenter, String namespace, String partition) {
        StringBuilder all = new StringBuilder();
        add(all, "dc", datacenter);
        add(all, "ns", namespace);
        add(all, "partition", partition);
        query = all.toString();
        if (!namespace.isEmpty()) {
            fields.put("Namespace", namespace);
        }
        if (!partition.isEmpty()) {
            fields.put("Partition", partition);
        }
        known = fields.isEmpty();
    }

    private static void add(StringBuilder query, String name, String value) {
        if (!value.isEmpty()) {
            query.append(query.isEmpty() ? "" : "&").append(name).append('=').append(Paths.encode(value));
        }
    }

    /**
     * @param path of a request, perhaps with a query
     */
    String in(String path) {
        return query.isEmpty() ? path : path + (path.contains("?") ? "&" : "?") + query;
    }

    /**
     * Of each operation in a transaction, which heeds no namespace and partition in its query.
     */
    Map<String, String> fields() {
        return fields;
    }

    /**
     * Fails on a Consul that refuses namespace or partition. Its transactions would ignore them, and
     * meet the keys of others.
     */
    CompletionStage<Void> check(Agent agent, Duration limit) {
        return known
                ? CompletableFuture.completedStage(null)
                : agent.call(
                                "GET",
                                "/v1/session/info/" + NOBODY,
                                "",
                                limit,
                                "session_prefix \"\" { policy = \"read\" }")
                        .thenAccept(answer -> known = true);
    }
}
