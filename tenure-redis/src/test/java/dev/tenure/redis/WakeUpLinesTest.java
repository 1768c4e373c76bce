package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What is logged while releases are not heard of.
 */
@Isolated("reads the log")
class WakeUpLinesTest {
    private final String where = "redis://" + UUID.randomUUID();
    private final List<Runnable> later = new ArrayList<>();

    /**
     * Nobody answers.
     */
    private final class Unreachable implements Connector {
        @Override
        public String where() {
            return where;
        }

        @Override
        public boolean isCluster() {
            return false;
        }

        @Override
        public CompletionStage<? extends StatefulConnection<String, String>> connect() {
            return CompletableFuture.failedFuture(new RedisConnectionException("refused"));
        }

        @Override
        public CompletionStage<? extends StatefulRedisPubSubConnection<String, String>> connectPubSub() {
            return CompletableFuture.failedFuture(new RedisConnectionException("refused"));
        }

        @Override
        public void later(Duration delay, Runnable task) {
            later.add(task);
        }

        @Override
        public void close(CompletableFuture<Void> connections) {}
    }

    @Test
    void B46_R059_anOutageOfWakeUpsHasOneLine() {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            new WakeUps(new Unreachable(), "changes").watch("leader:billing", () -> {});
            assertThat(later).hasSize(1);
            later.get(0).run();
            assertThat(later).hasSize(2);
        } finally {
            System.setErr(before);
        }
        assertThat(written.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains(where)))
                .hasSize(1)
                .allMatch(line -> line.contains("WARN dev.tenure.redis.WakeUps - releases are not heard of, ")
                        && line.contains(" store=redis where=" + where)
                        && line.endsWith(" [wakeups_lost]"));
    }
}
