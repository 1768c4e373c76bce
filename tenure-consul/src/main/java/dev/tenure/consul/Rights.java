package dev.tenure.consul;

import dev.tenure.StoreException;
import dev.tenure.spi.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which rights the token lacks, and what the servers make of a session: each request that elections make, tried with a
 * session and a key that are nobody's.
 */
final class Rights {
    private static final String SESSIONS = "session_prefix \"\" { policy = \"write\" }";
    private static final String SESSIONS_SEEN = "session_prefix \"\" { policy = \"read\" }";

    private final ConsulStore store;
    private final Inquiry inquiry;
    private final ConsulOptions options;
    private final String key;
    private final String keys;
    private final List<Finding> findings = new ArrayList<>();
    private Duration shortest = ConsulStore.SHORTEST_LEASE;
    private boolean usable = true;

    /**
     * @param key nobody's
     */
    Rights(ConsulStore store, Inquiry inquiry, ConsulOptions options, String key) {
        this.store = store;
        this.inquiry = inquiry;
        this.options = options;
        this.key = store.key(key);
        String format = store.traits().defaultKeyFormat();
        keys = options.prefix() + format.substring(0, format.indexOf("{role}"));
    }

    List<Finding> findings() {
        String session = null;
        try {
            session = create();
            if (session != null) {
                use(session);
            }
            tryKey();
        } finally {
            if (session != null) {
                destroy(session);
            }
        }
        if (findings.stream().noneMatch(each -> each.subject().equals("permissions"))) {
            findings.add(Finding.ok("permissions", who() + " lacks none"));
        }
        return findings;
    }

    /**
     * Of which a term can be tried; none if it would be refused, for reasons that are told.
     */
    Optional<Duration> lease() {
        return usable ? Optional.of(shortest) : Optional.empty();
    }

    private String who() {
        return options.token().isNone() ? "the anonymous token" : "the token";
    }

    private @Nullable String create() {
        try {
            String session;
            try {
                session = create(shortest);
            } catch (StoreException refused) {
                shortest = SessionFindings.shortest(String.valueOf(refused.getMessage()))
                        .orElseThrow(() -> refused);
                session = create(shortest);
            }
            findings.add(SessionFindings.time(shortest));
            return session;
        } catch (StoreException refused) {
            usable = false;
            findings.add(
                    ConsulExamination.isForbidden(refused)
                            ? lacks(
                                    SESSIONS,
                                    "",
                                    "no role is granted, and none renewed; the instances' health says so",
                                    "; of sessions on one agent's node, session \"NODE\" is enough")
                            : refused(String.valueOf(refused.getMessage())));
            return null;
        }
    }

    /**
     * One whose answer comes late is destroyed then.
     */
    private String create(Duration lease) {
        return inquiry.ask(limit -> {
            CompletionStage<String> made = store.sessions().create(key, lease, limit);
            long sent = System.nanoTime();
            made.thenAccept(late -> {
                if (System.nanoTime() - sent > limit.toNanos()) {
                    store.sessions().destroy(late, limit);
                }
            });
            return made;
        });
    }

    private static Finding refused(String why) {
        return why.contains("Missing node registration")
                ? Finding.problem(
                        "node",
                        "the agent's own node is not in the catalog",
                        "sessions are refused (Missing node registration): nobody is elected through this agent",
                        "just after its start it takes some seconds; else look at consul members, at the agent's log,"
                                + " and, with ACLs, at the agent's own token: node \"NODE\" { policy = \"write\" }")
                : Finding.problem(
                        "session",
                        why,
                        "no role is granted anew; if renewals meet the same, leaders stand down at their deadline",
                        "what the message says");
    }

