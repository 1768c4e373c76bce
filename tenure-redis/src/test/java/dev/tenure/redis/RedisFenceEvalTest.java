package dev.tenure.redis;

import static dev.tenure.redis.FenceTests.assertFencedOut;
import static dev.tenure.redis.FenceTests.await;
import static dev.tenure.redis.FenceTests.freshKey;
import static dev.tenure.redis.FenceTests.token;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Scripts of one's own.
 */
@Isolated("breaks servers that others use, or counts what they do")
class RedisFenceEvalTest {

    abstract static class Scripts {
        StatefulConnection<String, String> connection;
        RedisClusterAsyncCommands<String, String> redis;
        RedisFence fence;
        final String key = "{" + freshKey() + "}";
        final String record = key + "::tenure-fence";

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

        <R> CompletionStage<R> eval(String script, Class<R> result, long token) {
            return fence.eval(script, result, List.of(key), List.of(), token(token));
        }

        String highest() throws Throwable {
            return await(redis.get(record));
        }

        @Test
        void R084_theScriptRunsForEqualAndHigherTokensOnly() throws Throwable {
            String push = "return redis.call('RPUSH', KEYS[1], ARGV[1])";
            assertThat(await(fence.eval(push, Long.class, List.of(key), List.of("a"), token(5))))
                    .isEqualTo(1);
            assertThat(await(fence.eval(push, Long.class, List.of(key), List.of("b"), token(5))))
                    .isEqualTo(2);
            assertFencedOut(fence.eval(push, Long.class, List.of(key), List.of("c"), token(4)), 4, 5);
            assertThat(await(fence.eval(push, Long.class, List.of(key), List.of("d"), token(6))))
                    .isEqualTo(3);
            assertThat(await(redis.lrange(key, 0, -1))).containsExactly("a", "b", "d");
            assertThat(highest()).isEqualTo("6");
        }

        @Test
        void setAndScriptsOfAKeyShareItsFence() throws Throwable {
            await(fence.set(key, "v", token(5)));
            assertFencedOut(eval("return 1", Long.class, 4), 4, 5);
            await(eval("return 1", Long.class, 6));
            assertFencedOut(fence.set(key, "v", token(5)), 5, 6);
        }

        @Test
        void theScriptFindsItsKeysAndArgumentsAndNoMore() throws Throwable {
            String script = """
                    local all = {#KEYS, #ARGV, #_G.KEYS, #_G.ARGV, unpack(KEYS)}
                    for _, each in ipairs(ARGV) do all[#all + 1] = each end
                    for name in pairs(KEYS) do assert(type(name) == 'number' and name <= #KEYS) end
                    all[#all + 1] = tostring(rawget(_G, 'fence') == nil)
                    return all
                    """;
            List<String> keys = List.of(key, key + "b", key);
            List<String> arguments = List.of("", "7", "ä\r\n");
            assertThat((Object) await(fence.eval(script, List.class, keys, arguments, token(5))))
                    .isEqualTo(List.of(3L, 3L, 3L, 3L, key, key + "b", key, "", "7", "ä\r\n", "true"));
            assertThat((Object) await(fence.eval(script, List.class, List.of(key), List.of(), token(5))))
                    .isEqualTo(List.of(1L, 0L, 1L, 0L, key, "true"));
        }

        @Test
        void listsThatChangeAfterTheCallDoNotMatter() throws Throwable {
            List<String> keys = new ArrayList<>(List.of(key));
            List<String> arguments = new ArrayList<>(List.of("given"));
            await(redis.scriptFlush()); // so that the script is sent twice
            CompletionStage<String> answer =
                    fence.eval("return ARGV[1] .. KEYS[1]", String.class, keys, arguments, token(5));
            keys.set(0, "other");
            arguments.clear();
            assertThat(await(answer)).isEqualTo("given" + key);
        }

        @Test
        void answersAreReadAsAsked() throws Throwable {
            assertThat(await(eval("return 'text'", String.class, 1))).isEqualTo("text");
            assertThat(await(eval("return {ok = 'DONE'}", String.class, 1))).isEqualTo("DONE");
            assertThat(await(eval("return 7", Long.class, 1))).isEqualTo(7);
            assertThat(await(eval("return 1 == 1", Boolean.class, 1))).isTrue();
            assertThat(await(eval("return 1 == 2", Boolean.class, 1))).isFalse();
            assertThat(await(eval("return 0", Boolean.class, 1))).isFalse();
            assertThat((Object) await(eval("return {1, 'a', {2, {}}}", List.class, 1)))
                    .isEqualTo(List.of(1L, "a", List.of(2L, List.of())));
            for (String each : List.of("nil", "7", "'text'", "true", "{1, {2}}", "{ok = 'DONE'}")) {
                assertThat(await(eval("return " + each, Void.class, 1))).isNull();
                assertThat(await(eval("return " + each, void.class, 1))).isNull();
            }
        }

