package dev.tenure.redis;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * What a server tells about itself and its settings. Managed ones keep much to themselves.
 */
final class ServerFacts {
    private static final List<String> SETTINGS =
            List.of("save", "appendfsync", "min-replicas-to-write", "min-replicas-max-lag");

    private final Map<String, String> told = new ConcurrentHashMap<>();
    private final Map<String, String> refusals = new ConcurrentHashMap<>();

    private ServerFacts() {}

    /**
     * As if a server had told this, by INFO, CLUSTER INFO and CONFIG GET.
     */
    static ServerFacts of(Map<String, String> told) {
        ServerFacts facts = new ServerFacts();
        facts.told.putAll(told);
        return facts;
    }

    static CompletionStage<ServerFacts> from(ServerNode node) {
        ServerFacts facts = new ServerFacts();
        List<CompletableFuture<?>> asked = new ArrayList<>();
        asked.add(facts.ask(node, "info", server -> server.info().thenApply(ServerFacts::fields)));
        asked.add(facts.ask(node, "cluster|info", server -> server.clusterInfo().thenApply(ServerFacts::fields)));
        for (String setting : SETTINGS) {
            asked.add(facts.ask(node, "config|get", server -> server.configGet(setting)));
        }
        return CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new)).thenApply(done -> facts);
    }

    private CompletableFuture<?> ask(
            ServerNode node,
            String command,
            Function<RedisClusterAsyncCommands<String, String>, CompletionStage<Map<String, String>>> asking) {
        return node.call(asking)
                .handle((answer, failed) -> {
                    if (failed == null) {
                        told.putAll(answer);
                    } else {
                        refusals.put(command, Trouble.shortly(failed));
                    }
                    return command;
                })
                .toCompletableFuture();
    }

    private static Map<String, String> fields(String text) {
        Map<String, String> fields = new HashMap<>();
        text.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1).trim());
            }
        });
        return fields;
    }

    Optional<String> get(String name) {
        return Optional.ofNullable(told.get(name));
    }

    long number(String name) {
        return get(name)
                .filter(text -> text.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(0L);
    }

    boolean is(String name, String value) {
        return get(name).filter(value::equals).isPresent();
    }

    /**
     * Why what this command would have told is not known.
     */
    String refusal(String command) {
        return "not told: " + refusals.getOrDefault(command, command.toUpperCase(Locale.ROOT) + " does not say it");
    }

    /**
     * What would let it be told.
     */
    String remedy(String command) {
        return refusals.getOrDefault(command, "").startsWith("NOPERM")
                ? "ACL SETUSER USER +" + command
                : "look where the server is configured";
    }
}
