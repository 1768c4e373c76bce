package dev.tenure.redis;

import dev.tenure.spi.LeaseStore;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.cluster.RedisClusterClient;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Leases in Redis 6.2 or newer, or Valkey: one server, a set behind Sentinel, or a Cluster.
 *
 * <p>What is <em>not</em> promised: Redis replicates asynchronously. A failover may lose the last grants, and then two
 * instances believe that they lead, until the first one's next renewal; {@code min-replicas-to-write} makes that rare.
 * Tokens of the second are above those of the first all the same, as long as the clocks of old and new master differ by
 * less than the time since the last grant. Who leads is decided by the server's wall clock: a step forward by more than
 * the safety margin can let a second leader in.
 *
 * <p>One connection for commands, made on first use, and one that hears of releases, made when somebody waits.
 */
public final class RedisLeaseStore {
    private RedisLeaseStore() {}

    /**
     * At a URL, with the default options.
     *
     * @throws IllegalArgumentException as {@link Builder#build()}
     */
    public static LeaseStore connect(String url) {
        return builder(url).build();
    }

    /**
     * At {@code redis://[[user]:password@]host[:port][/database]}, {@code redis-sentinel://host[:port][,…]#master}, or
     * {@code redis-cluster://host[:port][,…]}; {@code rediss} in place of {@code redis} for TLS. Options may follow a
     * question mark; what is no letter or digit is percent-encoded.
     */
    public static Builder builder(String url) {
        return new Builder(url, null);
    }

    /**
     * Over a client of the application, which stays open. It must have a default URI. The store makes connections of its
     * own on it, with the client's options: its connect timeout should be short.
     */
    public static Builder using(RedisClient client) {
        return new Builder(null, client);
    }

    /**
     * Over a Cluster client of the application, which stays open. Its topology refresh is the application's to configure;
     * without one, a failover is not followed.
     */
    public static Builder using(RedisClusterClient client) {
        return new Builder(null, client);
    }

    /**
     * Collects options; each call overrides an earlier one, and what the URL says.
     */
    public static final class Builder {
        private final @Nullable String url;
        private final @Nullable AbstractRedisClient client;
        private final Map<String, String> options = new HashMap<>();
        private @Nullable RedisCredentialsProvider credentials;

        private Builder(@Nullable String url, @Nullable AbstractRedisClient client) {
            this.url = url;
            this.client = client;
        }

        /**
         * Begins every key: {@code <namespace>:lock:<key>}, on a Cluster {@code {<namespace>}:lock:<key>}, so that all
         * its keys share a slot. Default {@code tenure}. All candidates must agree on it.
         */
        public Builder namespace(String namespace) {
            return option("namespace", namespace);
        }

        /**
         * Another style of keys: {@code <prefix>{<key>}}, by which the keys spread over a Cluster, and the default key of
         * a role is the role itself. A record there that Tenure did not write counts as held until it expires; do not
         * let other programs elect on the same keys.
         */
        public Builder prefix(String prefix) {
            return option("prefix", prefix);
        }

        /**
         * Counts tokens in steps of one instead of making them from the server's clock. A failover, flush or eviction
         * that loses the last count repeats tokens. All candidates must agree on it.
         */
        public Builder countingTokens() {
            return option("tokens", "counter");
        }

        /**
         * Asked for user and password at each connecting, so that they may change. For a URL only.
         */
        public Builder credentials(RedisCredentialsProvider credentials) {
            this.credentials = credentials;
            return this;
        }

        /**
         * By name, as after a URL's question mark: {@code namespace}, {@code prefix}, {@code hashTags}, {@code tokens};
         * for a URL also {@code user}, {@code password}, {@code database}, {@code master}, {@code sentinelUser},
         * {@code sentinelPassword}, {@code ca}, {@code cert}, {@code key}, {@code keyPassword}, {@code verify}.
         */
        public Builder options(Map<String, String> more) {
            options.putAll(more);
            return this;
        }

        private Builder option(String name, String value) {
            options.put(name, value);
            return this;
        }

        /**
         * Does not wait for a server to be reachable.
         *
         * @throws IllegalArgumentException if URL or option are wrong or unknown, naming them, never with a password
         */
        public LeaseStore build() {
            if (client != null) {
                if (credentials != null) {
                    throw new IllegalArgumentException("credentials must be the client's own");
                }
                RedisOptions.refuseUnknown(options, RedisOptions.NAMES);
                return new RedisStore(new GivenConnector(client), RedisOptions.of(options));
            }
            Target target = RedisUrl.parse(String.valueOf(url), options, credentials);
            target.options().keys(target.isCluster()); // before anything is started
            return new RedisStore(new OwnConnector(target), target.options());
        }
    }
}
