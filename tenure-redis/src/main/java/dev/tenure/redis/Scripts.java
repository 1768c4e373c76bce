package dev.tenure.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Runs scripts by digest; where the server does not know one, a restart for instance, by text within the same call.
 */
final class Scripts {
    /**
     * How long somebody waits who sets no limit: operators, not the engine.
     */
    static final Duration PATIENCE = Duration.ofSeconds(15);

    private final Link link;

    Scripts(Link link) {
        this.link = link;
    }

    /**
     * The answer is a list, of numbers, text and lists; a single value is a list of one.
     */
    CompletionStage<List<Object>> run(Script script, List<String> keys, List<String> arguments, Duration limit) {
        String[] names = keys.toArray(String[]::new);
        String[] values = arguments.toArray(String[]::new);
        return link.call(
                limit,
                server -> server.<List<Object>>evalsha(script.digest, ScriptOutputType.MULTI, names, values)
                        .handle((answer, failed) -> {
                            if (failed != null && Trouble.of(Trouble.rootOf(failed)) == Trouble.NO_SCRIPT) {
                                return server.<List<Object>>eval(script.text, ScriptOutputType.MULTI, names, values);
                            }
                            return failed == null
                                    ? CompletableFuture.completedStage(answer)
                                    : CompletableFuture.<List<Object>>failedStage(failed);
                        })
                        .thenCompose(Function.identity())
                        .thenApply(Scripts::fromHere));
    }

    /**
     * A part that says that this server takes no writes speaks for the server.
     */
    private static List<Object> fromHere(List<Object> answer) {
        for (Object part : answer) {
            if (part instanceof String text
                    && Trouble.of(new RedisCommandExecutionException(text)) == Trouble.ELSEWHERE) {
                throw new RedisCommandExecutionException(text);
            }
        }
        return answer;
    }

    <T> CompletionStage<T> call(Function<RedisClusterAsyncCommands<String, String>, CompletionStage<T>> command) {
        return link.call(PATIENCE, command);
    }

    CompletableFuture<Void> close() {
        return link.close();
    }
}
