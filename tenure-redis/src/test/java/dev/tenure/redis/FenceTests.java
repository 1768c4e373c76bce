package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What tests of the fence share.
 */
final class FenceTests {
    private static final AtomicLong NAMES = new AtomicLong();
    private static final RedisClient CLIENT = RedisClient.create();
    private static RedisClusterClient clusterClient;

    private FenceTests() {}

    static StatefulRedisConnection<String, String> connectServer() {
        return connect(RedisServers.single());
    }

    static StatefulRedisConnection<String, String> connect(RedisNode node) {
        return connect(node, StringCodec.UTF8);
    }

    static StatefulRedisConnection<String, String> connect(RedisNode node, RedisCodec<String, String> codec) {
        return CLIENT.connect(codec, RedisURI.create(node.url()));
    }

    static synchronized StatefulRedisClusterConnection<String, String> connectCluster() {
        List<RedisNode> nodes = RedisServers.cluster().nodes();
        if (clusterClient == null) {
            clusterClient = RedisClusterClient.create(
                    nodes.stream().map(RedisNode::url).map(RedisURI::create).toList());
        }
        return clusterClient.connect();
    }

    static RedisClusterAsyncCommands<String, String> async(StatefulConnection<String, String> connection) {
        return connection instanceof StatefulRedisConnection<String, String> server
                ? server.async()
                : ((StatefulRedisClusterConnection<String, String>) connection).async();
    }

    static String freshKey() {
        return "fenced-" + NAMES.incrementAndGet();
    }

    static FencingToken token(long value) {
        return new FencingToken("billing", value);
    }

    /**
     * The stage's value, or its failure as it is.
     */
    static <T> T await(CompletionStage<T> stage) throws Throwable {
        try {
            return stage.toCompletableFuture().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause();
        }
    }

    static void assertFencedOut(CompletionStage<?> stage, long token, long highest) {
        assertThatThrownBy(() -> await(stage)).isInstanceOfSatisfying(FencedOutException.class, out -> {
            assertThat(out.token()).isEqualTo(token(token));
            assertThat(out.highest()).isEqualTo(highest);
        });
    }
}
