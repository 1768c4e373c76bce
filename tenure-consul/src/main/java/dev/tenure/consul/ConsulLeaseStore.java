package dev.tenure.consul;

import dev.tenure.spi.LeaseStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
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
 * <p>The store asks one agent over HTTP, by about eight connections at most. Up to six of them hear of the keys that somebody
 * waits for; of more keys it hears by one query if they are alone in their folder, otherwise by reading them every two
 * seconds. Leases are of 10 s to 24 h.
 *
 * <p>Where Consul has access control, all that a candidate or an operator does needs two rules in the policy of the
 * {@linkplain Builder#token(String) ACL token}, with the role in place of {@code <role>}, and with the
 * {@linkplain Builder#namespace(String) namespace} and a slash before it if there is one:
 *
 * <pre>{@code
 * key_prefix "service/<role>/leader" { policy = "write" }
 * session_prefix "" { policy = "write" }
 * }</pre>
 *
 * <p>Sessions belong to the node of the agent that is asked: {@code session "<node>"} is enough in the second rule. A
 * rule {@code key "service/<role>/leader"} is enough for candidates, but what an operator accepts of tokens stands in a
 * key below: {@code acceptToken} is then refused, and candidates do not see what was accepted. Who only reads, lists and
 * watches needs {@code policy = "read"}. {@code list} leaves out, without a word, what the token may not read, sessions
 * and keys, as Consul does.
 *
 * <p>A token or rule that is missing is a {@link dev.tenure.StoreRejectedException} that names it. It shows in the health
 * of electors at once, is tried again ever more slowly, up to 30 s apart, and is over with the first try after it was
 * granted, without a restart. A token that is deleted or loses a rule while its user leads ends nothing by itself:
 * renewals count as unanswered, health says why, and the term ends at its deadline unless the right comes back before.
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
        private @Nullable Supplier<String> tokens;

        private Builder(String url) {
            this.url = url;
        }

        /**
         * The ACL token of every request. None by default, which is Consul's anonymous token.
         */
        public Builder token(String token) {
            return option("token", token);
        }

        /**
         * Gives the ACL token of each request, so that it may change. Asked for each, on threads of the store and of
         * callers, several at once: it must answer from memory. What it throws makes that request fail as one without
         * an answer, which is tried again, and is the cause of what is told: it should not hold a token. Null, nothing,
         * or other than visible ASCII characters count as refused. In place of {@link #token(String)} and
         * {@link #tokenFile(Path)}.
         */
        public Builder token(Supplier<String> token) {
            this.tokens = token;
            return this;
        }

        /**
         * Holds the ACL token, with or without white space around it. Read again when it has changed: by its
         * modification time, its size, or since another file has taken its name. It may come later; until then requests
         * are refused here. While it cannot be used, the last token is.
         */
        public Builder tokenFile(Path file) {
            return option("tokenFile", file.toString());
        }

        /**
         * By default the agent's own.
         */
        public Builder datacenter(String datacenter) {
            return option("datacenter", datacenter);
        }

        /**
         * The namespace of Consul Enterprise that holds sessions and keys: Consul's {@code ns}, and the option's name.
         * Other Consuls refuse it. Not to be taken for {@link #namespace(String)}. By default the token's own, or
         * Consul's {@code default}.
         */
        public Builder consulNamespace(String namespace) {
            return option("ns", namespace);
        }

        /**
         * The admin partition of Consul Enterprise 1.11 or newer. Other Consuls refuse it. By default the token's own,
         * or Consul's {@code default}.
         */
        public Builder partition(String partition) {
            return option("partition", partition);
        }

        /**
         * How long a key stays closed after a session that held it was invalidated: 0 to 60 s, default 15 s. A holder
         * that is cut off has this long to notice; a release has none.
         */
        public Builder lockDelay(Duration delay) {
            return option("lockDelay", delay.toMillis() + "ms");
        }

        /**
         * Begins every key, with a slash after it. Default nothing. It is no namespace of Consul Enterprise: see
         * {@link #consulNamespace(String)}.
         */
        public Builder namespace(String namespace) {
            return option("namespace", namespace);
        }

        /**
         * Ties sessions to these checks of the agent's node, such as {@code serfHealth}: leadership then ends when they
         * turn critical, within seconds, and a short trouble of the agent's is enough. The key opens after the lock delay
         * then, so no lease may be longer than that. Default none.
         */
        public Builder nodeChecks(String... checks) {
            return option("nodeChecks", String.join(",", checks));
        }

        /**
         * Whom to trust and who to be, for {@code consul+https}, in place of {@link #ca(Path)} and
         * {@link #cert(Path, Path)}. Default the JVM's. The agent's host name is checked too, always.
         */
        public Builder tls(SSLContext context) {
            this.tls = context;
            return this;
        }

        /**
         * A PEM file of the authorities that may have signed the agent's certificate, for {@code consul+https}. Like
         * those of {@link #cert(Path, Path)}, it is read again for a new connection after it has changed; while it
         * cannot be used, what was read last is.
         */
        public Builder ca(Path file) {
            return option("ca", file.toString());
        }

        /**
         * PEM files of the client's own certificate, those of its authorities after it, and of its private key, for an
         * agent that asks for one: RSA or EC, in PKCS#8, PKCS#1 or SEC 1, without a password.
         */
        public Builder cert(Path cert, Path key) {
            return option("cert", cert.toString()).option("key", key.toString());
        }

        /**
         * By name, as after a URL's question mark: {@code token}, {@code tokenFile}, {@code datacenter}, {@code ns},
         * {@code partition}, {@code lockDelay} (such as {@code 15s} or {@code 500ms}), {@code namespace},
         * {@code nodeChecks}, {@code ca}, {@code cert}, {@code key}; {@code password} is another name for the token.
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
         * Does not wait for an agent to be reachable. Reads files of certificates and keys.
         *
         * @throws IllegalArgumentException if URL or option are wrong or unknown, or a file of them cannot be used,
         *     naming them, never with a token
         */
        public LeaseStore build() {
            ConsulOptions parsed = ConsulOptions.parse(url, options, tokens);
            if (tls == null) {
                return new ConsulStore(parsed, parsed.tls());
            }
            if (!parsed.agent().getScheme().equals("https")) {
                throw new IllegalArgumentException("an SSLContext must not be given without TLS: use consul+https://");
            }
            if (parsed.tls() != null) {
                throw new IllegalArgumentException("an SSLContext and ca, cert or key exclude each other");
            }
            return new ConsulStore(parsed, tls);
        }
    }
}
