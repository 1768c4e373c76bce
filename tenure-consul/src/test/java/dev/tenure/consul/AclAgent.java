package dev.tenure.consul;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * An agent that allows nothing by default.
 */
final class AclAgent implements AutoCloseable {
    private static final String CONFIG =
            "acl { enabled = true, default_policy = \"deny\", tokens { master = \"root\" } }";
    static final String SESSIONS = "session_prefix \"\" { policy = \"write\" } ";

    final ConsulAgent agent = new ConsulAgent(CONFIG, "root").start();

    /**
     * A token with one policy of its own, which may be changed.
     */
    final class Token {
        final String secret;
        private final String accessor;
        private final String policy;
        private final String name = "p" + UUID.randomUUID();

        private Token(String rules) {
            Object made = agent.json("PUT", "/v1/acl/policy", Json.write(Map.of("Name", name, "Rules", rules)));
            policy = Json.text(made, "ID");
            Object token =
                    agent.json("PUT", "/v1/acl/token", Json.write(Map.of("Policies", List.of(Map.of("ID", policy)))));
            secret = Json.text(token, "SecretID");
            accessor = Json.text(token, "AccessorID");
        }

        void rules(String rules) {
            agent.json("PUT", "/v1/acl/policy/" + policy, Json.write(Map.of("Name", name, "Rules", rules)));
        }

        void delete() {
            agent.json("DELETE", "/v1/acl/token/" + accessor, "");
        }
    }

    Token token(String rules) {
        return new Token(rules);
    }

    static String write(String key) {
        return "key_prefix \"" + key + "\" { policy = \"write\" } ";
    }

    static String read(String key) {
        return "key_prefix \"" + key + "\" { policy = \"read\" } ";
    }

    /**
     * What the documents ask for.
     */
    static String least(String key) {
        return write(key) + SESSIONS;
    }

    @Override
    public void close() {
        agent.close();
    }
}
