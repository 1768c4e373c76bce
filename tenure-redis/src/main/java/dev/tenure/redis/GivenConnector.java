package dev.tenure.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A client that the application made, connected and will close. Connections of the store's own are made on it, with the
 * client's options.
 */
final class GivenConnector implements Connector {
    private final AbstractRedisClient client;

    GivenConnector(AbstractRedisClient client) {
        this.client = client;
    }

    @Override
    public String where() {
        return isCluster() ? "redis cluster of the application" : "redis of the application";
    }

    @Override
    public boolean isCluster() {
        return client instanceof RedisClusterClient;
    }

    @Override
    public CompletionStage<? extends StatefulConnection<String, String>> connect() {
        if (client instanceof RedisClusterClient cluster) {
            return cluster.refreshPartitionsAsync().thenCompose(known -> cluster.connectAsync(StringCodec.UTF8));
        }
        return aside(((RedisClient) client)::connect);
    }

    @Override
    public CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connectPubSub() {
        if (client instanceof RedisClusterClient cluster) {
            return cluster.refreshPartitionsAsync().thenCompose(known -> cluster.connectPubSubAsync(StringCodec.UTF8));
        }
        return aside(((RedisClient) client)::connectPubSub);
    }

    /**
     * The client tells its address to nobody, and connects to it only in a call that blocks: on a thread that lives as
     * long as the call.
     */
    private static <C> CompletionStage<C> aside(Supplier<C> connecting) {
        CompletableFuture<C> connected = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        connected.complete(connecting.get());
                    } catch (Throwable failed) {
                        connected.completeExceptionally(failed);
                    }
                },
                "tenure-redis-connect");
        thread.setDaemon(true);
        thread.start();
        return connected;
    }

    @Override
    public void later(Duration delay, Runnable task) {
        client.getResources().eventExecutorGroup().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close(CompletableFuture<Void> connections) {}
}
