package dev.tenure.redis;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Refuses Redis writes of a leader whose term is over, in the script that writes. Thread-safe.
 *
 * <p>The highest accepted token lies beside the key that is written, without an expiry: {@code {key}:tenure-fence}, or
 * {@code key::tenure-fence} if the key has a hash tag. Both are written by one script, so a replica, a snapshot and an
 * append-only file have both or neither: the fence is as durable as the data it guards. What it does <em>not</em> do:
 *
 * <ul>
 *   <li>It does not see writes that go around it, and does not reach beyond the server's numbered database.
 *   <li>It does not outlive its record. Where that is flushed, evicted ({@code maxmemory-policy allkeys-*}) or deleted,
 *       any token passes again until a leader has written; where a restore or the promotion of a replica that lagged
 *       takes the record back, tokens from the one that was kept on pass.
 *   <li>It does not say whether a lease is valid: before the first write of a new leader, its predecessor's pass.
 *   <li>There is no check without a write: what a check had found would no longer hold when the write comes.
 *   <li>It does not make a write happen once. The driver repeats commands after a reconnect unless told otherwise. A
 *       repeated one is compared again, and may then be refused although the first one was accepted.
 *   <li>It does not keep two writes in order, unless the second one is begun when the stage of the first is complete.
 * </ul>
 *
 * <p><b>Stages</b> cannot be completed by those who get them. They are completed on the driver's I/O threads, like the
 * driver's own: do not block there, use the {@code …Async} methods. They wait as long as the connection's commands do,
 * for ever by default: set the driver's {@code TimeoutOptions}. Functions of a stage get a
 * {@link java.util.concurrent.CompletionException} whose cause is one of
 *
 * <ul>
 *   <li>{@link FencedOutException}: the resource has accepted a higher token. Nothing was changed.
 *   <li>{@link StoreRejectedException}: credentials or rights are missing ({@code NOAUTH}, {@code WRONGPASS},
 *       {@code NOPERM}), or the fence's key holds something else than a token. If the right that is missing is one for
 *       a command within the script, what came before it in the script has happened; else nothing was changed.
 *   <li>{@link StoreUnavailableException}: worth another try. If its cause is a {@link RedisCommandExecutionException},
 *       the server refused the first write, nothing was changed ({@code READONLY}, {@code LOADING}, {@code OOM},
 *       {@code CLUSTERDOWN}, {@code MASTERDOWN}, {@code TRYAGAIN}, {@code MISCONF}, {@code NOREPLICAS}, {@code BUSY}).
 *       With any other cause, a time-out or a connection that closed, it is unknown whether the write has happened or
 *       will still happen.
 *   <li>{@link RedisCommandExecutionException} with whatever else the server or the script says. An error of a script
 *       that begins with one of the words above counts as the server's.
 * </ul>
 *
 * <p>Tokens up to 2<sup>53</sup>: scripts compare them as floating-point numbers, which are exact so far.
 *
 * <p>User and password need {@code EVAL}, {@code EVALSHA}, {@code GET} and {@code SET} on key and fence.
 */
public final class RedisFence {
    private static final long HIGHEST = 1L << 53;

    private final FenceCommands commands;

    private RedisFence(FenceCommands commands) {
        this.commands = commands;
    }

    /**
     * Over the application's connection, which stays open. It must not be within {@code MULTI}. Any codec will do;
     * one that adds to keys needs keys with a hash tag in a Cluster, or the server refuses them.
     *
     * @throws IllegalArgumentException if it is neither one to a server (primary and replicas, Sentinel included) nor
     *     one to a Cluster
     */
    public static RedisFence on(StatefulConnection<String, String> connection) {
        if (connection instanceof StatefulRedisConnection<String, String> server) {
            return new RedisFence(new FenceCommands(server.async(), connection.getCodec()));
        }
        if (connection instanceof StatefulRedisClusterConnection<String, String> cluster) {
            return new RedisFence(new FenceCommands(cluster.async(), connection.getCodec()));
        }
        throw new IllegalArgumentException("connection must be one to a server or to a Cluster: connection="
                + connection.getClass().getName());
    }

    /**
     * Sets the key if the token is not below the highest that was accepted for it, and remembers a higher one. Equal
     * ones pass: a leader writes often. As with every {@code SET}, whatever the key held is replaced, its expiry goes.
     *
     * @return completes when the server has written; see the class for failures
     * @throws IllegalArgumentException if the token is above 2<sup>53</sup>, or no fence can share the key's Cluster
     *     slot: the key is empty, is a fence's, or has a <code>}</code> but no hash tag
     */
    public CompletionStage<Void> set(String key, String value, FencingToken token) {
        checked(token.value());
        return commands.guarded(FenceScript.set(), Void.class, List.of(key), List.of(value), token);
    }

    /**
     * Runs a Lua script of one's own behind the same check, as one script; the fence is that of {@code keys[0]}, and
     * only of that. If the token is refused, the script does not begin. It finds its {@code KEYS} and {@code ARGV} as
     * they are given here, its errors name its own lines, and it may begin with flags that let it write
     * ({@code #!lua flags=allow-oom}). A script that does not compile changes nothing. What a script had written when
     * it failed stays written, as always in Redis, and so does a higher token.
     *
     * <p>Answers are read as the driver reads them: {@code nil} is {@code null}, but {@code false} for
     * {@code Boolean.class}. An answer of another type fails with the driver's exception when the script has run.
     *
     * @param result {@code String}, {@code Long}, {@code Boolean}, {@code List}, or {@code Void} (also
     *     {@code void.class}), which takes any answer and drops it
     * @param keys all that the script touches; at least one; in a Cluster all in one slot
     * @return see the class for failures
     * @throws IllegalArgumentException if {@code result} is another type, there is no key, the token is above
     *     2<sup>53</sup>, or no fence can share the Cluster slot of {@code keys[0]}, see {@link #set}
     */
    public <R> CompletionStage<@Nullable R> eval(
            String script, Class<R> result, List<String> keys, List<String> arguments, FencingToken token) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("the fence is kept beside the first key: keys=[]");
        }
        checked(token.value());
        return commands.guarded(FenceScript.guarded(script), result, List.copyOf(keys), List.copyOf(arguments), token);
    }

    /**
     * Sets the highest accepted token by hand, down or up, whatever the fence's key holds: the documented step after a
     * flush, a restore or a change of store. 0 lets any token pass.
     *
     * <p>Compares nothing: a higher token that somebody writes with meanwhile is forgotten. Only while no leader writes.
     *
     * @return completes when the server has written; see the class for failures
     * @throws IllegalArgumentException if the token is negative or above 2<sup>53</sup>, or the key has no fence, see
     *     {@link #set}
     */
    public CompletionStage<Void> reset(String key, long token) {
        return commands.put(key, checked(token));
    }

    private static long checked(long token) {
        if (token < 0 || token > HIGHEST) {
            throw new IllegalArgumentException("token must be from 0 to 2^53: token=" + token);
        }
        return token;
    }
}
