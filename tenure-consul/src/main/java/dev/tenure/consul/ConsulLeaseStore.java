package dev.tenure.consul;

import dev.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Leases in Consul 1.8 or newer: a KV key, locked by a session of its own for each term.
 *
 * <p>What is <em>not</em> promised: a quick take-over. Consul's shortest session is 10 s, it may notice the end of a
 * session as late as after twice its time, and the key then stays closed for the lock delay. Tokens are Raft indexes:
 * a Consul that was restored from a snapshot may give lower ones than before, which is told and refused until an
 * operator accepts it.
 *
 * <p>The store asks one agent over HTTP: at most six requests at once, and a long one for each key that somebody waits
 * for, up to six; of more keys it hears by reading them every two seconds.
 */
public final class ConsulLeaseStore {
    private ConsulLeaseStore() {}

    /**
     * At a URL, with the default options.
     *
     * @throws IllegalArgumentException as {@link Builder#build()}
     */
    public static LeaseStore connect(String url) {
        return builder(url).build();
    }

    /**
     * At {@code consul://host[:port]}, or {@code consul+https://host[:port]} for TLS; the port is 8500 or 8501 if none
     * is named. Options may follow a question mark; what is no letter or digit is percent-encoded.
     */
    public static Builder builder(String url) {
        return new Builder(url);
    }

    /**
     * Collects options; each call overrides an earlier one, and what the URL says.
     */
    public static final class Builder {
        private final String url;
        private final Map<String, String> options = new HashMap<>();
        private @Nullable SSLContext tls;

        private Builder(String url) {
            this.url = url;
        }

        /**
         * The ACL token of every request. It needs {@code write} on the keys and on sessions.
         */
        public Builder token(String token) {
            return option("token", token);
        }

        /**
         * By default the agent's own.
         */
        public Builder datacenter(String datacenter) {
            return option("datacenter", datacenter);
        }

        /**
         * How long a key stays closed after a session that held it was invalidated: 0 to 60 s, default 15 s. A holder
         * that is cut off has this long to notice; a release has none.
         */
        public Builder lockDelay(Duration delay) {
            return option("lockDelay", delay.toMillis() + "ms");
        }

        /**
         * Begins every key, with a slash after it. Default nothing.
         */
        public Builder namespace(String namespace) {
            return option("namespace", namespace);
        }

        /**
         * Ties sessions to these checks of the agent's node, such as {@code serfHealth}: leadership then ends when they
         * turn critical, within seconds, and a short trouble of the agent's is enough. Default none.
         */
        public Builder nodeChecks(String... checks) {
            return option("nodeChecks", String.join(",", checks));
        }

        /**
         * Whom to trust and who to be, for {@code consul+https}. Default the JVM's.
         */
        public Builder tls(SSLContext context) {
            this.tls = context;
            return this;
        }

        /**
         * By name, as after a URL's question mark: {@code token}, {@code datacenter}, {@code lockDelay} (such as
         * {@code 15s} or {@code 500ms}), {@code namespace}, {@code nodeChecks}; {@code password} is another name for the
         * token.
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
         * Does not wait for an agent to be reachable.
         *
         * @throws IllegalArgumentException if URL or option are wrong or unknown, naming them, never with a token
         */
        public LeaseStore build() {
            return new ConsulStore(ConsulOptions.parse(url, options), tls);
        }
    }
}
