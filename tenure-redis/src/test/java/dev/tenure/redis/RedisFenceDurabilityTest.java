package dev.tenure.redis;

import static dev.tenure.redis.FenceTests.assertFencedOut;
import static dev.tenure.redis.FenceTests.await;
import static dev.tenure.redis.FenceTests.token;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What is left of a fence after failures: as much as of its data.
 */
@Isolated("breaks servers that others use, or counts what they do")
class RedisFenceDurabilityTest {
    private static final String RECORD = "{k}:tenure-fence";

    @Test
    void B30_aReplicaThatLaggedHasTheFenceOfTheDataThatItHas() throws Throwable {
        try (RedisNode first = new RedisNode("repl-diskless-sync-delay 0").start();
                RedisNode second = new RedisNode("replicaof 127.0.0.1 " + first.port()).start();
                StatefulRedisConnection<String, String> old = FenceTests.connect(first);
                StatefulRedisConnection<String, String> promoted = FenceTests.connect(second)) {
            await(RedisFence.on(old).set("k", "replicated", token(5)));
            Eventually.becomes("replicated", () -> "replicated".equals(second.command("GET", "k")));
            second.command("REPLICAOF", "NO", "ONE");
            await(RedisFence.on(old).set("k", "lost", token(9)));

            assertThat(second.command("MGET", "k", RECORD)).isEqualTo("replicated\n5");
            RedisFence fence = RedisFence.on(promoted);
            assertFencedOut(fence.set("k", "stale", token(4)), 4, 5);
            await(fence.set("k", "of the term before", token(5)));
            await(fence.set("k", "again", token(9)));
            assertFencedOut(fence.set("k", "stale", token(5)), 5, 9);
        }
    }

    @Test
    void B30_replicasAndFilesGetKeyAndFenceInOneTransaction() throws Throwable {
        try (RedisNode node = new RedisNode("appendonly yes", "appendfsync always", "aof-use-rdb-preamble no").start();
                StatefulRedisConnection<String, String> connection = FenceTests.connect(node)) {
            await(RedisFence.on(connection).set("k", "v", token(5)));
            assertThat(appendOnlyFile(node)).containsSubsequence("MULTI", RECORD, "5", "k", "v", "EXEC");
            node.kill();
            node.start();
            assertThat(node.command("MGET", "k", RECORD)).isEqualTo("v\n5");
            assertFencedOut(RedisFence.on(connection).set("k", "w", token(4)), 4, 5);
        }
    }

    private static List<String> appendOnlyFile(RedisNode node) throws IOException {
        Path folder =
                Path.of(node.command("CONFIG", "GET", "dir").lines().toList().get(1));
        try (Stream<Path> files =
                Files.find(folder, 2, (file, all) -> file.toString().endsWith(".aof") && all.size() > 0)) {
            return Files.readAllLines(files.sorted().reduce((one, last) -> last).orElseThrow());
        }
    }

    @Test
    void B30_afterAFlushAnyTokenPassesUntilTheFenceIsReset() throws Throwable {
        try (RedisNode node = new RedisNode().start();
                StatefulRedisConnection<String, String> connection = FenceTests.connect(node)) {
            RedisFence fence = RedisFence.on(connection);
            await(fence.set("k", "v", token(5)));
            node.command("FLUSHALL");
            await(fence.set("k", "v", token(3)));
            node.command("FLUSHALL");
            await(fence.reset("k", 5));
            assertFencedOut(fence.set("k", "v", token(3)), 3, 5);
            await(fence.set("k", "v", token(5)));
        }
    }
}