        @Test
        void nilIsNullButFalseForABoolean() throws Throwable {
            assertThat(await(eval("return nil", String.class, 1))).isNull();
            assertThat(await(eval("", Long.class, 1))).isNull();
            assertThat(await(eval("", Boolean.class, 1))).isFalse();
            assertThat((Object) await(eval("return {}", List.class, 1))).isEqualTo(List.of());
        }

        @Test
        void anAnswerOfAnotherTypeFailsWhenTheScriptHasRun() throws Throwable {
            assertThatThrownBy(() -> await(eval("redis.call('SET', KEYS[1], 'ran') return 7", String.class, 5)))
                    .isInstanceOf(UnsupportedOperationException.class);
            assertThatThrownBy(() -> await(eval("return 'text'", Long.class, 5)))
                    .isInstanceOf(RuntimeException.class);
            assertThat(await(redis.get(key))).isEqualTo("ran");
            assertThat(highest()).isEqualTo("5");
        }

        @Test
        void otherTypesAndNoKeysAreRefusedBeforeAnythingRuns() throws Throwable {
            for (Class<?> each : List.of(Integer.class, Object.class, long.class, boolean.class, ArrayList.class)) {
                assertThatThrownBy(() -> eval("return 1", each, 5))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("result=" + each.getName());
            }
            assertThatThrownBy(() -> fence.eval("return 1", Long.class, List.of(), List.of(), token(5)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("first key");
            assertThat(highest()).isNull();
        }

        @Test
        void R085_aRefusedScriptDoesNotBegin() throws Throwable {
            await(eval("return 1", Long.class, 5));
            assertFencedOut(eval("error('began')", Void.class, 4), 4, 5);
            assertFencedOut(eval("redis.call('DEL', KEYS[1], KEYS[1])", Void.class, 4), 4, 5);
            assertThat(highest()).isEqualTo("5");
        }

        @Test
        void aScriptThatDoesNotCompileChangesNothing() throws Throwable {
            await(eval("return 1", Long.class, 5));
            assertThatThrownBy(() -> await(eval("local one = 1\nif", Void.class, 6)))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageContaining("Error compiling script")
                    .hasMessageContaining("user_script:2:");
            assertThatThrownBy(() -> await(eval("end", Void.class, 6)))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageContaining("user_script:1:");
            assertThat(highest()).isEqualTo("5");
        }

        @Test
        void aScriptThatFailsKeepsWhatItWroteAndTheHigherToken() throws Throwable {
            await(eval("return 1", Long.class, 5));
            assertThatThrownBy(() -> await(eval("redis.call('SET', KEYS[1], 'half')\n\nerror('own')", Void.class, 6)))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageStartingWith("ERR user_script:3: own");
            assertThat(await(redis.get(key))).isEqualTo("half");
            assertFencedOut(eval("return 1", Long.class, 5), 5, 6);
        }

        @Test
        void errorsOfTheScriptStayAsTheyAre() {
            assertError("return {err = 'MINE of my own'}", "MINE of my own");
            assertError("return redis.error_reply('MINE again')", "MINE again");
            assertError("redis.call('SET', KEYS[1], '1') redis.call('RPUSH', KEYS[1], '1')", "WRONGTYPE ");
            assertError("redis.call('NONESUCH')", "ERR Unknown Redis command");
            assertError("nonesuch()", "ERR user_script:1: ");
        }

        private void assertError(String script, String begin) {
            assertThatThrownBy(() -> await(eval(script, Void.class, 5)))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageStartingWith(begin);
        }

        @Test
        void oddScriptsRun() throws Throwable {
            assertThat(await(eval("return 1 -- the end", Long.class, 5))).isEqualTo(1);
            assertThat(await(eval("\n\n-- only a comment", Long.class, 5))).isNull();
            assertThat(await(eval("(function() end)() return 2", Long.class, 5)))
                    .isEqualTo(2);
            assertThat(await(eval("#!lua flags=allow-oom\nreturn 3", Long.class, 5)))
                    .isEqualTo(3);
            StringBuilder many = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                many.append("local v").append(i).append(" = ").append(i).append("\n"); // as many as Lua allows
            }
            assertThat(await(eval(many + "return v199", Long.class, 5))).isEqualTo(199);
            assertThatThrownBy(() -> await(eval("#!lua flags=allow-oom\n\nerror('own')", Void.class, 5)))
                    .hasMessageStartingWith("ERR user_script:3: own");
        }
    }

    @Nested
    class OnServer extends Scripts {
        @Override
        StatefulConnection<String, String> connect() {
            return FenceTests.connectServer();
        }
    }

    @Nested
    class OnCluster extends Scripts {
        @Override
        StatefulConnection<String, String> connect() {
            return FenceTests.connectCluster();
        }

        @Test
        void B02_keysOfSeveralSlotsAreRefusedByTheServerAndNothingRuns() throws Throwable {
            assertThatThrownBy(() -> await(
                            fence.eval("return 1", Long.class, List.of(key, key + "b", "other"), List.of(), token(5))))
                    .isInstanceOf(RedisCommandExecutionException.class)
                    .hasMessageStartingWith("CROSSSLOT");
            assertThat(highest()).isNull();
        }
    }
}