    private void use(String session) {
        Object seen = null;
        boolean renewed = isAllowed(limit -> store.sessions().renew(session, limit));
        try {
            seen = Json.list(inquiry.json("/v1/session/info/" + session, SESSIONS_SEEN)).stream()
                    .findFirst()
                    .orElse(null);
        } catch (StoreException refused) {
            rethrowUnlessForbidden(refused);
        }
        boolean listed = isListed();
        findings.add(SessionFindings.lockDelay(options.lockDelay(), seen));
        if (seen != null && !options.nodeChecks().isEmpty()) {
            findings.add(SessionFindings.nodeChecks(options.nodeChecks(), seen));
        }
        if (!renewed) {
            usable = false;
            findings.add(lacks(SESSIONS, "", "no role is renewed: leaders stand down at their deadline", ""));
        } else if (seen == null || !listed) {
            findings.add(new Finding(
                    Finding.Severity.ADVICE,
                    "permissions",
                    who() + " lacks " + SESSIONS_SEEN + ": a session of its own is not shown to it",
                    "tenure status without a role shows nothing, or not all",
                    SESSIONS_SEEN + " in a policy of the token"));
        }
    }

    private boolean isListed() {
        try {
            return inquiry.ask(limit -> store.sessions().keys(limit)).contains(key);
        } catch (StoreException refused) {
            rethrowUnlessForbidden(refused);
            return false;
        }
    }

    /**
     * Consul shows nothing where it may not be read.
     */
    private void tryKey() {
        boolean written = false;
        try {
            written = isAllowed(limit -> new Transaction().set(key, "").send(store.agent(), limit));
            String path = "/v1/kv/" + Paths.ofKey(key);
            boolean read =
                    !Paths.isPath(key) || isAllowed(limit -> store.agent().call("GET", path, "", limit, ""));
            boolean listed = !written
                    || inquiry
                            .ask(limit -> new Transaction().getTree(key).send(store.agent(), limit))
                            .entries()
                            .stream()
                            .anyMatch(entry -> entry.key().equals(key));
            tellKey(written, read, listed);
        } finally {
            if (written) {
                delete(store, inquiry, key);
            }
        }
    }

    private void tellKey(boolean written, boolean read, boolean listed) {
        if (!written) {
            usable = false;
            findings.add(lacks(
                    rule("write"),
                    read ? " (it may read them)" : " (it may not read them either)",
                    "no role is granted, unless its own key has a rule; the instances' health says so",
                    "; where each role has a rule of its own, key_prefix \"" + keys
                            + "tenure-doctor\" lets the doctor see the rest"));
        } else if (!read || !listed) {
            usable = false;
            findings.add(lacks(
                    rule("write"),
                    read ? " (it may not list them)" : " (it may not read them)",
                    "candidates do not hear of a release, and an accepted token is not seen",
                    ""));
        }
    }

    private String rule(String policy) {
        return "key_prefix \"" + keys + "\" { policy = \"" + policy + "\" }";
    }

    private Finding lacks(String rule, String more, String mayHappen, String toDo) {
        return Finding.problem(
                "permissions", who() + " lacks " + rule + more, mayHappen, rule + " in a policy of the token" + toDo);
    }

    private boolean isAllowed(Function<Duration, ? extends CompletionStage<?>> call) {
        try {
            inquiry.ask(limit -> call.apply(limit).thenApply(answer -> true));
            return true;
        } catch (StoreException refused) {
            rethrowUnlessForbidden(refused);
            return false;
        }
    }

    private static void rethrowUnlessForbidden(StoreException refused) {
        if (!ConsulExamination.isForbidden(refused)) {
            throw refused;
        }
    }

    private void destroy(String session) {
        try {
            inquiry.cleanUp(limit -> store.sessions().destroy(session, limit));
        } catch (StoreException left) {
            // it expires
        }
    }

    /**
     * If it can be had: what is left is a key without meaning.
     */
    static void delete(ConsulStore store, Inquiry inquiry, String key) {
        try {
            Optional<Entry> present = inquiry.cleanUp(limit -> store.entry(key, limit));
            present.ifPresent(entry -> inquiry.cleanUp(
                    limit -> new Transaction().deleteAt(key, entry.index()).send(store.agent(), limit)));
        } catch (StoreException left) {
            // whoever lists keys sees whose it is
        }
    }
}
