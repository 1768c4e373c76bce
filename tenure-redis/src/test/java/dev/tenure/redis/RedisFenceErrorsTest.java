package dev.tenure.redis;

import static dev.tenure.redis.FenceTests.await;
import static dev.tenure.redis.FenceTests.freshKey;
import static dev.tenure.redis.FenceTests.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.StoreException;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.redis.LinkProxy.Mode;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.protocol.ProtocolVersion;
import io.lettuce.core.protocol.RedisCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What becomes of errors, on servers that make them; those that are hard to get are given as they are printed.
 */
@Isolated("breaks servers that others use, or counts what they do")
class RedisFenceErrorsTest {
    private final String key = freshKey();
    private final RedisClient client = RedisClient.create();

    @AfterEach
    void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(10));
    }

    private RedisFence fence(String url) {
        return RedisFence.on(client.connect(RedisURI.create(url)));
    }

    private RedisFence fenceOfUser(RedisNode node, String... rights) {
        String[] command = new String[rights.length + 6];
        System.arraycopy(new String[] {"ACL", "SETUSER", "poor", "reset", "on", ">secret"}, 0, command, 0, 6);
        System.arraycopy(rights, 0, command, 6, rights.length);
        node.command(command);
        return fence("redis://poor:secret@" + node.address());
    }

    private static <E extends StoreException> void assertFails(
            CompletionStage<?> stage, Class<E> expected, Class<? extends Throwable> cause, String text) {
        assertThatThrownBy(() -> await(stage))
                .isInstanceOf(expected)
                .hasCauseInstanceOf(cause)
                .hasMessageContaining(text);
    }

    private static void assertRefused(CompletionStage<?> stage, Class<? extends StoreException> expected, String text) {
        assertFails(stage, expected, RedisCommandExecutionException.class, text);
    }

    @Test
    void aUserNeedsOnlyFourCommandsOnKeyAndFence() throws Throwable {
        RedisNode node = RedisServers.single();
        RedisFence fence = fenceOfUser(node, "~" + key, "~*:tenure-fence", "+eval", "+evalsha", "+get", "+set");
        await(fence.set(key, "v", token(5)));
        await(fence.reset(key, 3));
        await(fence.set(key, "w", token(4)));
        assertThat(node.command("GET", key)).isEqualTo("w");
    }

    @Test
    void missingRightsAreARejectionAndNothingIsWritten() {
        RedisNode node = RedisServers.single();
        assertRefused(
                fenceOfUser(node, "~" + key, "+@all").set(key, "v", token(5)), StoreRejectedException.class, "NOPERM");
        assertRefused(
                fenceOfUser(node, "~*", "+get", "+set").set(key, "v", token(5)), StoreRejectedException.class, "");
        node.command("SCRIPT", "FLUSH");
        assertRefused(
                fenceOfUser(node, "~*", "+evalsha", "+get", "+set").set(key, "v", token(5)),
                StoreRejectedException.class,
                "");
        assertRefused(
                fenceOfUser(node, "~*", "+eval", "+evalsha", "+set").set(key, "v", token(5)),
                StoreRejectedException.class,
                "");
        assertRefused(
                fenceOfUser(node, "~*", "+eval", "+evalsha", "+get").set(key, "v", token(5)),
                StoreRejectedException.class,
                "");
        assertRefused(fenceOfUser(node, "~*", "+get").reset(key, 5), StoreRejectedException.class, "NOPERM");
        assertThat(node.command("EXISTS", key, "{" + key + "}:tenure-fence")).isEqualTo("0");
    }

    @Test
    void aRightThatOnlyTheScriptLacksIsARejectionToo() {
        RedisFence fence = fenceOfUser(RedisServers.single(), "~*", "+eval", "+evalsha", "+get", "+set");
        assertRefused(
                fence.eval("return redis.call('DEL', KEYS[1])", Long.class, List.of(key), List.of(), token(5)),
                StoreRejectedException.class,
                "");
    }

    @Test
    void withoutAPasswordItIsARejection() {
        try (RedisNode node = new RedisNode("requirepass secret").start()) {
            client.setOptions(ClientOptions.builder()
                    .protocolVersion(ProtocolVersion.RESP2)
                    .pingBeforeActivateConnection(false)
                    .build());
            assertRefused(
                    fence("redis://" + node.address()).set(key, "v", token(5)), StoreRejectedException.class, "NOAUTH");
        }
    }

    @Test
    void aReplicaIsUnavailableAndKeepsItsFence() throws Throwable {
        try (RedisNode node = new RedisNode().start()) {
            RedisFence fence = fence(node.url());
            await(fence.set(key, "v", token(5)));
            node.command("REPLICAOF", "127.0.0.1", "1");
            for (long each : List.of(5L, 6L)) {
                assertRefused(fence.set(key, "w", token(each)), StoreUnavailableException.class, "READONLY");
            }
            assertRefused(fence.reset(key, 1), StoreUnavailableException.class, "READONLY");
            node.command("CONFIG", "SET", "replica-serve-stale-data", "no");
            assertRefused(fence.set(key, "w", token(6)), StoreUnavailableException.class, "MASTERDOWN");
            node.command("REPLICAOF", "NO", "ONE");
            assertThat(node.command("MGET", key, "{" + key + "}:tenure-fence")).isEqualTo("v\n5");
        }
    }

    @Test
    void aServerThatCannotWriteIsUnavailableAndNothingIsWritten() throws Throwable {
        try (RedisNode node = new RedisNode().start()) {
            RedisFence fence = fence(node.url());
            node.command("CONFIG", "SET", "maxmemory", "1");
            assertRefused(fence.set(key, "v", token(5)), StoreUnavailableException.class, "OOM");
            node.command("CONFIG", "SET", "maxmemory", "0");
            node.command("CONFIG", "SET", "min-replicas-to-write", "1");
            assertRefused(fence.set(key, "v", token(5)), StoreUnavailableException.class, "NOREPLICAS");
            node.command("CONFIG", "SET", "min-replicas-to-write", "0");
            assertThat(node.command("DBSIZE")).isEqualTo("0");
            await(fence.set(key, "v", token(5)));
        }
    }

    @Test
    void aServerThatRunsAnotherScriptIsUnavailable() throws Throwable {
        try (RedisNode node = new RedisNode("busy-reply-threshold 20").start()) {
            RedisFence fence = fence(node.url());
            StatefulRedisConnection<String, String> other = FenceTests.connect(node);
            var endless = other.async().eval("while true do end", ScriptOutputType.VALUE);
            Eventually.becomes("busy", () -> {
                try {
                    await(fence.set(key, "v", token(5)));
                    return false;
                } catch (StoreUnavailableException busy) {
                    return busy.getMessage().contains("BUSY");
                } catch (Throwable failed) {
                    throw new AssertionError(failed);
                }
            });
            node.command("SCRIPT", "KILL");
            assertThatThrownBy(() -> await(endless)).isInstanceOf(RedisCommandExecutionException.class);
            await(fence.set(key, "v", token(5)));
            other.close();
        }
    }

    @Test
    void aTimeOutIsUnavailableAndTheWriteMayStillCome() {
        client.setOptions(ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.enabled(Duration.ofMillis(200)))
                .build());
        RedisNode node = RedisServers.single();
        RedisFence fence = fence(node.url());
        node.pause();
        assertFails(
                fence.set(key, "v", token(5)),
                StoreUnavailableException.class,
                RedisCommandTimeoutException.class,
                "did not answer");
        node.resume();
        Eventually.becomes("late NOSCRIPT or write", () -> "PONG".equals(node.command("PING")));
    }

    @Test
    void aLostAnswerIsUnavailableAndTheWriteHasHappened() throws Throwable {
        AtomicLong limit = new AtomicLong(60_000);
        client.setOptions(ClientOptions.builder()
                .timeoutOptions(TimeoutOptions.builder()
                        .timeoutCommands()
                        .timeoutSource(new TimeoutOptions.TimeoutSource() {
                            @Override
                            public long getTimeout(RedisCommand<?, ?, ?> command) {
                                return limit.get();
                            }
                        })
                        .build())
                .build());
        RedisNode node = RedisServers.single();
        try (LinkProxy link = new LinkProxy(node.port())) {
            RedisFence fence = fence("redis://127.0.0.1:" + link.port());
            await(fence.set(key, "v", token(5)));
            link.mode(Mode.DROP_REPLIES);
            limit.set(1_000);
            assertFails(
                    fence.set(key, "w", token(6)),
                    StoreUnavailableException.class,
                    RedisCommandTimeoutException.class,
                    "");
            Eventually.becomes(
                    "written",
                    () -> node.command("MGET", key, "{" + key + "}:tenure-fence")
                            .equals("w\n6"));
        }
    }

    @Test
    void R084_aWriteThatTheDriverRepeatsIsComparedAgain() throws Throwable {
        RedisNode node = RedisServers.single();
        try (LinkProxy link = new LinkProxy(node.port())) {
            RedisFence stale = fence("redis://127.0.0.1:" + link.port());
            await(stale.set(key, "v", token(5)));
            link.mode(Mode.DROP_REPLIES);
            CompletionStage<Void> repeated = stale.set(key, "stale", token(5));
            Eventually.becomes("first try", () -> "stale".equals(node.command("GET", key)));
            await(fence(node.url()).set(key, "new", token(6)));
            link.mode(Mode.PASS);
            link.cut();
            FenceTests.assertFencedOut(repeated, 5, 6);
            assertThat(node.command("GET", key)).isEqualTo("new");
        }
    }

    @Test
    void aClosedConnectionIsUnavailable() {
        StatefulRedisConnection<String, String> connection = FenceTests.connectServer();
        RedisFence fence = RedisFence.on(connection);
        connection.close();
        assertFails(fence.set(key, "v", token(5)), StoreUnavailableException.class, RedisException.class, "");
        assertFails(fence.reset(key, 5), StoreUnavailableException.class, RedisException.class, "");
    }

    @Test
    void aConnectionThatIsClosedMeanwhileIsUnavailable() {
        RedisNode node = RedisServers.single();
        StatefulRedisConnection<String, String> connection = FenceTests.connectServer();
        RedisFence fence = RedisFence.on(connection);
        node.pause();
        CompletionStage<Void> begun = fence.set(key, "v", token(5));
        connection.close();
        assertThatThrownBy(() -> await(begun)).isInstanceOf(StoreUnavailableException.class);
        node.resume();
    }

    @Test
    void aDeadServerIsUnavailableWhereTheDriverDoesNotQueue() {
        client.setOptions(ClientOptions.builder()
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .build());
        try (RedisNode node = new RedisNode().start()) {
            RedisFence fence = fence(node.url());
            node.kill();
            assertThatThrownBy(() -> await(fence.set(key, "v", token(5))))
                    .isInstanceOf(StoreUnavailableException.class);
            assertThatThrownBy(() -> await(fence.set(key, "v", token(5))))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "NOAUTH Authentication required.",
                "WRONGPASS invalid username-password pair or user is disabled.",
                "NOPERM User poor has no permissions to run the 'evalsha' command",
                "ERR The user executing the script can't run this command or subcommand script: ab, on @user_script:1.",
                "ERR Error running script (call to f_ab): @user_script:1: @user_script: 1: The user executing the script"
                        + " can't run this command or subcommand",
                "ERR ACL failure in script: User poor has no permissions to run the 'set' command script: ab",
            })
    void missingRightsInAllWordings(String message) {
        assertThat(FenceErrors.of(new CompletionException(new RedisCommandExecutionException(message))))
                .isInstanceOf(StoreRejectedException.class)
                .hasMessage("redis refuses: " + message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "READONLY You can't write against a read only replica. script: ab, on @user_script:1.",
                "LOADING Redis is loading the dataset in memory",
                "OOM command not allowed when used memory > 'maxmemory'.",
                "CLUSTERDOWN The cluster is down",
                "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
                "TRYAGAIN Multiple keys request during rehashing of slot",
                "MOVED 1 127.0.0.1:7000",
                "ASK 1 127.0.0.1:7000",
                "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
                "NOREPLICAS Not enough good replicas to write.",
                "BUSY Redis is busy running a script.",
                "ERR Error running script (call to f_ab): @user_script:4: @user_script: 4: -READONLY You can't write"
                        + " against a read only replica.",
                "ERR Error running script (call to f_ab): @user_script:6: @user_script: 6: -OOM command not allowed when"
                        + " used memory > 'maxmemory'.",
            })
    void serversThatCannotWriteInAllWordings(String message) {
        assertThat(FenceErrors.of(new RedisCommandExecutionException(message)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessage("redis cannot write now: " + message);
    }

    @Test
    void aConnectionThatTheServerRefusesIsARejection() {
        Throwable refused = new RedisConnectionException(
                "Unable to connect", new RedisCommandExecutionException("WRONGPASS invalid username-password pair"));
        assertThat(FenceErrors.of(refused))
                .isInstanceOf(StoreRejectedException.class)
                .hasCause(refused);
    }

    @Test
    void noAnswerIsUnavailable() {
        for (Throwable each : List.of(
                new RedisConnectionException("closed"),
                new RedisException("closed"),
                new PartitionSelectorException("no partition", null),
                new IOException("reset"),
                new CancellationException("closed"))) {
            assertThat(FenceErrors.of(new CompletionException(each)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasCause(each);
        }
    }

    @Test
    void otherErrorsStayAsTheyAre() {
        for (Throwable each : List.of(
                new RedisCommandExecutionException("ERR something"),
                new RedisCommandExecutionException("OOMPH is no word of the server"),
                new RedisCommandExecutionException(""),
                new RedisCommandExecutionException((String) null),
                new UnsupportedOperationException("type"))) {
            assertThat(FenceErrors.of(new CompletionException(each))).isSameAs(each);
        }
    }
}
