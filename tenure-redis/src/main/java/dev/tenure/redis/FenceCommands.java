package dev.tenure.redis;

import dev.tenure.FencingToken;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.VoidOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The commands of a fence. Tokens are sent as digits whatever the codec does with values. A Cluster's driver goes by
 * the first key.
 */
final class FenceCommands {
    private final RedisClusterAsyncCommands<String, String> commands;
    private final RedisCodec<String, String> codec;

    FenceCommands(RedisClusterAsyncCommands<String, String> commands, RedisCodec<String, String> codec) {
        this.commands = commands;
        this.codec = codec;
    }

    /**
     * Sends the script's digest, and the whole script if the server does not know it.
     */
    <R extends @Nullable Object> CompletionStage<R> guarded(
            FenceScript script, Class<?> result, List<String> keys, List<String> arguments, FencingToken token) {
        String fence = FenceKey.of(keys.get(0));
        CommandArgs<String, String> operands = arguments()
                .add(keys.size() + 1L)
                .addKeys(keys)
                .addKey(fence)
                .addValues(arguments)
                .add(token.value());
        return sent(
                        CommandType.EVALSHA,
                        FenceOutput.<R>of(result, codec),
                        arguments().add(script.digest()).addAll(operands))
                .exceptionallyCompose(failed -> FenceErrors.isUnknownScript(failed)
                        ? sent(
                                CommandType.EVAL,
                                FenceOutput.<R>of(result, codec),
                                arguments().add(script.text()).addAll(operands))
                        : CompletableFuture.failedFuture(failed))
                .exceptionallyCompose(
                        failed -> CompletableFuture.failedFuture(FenceErrors.ofGuarded(failed, token, fence)))
                .toCompletableFuture()
                .minimalCompletionStage();
    }

    /**
     * Writes the fence's record, whatever it held.
     */
    CompletionStage<Void> put(String key, long token) {
        CommandArgs<String, String> operands =
                arguments().addKey(FenceKey.of(key)).add(token);
        return sent(CommandType.SET, new VoidOutput<>(codec), operands)
                .exceptionallyCompose(failed -> CompletableFuture.failedFuture(FenceErrors.of(failed)))
                .toCompletableFuture()
                .minimalCompletionStage();
    }

    private CommandArgs<String, String> arguments() {
        return new CommandArgs<>(codec);
    }

    private <R extends @Nullable Object> CompletionStage<R> sent(
            CommandType type, CommandOutput<String, String, R> output, CommandArgs<String, String> operands) {
        try {
            return commands.dispatch(type, output, operands);
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }
}
