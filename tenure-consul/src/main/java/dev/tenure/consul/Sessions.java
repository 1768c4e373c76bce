package dev.tenure.consul;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Sessions of this store. Their name tells the key, for people and for listing.
 */
final class Sessions {
    private static final String NAME = "tenure ";
    private static final String RULE = "session_prefix \"\" { policy = \"write\" }";

    /**
     * A session whose answer comes late is waited for, since nobody could destroy it else.
     */
    private static final Duration LATE = Duration.ofSeconds(10);

    private final Agent agent;
    private final ConsulOptions options;

    Sessions(Agent agent, ConsulOptions options) {
        this.agent = agent;
        this.options = options;
    }

    /**
     * A new one's id.
     */
    CompletionStage<String> create(String key, Duration lease, Duration limit) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("Name", NAME + key);
        fields.put("TTL", lease.toMillis() + "ms");
        fields.put("LockDelay", options.lockDelay().toMillis() + "ms");
        fields.put("Behavior", "release");
        fields.put("NodeChecks", options.nodeChecks());
        return agent.call("PUT", "/v1/session/create", Json.write(fields), limit, LATE, RULE)
                .thenApply(answer -> {
                    String id = Json.text(json(answer), "ID");
                    if (id.isEmpty()) {
                        throw agent.unavailable("a session without an id: " + Trouble.shortly(answer.body()));
                    }
                    return id;
                });
    }

    /**
     * False if it is gone.
     */
    CompletionStage<Boolean> renew(String id, Duration limit) {
        return agent.call("PUT", "/v1/session/renew/" + id, "", limit, RULE).thenApply(answer -> {
            boolean gone = answer.status() == 404 && answer.body().contains("Session id"); // not just any 404
            if (answer.status() != 200 && !gone) {
                throw agent.unavailable(answer.status() + " " + Trouble.shortly(answer.body()));
            }
            return !gone;
        });
    }

    /**
     * Nothing if it is gone. A key that it holds gets the lock delay.
     */
    CompletionStage<Void> destroy(String id, Duration limit) {
        return agent.call("PUT", "/v1/session/destroy/" + id, "", limit, RULE).thenAccept(answer -> {});
    }

    /**
     * For how long the keys that it holds stay closed after its end; zero if it is gone.
     */
    CompletionStage<Duration> lockDelay(String id, Duration limit) {
        return agent.call("GET", "/v1/session/info/" + id, "", limit, "session_prefix \"\" { policy = \"read\" }")
                .thenApply(answer -> Json.list(json(answer)).stream()
                        .map(session -> Duration.ofNanos(Json.number(session, "LockDelay")))
                        .findFirst()
                        .orElse(Duration.ZERO));
    }

    /**
     * The keys of sessions like ours, of all stores.
     */
    CompletionStage<List<String>> keys(Duration limit) {
        return agent.call("GET", "/v1/session/list", "", limit, "session_prefix \"\" { policy = \"read\" }")
                .thenApply(answer -> Json.list(json(answer)).stream()
                        .map(session -> Json.text(session, "Name"))
                        .filter(name -> name.startsWith(NAME))
                        .map(name -> name.substring(NAME.length()))
                        .distinct()
                        .toList());
    }

    private @Nullable Object json(Agent.Answer answer) {
        try {
            return Json.parse(answer.body());
        } catch (IOException cut) {
            throw agent.unavailable("an answer that is not JSON: " + Trouble.shortly(answer.body()));
        }
    }
}
