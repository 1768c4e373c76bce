package dev.tenure.redis;

import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.output.BooleanOutput;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.output.NestedMultiOutput;
import io.lettuce.core.output.ValueOutput;
import io.lettuce.core.output.VoidOutput;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What reads the answer of a script. An output is good for one answer.
 */
final class FenceOutput {
    private FenceOutput() {}

    /**
     * As the driver itself reads {@code VALUE}, {@code INTEGER}, {@code BOOLEAN} and {@code MULTI} of scripts.
     *
     * @param <R> what {@code type} is, or null
     * @throws IllegalArgumentException if nothing reads that type
     */
    @SuppressWarnings("unchecked") // the output is of the type that was compared: R
    static <R extends @Nullable Object> CommandOutput<String, String, R> of(
            Class<?> type, RedisCodec<String, String> codec) {
        CommandOutput<String, String, ?> output;
        if (type == String.class) {
            output = new ValueOutput<>(codec);
        } else if (type == Long.class) {
            output = new IntegerOutput<>(codec);
        } else if (type == Boolean.class) {
            output = new BooleanOutput<>(codec);
        } else if (type == List.class) {
            output = new NestedMultiOutput<>(codec);
        } else if (type == Void.class || type == void.class) {
            output = new VoidOutput<>(codec); // create() would read errors as success
        } else {
            throw new IllegalArgumentException(
                    "result must be String, Long, Boolean, List or Void: result=" + type.getName());
        }
        return (CommandOutput<String, String, R>) output;
    }
}
