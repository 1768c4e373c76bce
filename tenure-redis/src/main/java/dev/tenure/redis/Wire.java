package dev.tenure.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One connection, and whether anything still comes back over it.
 */
final class Wire {
    private static final Duration SHORTEST_SILENCE = Duration.ofMillis(250);

    private final StatefulConnection<String, String> connection;
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile long heardAt = System.nanoTime();

    Wire(StatefulConnection<String, String> connection) {
        this.connection = connection;
    }

    RedisClusterAsyncCommands<String, String> commands() {
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            return cluster.async();
        }
        return ((StatefulRedisConnection<String, String>) connection).async();
    }

    void sent() {
        if (unanswered.getAndIncrement() == 0) {
            heardAt = System.nanoTime();
        }
    }

    void heard() {
        heardAt = System.nanoTime();
        unanswered.decrementAndGet();
    }

    /**
     * Whether it is worth sending over. Where requests went out and nothing came back for as long as a caller waits, the
     * other side may be gone without a word; the caller's next try is to go another way.
     */
    boolean isSound(Duration limit) {
        long patience = Math.max(limit.multipliedBy(9).dividedBy(10).toNanos(), SHORTEST_SILENCE.toNanos());
        boolean silent = unanswered.get() > 0 && System.nanoTime() - heardAt > patience;
        return connection.isOpen() && !silent;
    }

    CompletableFuture<Void> close() {
        return connection.closeAsync();
    }
}
