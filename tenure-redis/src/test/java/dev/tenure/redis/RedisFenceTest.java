package dev.tenure.redis;

import static dev.tenure.redis.FenceTests.assertFencedOut;
import static dev.tenure.redis.FenceTests.await;
import static dev.tenure.redis.FenceTests.freshKey;
import static dev.tenure.redis.FenceTests.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One write at a time.
 */
@Isolated("breaks servers that others use, or counts what they do")
class RedisFenceTest {
    private static final long HIGHEST = 1L << 53;

    abstract static class OneAfterAnother {
        StatefulConnection<String, String> connection;
        RedisClusterAsyncCommands<String, String> redis;
        RedisFence fence;
        final String key = freshKey();
        final String record = "{" + key + "}:tenure-fence";

        abstract StatefulConnection<String, String> connect();

        @BeforeEach
        void open() {
            connection = connect();
            redis = FenceTests.async(connection);
            fence = RedisFence.on(connection);
        }

        @AfterEach
        void close() {
            connection.close();
        }

        String get(String name) throws Throwable {
            return await(redis.get(name));
        }

        @Test
        void R084_equalAndHigherTokensPassAndLowerOnesAreRefused() throws Throwable {
            await(fence.set(key, "a", token(5)));
            await(fence.set(key, "b", token(5)));
            assertThat(get(key)).isEqualTo("b");
            assertFencedOut(fence.set(key, "c", token(4)), 4, 5);
            await(fence.set(key, "d", token(9)));
            assertFencedOut(fence.set(key, "e", token(5)), 5, 9);
            await(fence.set(key, "f", token(9)));
            assertThat(get(key)).isEqualTo("f");
        }

        @Test
        void R009_aPausedLeaderIsRefusedOnceItsSuccessorHasWritten() throws Throwable {
            await(fence.set(key, "old leader", token(1)));
            await(fence.set(key, "old leader, late", token(1))); // the new one leads, but has not written yet
            await(fence.set(key, "new leader", token(2)));
            assertFencedOut(fence.set(key, "old leader, too late", token(1)), 1, 2);
            assertThat(get(key)).isEqualTo("new leader");
        }

        @Test
        void R085_aFencedOutWriteSaysSoAndChangesNothing() throws Throwable {
            await(fence.set(key, "kept", token(2)));
            await(redis.expire(key, 1000));
            await(redis.expire(record, 1000));
            assertFencedOut(fence.set(key, "stale", token(1)), 1, 2);
            assertThat(get(key)).isEqualTo("kept");
            assertThat(get(record)).isEqualTo("2");
            assertThat(await(redis.ttl(key))).isPositive();
            assertThat(await(redis.ttl(record))).isPositive();
        }

        @Test
        void resourcesOfOneRoleAreIndependent() throws Throwable {
            String braced = "{" + key + "}";
            await(fence.set(key, "ledger", token(5)));
            await(fence.set(braced, "archive", token(3)));
            await(fence.set(braced, "archive", token(4)));
            assertFencedOut(fence.set(key, "ledger", token(4)), 4, 5);
            assertFencedOut(fence.set(braced, "archive", token(3)), 3, 4);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"", " ", "a{b", "{a}", "x{a}y", "{a}{b}", "{{a}", "ä{ö}", "{", "{x}}", "\n", ":", "%s*[?]"})
        void oddKeysAreFenced(String odd) throws Throwable {
            String name = key + odd;
            await(fence.set(name, "2", token(2)));
            assertFencedOut(fence.set(name, "1", token(1)), 1, 2);
            assertThat(get(name)).isEqualTo("2");
        }

