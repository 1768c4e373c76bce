package dev.tenure.redis;

import dev.tenure.spi.Finding;
import dev.tenure.spi.Finding.Severity;
import dev.tenure.spi.LeaseStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Looks at the servers of a store: answers, settings, rights, clock. Leaves nothing behind.
 */
final class RedisExamination {
    private final LeaseStore store;
    private final Scripts scripts;
    private final Connector connector;
    private final Keys keys;
    private final RedisOptions options;
    private final String key;

    RedisExamination(LeaseStore store, Scripts scripts, Connector connector, Keys keys, RedisOptions options) {
        this.store = store;
        this.scripts = scripts;
        this.connector = connector;
        this.keys = keys;
        this.options = options;
        key = store.traits().defaultKeyFormat().replace("{role}", "tenure-doctor-" + UUID.randomUUID());
    }

    CompletionStage<List<Finding>> findings() {
        return servers()
                .thenCompose(this::each)
                .thenCompose(found -> has(found, "role") || has(found, "cluster")
                        ? CompletableFuture.completedStage(found)
                        : new Rights(scripts, connector, keys, key)
                                .findings()
                                .thenCompose(rights -> has(rights, "permissions")
                                        ? CompletableFuture.completedStage(rights)
                                        : new LeaseTrial(store, scripts, connector, keys, key)
                                                .findings()
                                                .thenApply(lease -> join(rights, lease)))
                                .thenApply(tried -> join(found, tried)));
    }

    private static boolean has(List<Finding> findings, String problem) {
        return findings.stream()
                .anyMatch(each ->
                        each.severity() == Severity.PROBLEM && each.subject().equals(problem));
    }

    private static List<Finding> join(List<Finding> some, List<Finding> more) {
        List<Finding> all = new ArrayList<>(some);
        all.addAll(more);
        return List.copyOf(all);
    }

    private CompletionStage<List<ServerNode>> servers() {
        if (!connector.isCluster()) {
            return CompletableFuture.completedStage(List.of(ServerNode.single(scripts, connector.where())));
        }
        boolean spread = options.prefix() != null;
        return ServerNode.masters(scripts, spread ? null : keys.record(key));
    }

    private CompletionStage<List<Finding>> each(List<ServerNode> servers) {
        CompletionStage<Map<Finding, List<String>>> all = CompletableFuture.completedStage(new LinkedHashMap<>());
        for (ServerNode server : servers) {
            all = all.thenCompose(found -> examine(server).thenApply(findings -> {
                findings.forEach(each ->
                        found.computeIfAbsent(each, f -> new ArrayList<>()).add(server.name()));
                return found;
            }));
        }
        return all.thenApply(found -> found.entrySet().stream()
                .map(entry -> entry.getValue().size() == servers.size()
                        ? entry.getKey()
                        : at(String.join(", ", entry.getValue()), entry.getKey()))
                .toList());
    }

    private static Finding at(String servers, Finding finding) {
        return new Finding(
                finding.severity(),
                finding.subject(),
                servers + ": " + finding.seen(),
                finding.mayHappen(),
                finding.toDo());
    }

    private CompletionStage<List<Finding>> examine(ServerNode server) {
        return Samples.take(server, connector)
                .thenCompose(samples -> ServerFacts.from(server).thenApply(facts -> {
                    List<Finding> findings =
                            new ArrayList<>(ServerFindings.of(facts, options.counter(), connector.isCluster()));
                    findings.add(samples.latency());
                    findings.add(samples.clock(options.counter()));
                    return findings;
                }));
    }
}
