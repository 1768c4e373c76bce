package dev.tenure.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Makes connections to one server, to whichever a Sentinel names, or to a Cluster. Nothing here blocks but the end.
 */
interface Connector {
    /**
     * Where it connects to, for people; without secrets.
     */
    String where();

    boolean isCluster();

    CompletionStage<? extends StatefulConnection<String, String>> connect();

    CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connectPubSub();

    /**
     * Runs it later, on a thread of the driver that must not be blocked.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the driver is ending
     */
    void later(Duration delay, Runnable task);

    /**
     * Ends what was made here, once the connections are closed; what the application made stays. May take two seconds.
     */
    void close(CompletableFuture<Void> connections);
}