        @Test
        void tokensAreExactUpToTheHighest() throws Throwable {
            for (long each : List.of(99_999_999_999_999L, 1_000_000_000_000_000L, HIGHEST - 1, HIGHEST)) {
                await(fence.set(key, "v", token(each)));
                assertThat(get(record)).isEqualTo(Long.toString(each));
                assertFencedOut(fence.set(key, "v", token(each - 1)), each - 1, each);
            }
            assertThatThrownBy(() -> fence.set(key, "v", token(HIGHEST + 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("token=9007199254740993");
            assertThatThrownBy(() -> fence.eval("return 1", Long.class, List.of(key), List.of(), token(Long.MAX_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void B30_theRecordHasNoExpiry() throws Throwable {
            await(fence.set(key, "v", token(5)));
            assertThat(await(redis.ttl(record))).isEqualTo(-1);
            await(redis.expire(key, 1000));
            await(redis.expire(record, 1000));
            await(fence.set(key, "v", token(6)));
            assertThat(await(redis.ttl(record))).isEqualTo(-1);
            assertThat(await(redis.ttl(key))).isEqualTo(-1);
        }

        @Test
        void B30_withoutItsRecordAnyTokenPassesUntilItIsReset() throws Throwable {
            await(fence.set(key, "v", token(5)));
            await(redis.del(record));
            await(fence.set(key, "v", token(3)));
            await(redis.del(record));
            await(fence.reset(key, 5));
            assertFencedOut(fence.set(key, "v", token(3)), 3, 5);
        }

        @Test
        void aServerThatLostItsScriptsGetsThemAgain() throws Throwable {
            await(fence.set(key, "a", token(5)));
            await(redis.scriptFlush());
            await(fence.set(key, "b", token(5)));
            assertThat(get(key)).isEqualTo("b");
            await(redis.scriptFlush());
            assertFencedOut(fence.set(key, "c", token(4)), 4, 5);
            await(redis.scriptFlush());
            assertThat(await(fence.eval("return ARGV[1]", String.class, List.of(key), List.of("d"), token(5))))
                    .isEqualTo("d");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "abc",
                    "5.0",
                    "1e3",
                    "0x10",
                    " 5",
                    "05",
                    "-1",
                    "-0",
                    "inf",
                    "nan",
                    "9007199254740993",
                    "9007199254740994",
                    "99999999999999999999"
                })
        void aRecordThatIsNoTokenRefusesAllWrites(String text) throws Throwable {
            await(redis.set(key, "kept"));
            await(redis.set(record, text));
            assertUnusable(fence.set(key, "v", token(HIGHEST)));
            assertUnusable(
                    fence.eval("return redis.call('DEL', KEYS[1])", Long.class, List.of(key), List.of(), token(1)));
            assertThat(get(key)).isEqualTo("kept");
            assertThat(get(record)).isEqualTo(text);
            await(fence.reset(key, 5));
            await(fence.set(key, "v", token(5)));
        }

        @Test
        void aRecordOfAnotherTypeRefusesAllWritesUntilItIsReset() throws Throwable {
            await(redis.set(key, "kept"));
            await(redis.rpush(record, "5"));
            assertUnusable(fence.set(key, "v", token(5)));
            assertThat(get(key)).isEqualTo("kept");
            assertThat(await(redis.llen(record))).isEqualTo(1);
            await(fence.reset(key, 5));
            assertFencedOut(fence.set(key, "v", token(4)), 4, 5);
            await(fence.set(key, "v", token(5)));
        }

        private void assertUnusable(CompletionStage<?> stage) {
            assertThatThrownBy(() -> await(stage))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessage("fence holds something else than a token: key=" + record);
        }

        @Test
        void resetSetsTheHighestDownAndUp() throws Throwable {
            await(fence.reset(key, 50));
            assertFencedOut(fence.set(key, "v", token(49)), 49, 50);
            await(fence.reset(key, 7));
            await(fence.set(key, "v", token(8)));
            await(fence.reset(key, HIGHEST));
            assertFencedOut(fence.set(key, "v", token(HIGHEST - 1)), HIGHEST - 1, HIGHEST);
            await(fence.reset(key, 0));
            await(fence.set(key, "v", token(1)));
            assertThatThrownBy(() -> fence.reset(key, -1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fence.reset(key, HIGHEST + 1)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> fence.reset("", 1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    class OnServer extends OneAfterAnother {
        @Override
        StatefulConnection<String, String> connect() {
            return FenceTests.connectServer();
        }

        @Test
        void usersCannotCompleteAStage() throws Throwable {
            for (CompletionStage<?> stage : List.of(
                    fence.set(key, "v", token(1)),
                    fence.eval("return 1", Long.class, List.of(key), List.of(), token(1)),
                    fence.reset(key, 1))) {
                assertThat(stage.toCompletableFuture()).isNotSameAs(stage);
                assertThatThrownBy(() -> ((CompletableFuture<?>) stage).complete(null))
                        .isInstanceOf(UnsupportedOperationException.class);
                await(stage);
            }
        }

        @Test
        void R085_functionsOfAStageGetTheRefusalAsACause() throws Throwable {
            await(fence.set(key, "v", token(5)));
            AtomicReference<Throwable> got = new AtomicReference<>();
            CompletionStage<Void> refused = fence.set(key, "v", token(4));
            await(refused.handle((done, failure) -> {
                got.set(failure);
                return true;
            }));
            assertThat(got.get()).isInstanceOf(CompletionException.class).hasCauseInstanceOf(FencedOutException.class);
            assertThatThrownBy(() -> refused.toCompletableFuture().join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(FencedOutException.class);
        }

        @Test
        void aCodecThatChangesKeysAndValuesLeavesTokensAlone() throws Throwable {
            try (StatefulRedisConnection<String, String> changed =
                    FenceTests.connect(RedisServers.single(), new Secretive())) {
                RedisFence other = RedisFence.on(changed);
                await(other.set(key, "v", token(5)));
                assertFencedOut(other.set(key, "w", token(4)), 4, 5);
                assertThat(await(changed.async().get(key))).isEqualTo("v");
                assertThat(await(redis.get("app:" + key))).isEqualTo("#v");
                assertThat(await(redis.get("app:" + record))).isEqualTo("5");
                await(other.reset(key, 3));
                await(other.set(key, "w", token(4)));
            }
        }

        @Test
        void otherConnectionsAreRefused() {
            @SuppressWarnings("unchecked")
            StatefulConnection<String, String> other = (StatefulConnection<String, String>) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {StatefulConnection.class},
                    (proxy, method, given) -> null);
            assertThatThrownBy(() -> RedisFence.on(other))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must be one to a server or to a Cluster");
        }
    }

    @Nested
    class OnCluster extends OneAfterAnother {
        @Override
        StatefulConnection<String, String> connect() {
            return FenceTests.connectCluster();
        }

        @Test
        void B02_aKeyThatIsMovingBeforeItHasAFenceIsUnavailableUntilItHasMoved() throws Throwable {
            RedisCluster cluster = RedisServers.cluster();
            int slot = cluster.slotOf(key);
            RedisNode from = cluster.masterOf(slot);
            RedisNode to = other(cluster, from);
            await(redis.set(key, "kept"));
            cluster.beginMove(slot, from, to);
            assertThatThrownBy(() -> await(fence.set(key, "v", token(5))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("TRYAGAIN");
            assertThat(get(key)).isEqualTo("kept");
            cluster.moveKeys(slot, from, to);
            cluster.endMove(slot, from, to);
            await(fence.set(key, "v", token(5)));
            assertFencedOut(fence.set(key, "w", token(4)), 4, 5);
        }

        private RedisNode other(RedisCluster cluster, RedisNode from) {
            return cluster.nodes().stream()
                    .filter(node -> node != from && node.isMaster())
                    .findFirst()
                    .orElseThrow();
        }

        @Test
        void B02_theFenceMovesWithTheSlotOfItsKey() throws Throwable {
            RedisCluster cluster = RedisServers.cluster();
            int slot = cluster.slotOf(key);
            RedisNode from = cluster.masterOf(slot);
            RedisNode to = other(cluster, from);
            await(fence.set(key, "v", token(5)));
            cluster.moveSlot(slot, from, to);
            assertFencedOut(fence.set(key, "w", token(4)), 4, 5);
            await(fence.set(key, "x", token(6)));
            assertThat(to.command("GET", record)).isEqualTo("6");
        }
    }

    /**
     * Keys with a prefix, values that are no numbers.
     */
    private static final class Secretive implements RedisCodec<String, String> {
        @Override
        public String decodeKey(ByteBuffer bytes) {
            return StringCodec.UTF8.decodeKey(bytes).substring("app:".length());
        }

        @Override
        public String decodeValue(ByteBuffer bytes) {
            return StringCodec.UTF8.decodeValue(bytes).substring(1);
        }

        @Override
        public ByteBuffer encodeKey(String key) {
            return StringCodec.UTF8.encodeKey("app:" + key);
        }

        @Override
        public ByteBuffer encodeValue(String value) {
            return StringCodec.UTF8.encodeValue("#" + value);
        }
    }
}
