package dev.tenure.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisAdvancedClusterAsyncCommands;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One of the servers that keep a store's records, asked by itself: of a Cluster, one of the masters.
 */
final class ServerNode {
    private final Scripts scripts;
    private final String name;
    private final @Nullable String id;

    private ServerNode(Scripts scripts, String name, @Nullable String id) {
        this.scripts = scripts;
        this.name = name;
        this.id = id;
    }

    /**
     * The only one.
     */
    static ServerNode single(Scripts scripts, String where) {
        return new ServerNode(scripts, where, null);
    }

    /**
     * Masters of a Cluster: all, or the one that has this record.
     */
    static CompletionStage<List<ServerNode>> masters(Scripts scripts, @Nullable String record) {
        return scripts.call(server -> CompletableFuture.completedStage(connection(server).getPartitions().stream()
                .filter(node -> node.is(RedisClusterNode.NodeFlag.UPSTREAM)
                        && (record == null ? !node.hasNoSlots() : node.hasSlot(Slots.of(record))))
                .map(node -> new ServerNode(scripts, address(node.getUri()), node.getNodeId()))
                .toList()));
    }

    private static String address(RedisURI uri) {
        return uri.getHost() + ":" + uri.getPort();
    }

    @SuppressWarnings("deprecation") // nothing else leads from the commands to one node without blocking
    private static StatefulRedisClusterConnection<String, String> connection(
            RedisClusterAsyncCommands<String, String> server) {
        return ((RedisAdvancedClusterAsyncCommands<String, String>) server).getStatefulConnection();
    }

    /**
     * For people.
     */
    String name() {
        return name;
    }

    <T> CompletionStage<T> call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
        String own = id;
        if (own == null) {
            return scripts.call(command);
        }
        return scripts.call(server ->
                connection(server).getConnectionAsync(own).thenCompose(connected -> command.apply(connected.async())));
    }
}
