package dev.tenure.consul;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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
        CompletableFuture<String> inTime = new CompletableFuture<>();
        agent.later(limit, () -> inTime.completeExceptionally(agent.unavailable("no answer in time")));
        agent.call("PUT", "/v1/session/create", Json.write(fields), limit, LATE, RULE)
                .thenApply(this::id)
                .whenComplete((id, failed) -> {
                    if (failed != null) {
                        inTime.completeExceptionally(Trouble.rootOf(failed));
                    } else if (!inTime.complete(id)) {
                        destroy(id, limit);
                    }
                });
        return inTime;
    }

    private String id(Agent.Answer answer) {
        String id = Json.text(json(answer), "ID");
        if (id.isEmpty()) {
            throw agent.unavailable("a session without an id: " + Trouble.shortly(answer.body()));
        }
        return id;
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
     * @param lockDelay for how long the keys that it holds stay closed after its end
     * @param time within which its holder renews it; the longest there is if it cannot be told
     */
    record Info(Duration lockDelay, Duration time) {}

    /**
     * None if it is gone.
     */
    CompletionStage<Optional<Info>> info(String id, Duration limit) {
        return agent.call("GET", "/v1/session/info/" + id, "", limit, "session_prefix \"\" { policy = \"read\" }")
                .thenApply(answer -> Json.list(json(answer)).stream()
                        .map(session -> new Info(
                                Duration.ofNanos(Json.number(session, "LockDelay")),
                                Durations.go(Json.text(session, "TTL")).orElse(ConsulStore.LONGEST_LEASE)))
                        .findFirst());
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
