package dev.tenure.redis;

import dev.tenure.log.LogLine;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SslOptions;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.metrics.CommandLatencyRecorder;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that the store made, with limits that fit leases: it refuses at once while disconnected, and does not wait a
 * minute for anything.
 */
final class OwnConnector implements Connector {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);
    private static final Duration FIRST_RECONNECT = Duration.ofMillis(50);
    private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
    private static final Duration TOPOLOGY_PERIOD = Duration.ofSeconds(15);
    private static final Duration TOPOLOGY_PAUSE = Duration.ofMillis(500);
    private static final long CLOSE_SECONDS = 2;

    private static final Logger LOG = LoggerFactory.getLogger(OwnConnector.class);

    private final Target target;
    private final ClientResources resources;
    private final AbstractRedisClient client;

    OwnConnector(Target target) {
        this.target = target;
        resources = ClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .commandLatencyRecorder(CommandLatencyRecorder.disabled())
                .reconnectDelay(() -> Delay.equalJitter(
                        FIRST_RECONNECT, LONGEST_RECONNECT, FIRST_RECONNECT.toMillis(), TimeUnit.MILLISECONDS))
                .build();
        client = target.isCluster() ? cluster() : single();
    }

    private RedisClient single() {
        RedisClient single = RedisClient.create(resources);
        single.setOptions(common(ClientOptions.builder()).build());
        return single;
    }

    private RedisClusterClient cluster() {
        RedisClusterClient cluster = RedisClusterClient.create(resources, target.uris());
        ClusterClientOptions.Builder options = ClusterClientOptions.builder()
                .validateClusterNodeMembership(false)
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(TOPOLOGY_PAUSE)
                        .refreshTriggersReconnectAttempts(1)
                        .enablePeriodicRefresh(TOPOLOGY_PERIOD)
                        .build());
        common(options);
        cluster.setOptions(options.build());
        return cluster;
    }

    private ClientOptions.Builder common(ClientOptions.Builder options) {
        SslOptions tls = target.tls();
        if (tls != null) {
            options.sslOptions(tls);
        }
        return options.disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .socketOptions(SocketOptions.builder()
                        .connectTimeout(CONNECT_LIMIT)
                        .keepAlive(true)
                        .build());
    }

    @Override
    public String where() {
        return target.where();
    }

    @Override
    public boolean isCluster() {
        return target.isCluster();
    }

    @Override
    public CompletionStage<? extends StatefulConnection<String, String>> connect() {
        if (client instanceof RedisClusterClient cluster) {
            return cluster.refreshPartitionsAsync().thenCompose(known -> cluster.connectAsync(StringCodec.UTF8));
        }
        return ((RedisClient) client).connectAsync(StringCodec.UTF8, uri());
    }

    @Override
    public CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connectPubSub() {
        if (client instanceof RedisClusterClient cluster) {
            return cluster.refreshPartitionsAsync().thenCompose(known -> cluster.connectPubSubAsync(StringCodec.UTF8));
        }
        return ((RedisClient) client).connectPubSubAsync(StringCodec.UTF8, uri());
    }

    private RedisURI uri() {
        return target.uris().get(0);
    }

    @Override
    public void later(Duration delay, Runnable task) {
        resources.eventExecutorGroup().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close(CompletableFuture<Void> connections) {
        CompletableFuture<?> ended = connections
                .handle((closed, failed) -> client.shutdownAsync(0, CLOSE_SECONDS, TimeUnit.SECONDS))
                .thenCompose(Function.identity())
                .handle((closed, failed) -> resources.shutdown(0, CLOSE_SECONDS, TimeUnit.SECONDS));
        try {
            ended.get(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            LogLine.of(LOG, RedisEvent.CLIENT_CLOSE_LATE)
                    .with("where", where())
                    .cause(late)
                    .write(); // daemons, and on their way out
        }
    }
}
