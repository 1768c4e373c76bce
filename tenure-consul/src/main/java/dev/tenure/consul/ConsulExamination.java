package dev.tenure.consul;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Finding.Severity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the agent of a store and its servers: settings, rights, answers, a term from grant to release. Leaves nothing
 * behind. Takes at most 14 s, on a thread of its own, that waits for one answer after the other.
 */
final class ConsulExamination {
    private static final Duration ALL = Duration.ofSeconds(11);
    private static final String SELF_RULE = "agent_prefix \"\" { policy = \"read\" }";

    private final ConsulStore store;
    private final ConsulOptions options;
    private final Inquiry inquiry;
    private final List<Finding> findings = new ArrayList<>();

    ConsulExamination(ConsulStore store, ConsulOptions options) {
        this.store = store;
        this.options = options;
        inquiry = new Inquiry(store.agent(), ALL);
    }

    CompletionStage<List<Finding>> findings() {
        CompletableFuture<List<Finding>> found = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        examine();
                        found.complete(List.copyOf(findings));
                    } catch (Throwable failed) {
                        found.completeExceptionally(failed);
                    }
                },
                "tenure-consul-" + options.agent().getPort() + "-doctor");
        thread.setDaemon(true);
        thread.start();
        return found;
    }

    private void examine() {
        Finding leader = leader();
        Optional<Object> self = self();
        findings.addAll(self.map(AgentFindings::of).orElseGet(() -> List.of(AgentFindings.untold())));
        findings.add(leader);
        if (leader.severity() == Severity.PROBLEM) {
            return;
        }
        try {
            servers();
        } catch (StoreUnavailableException lost) {
            findings.add(Finding.problem(
                    "answers",
                    Trouble.shortly(String.valueOf(lost.getMessage())),
                    "leaders whose renewals meet the same stand down at their deadline, and nobody follows",
                    "what the message says; the agent's log, or what is between here and it"));
        }
    }

    private void servers() {
        findings.add(AgentFindings.servers(inquiry.json("/v1/status/peers", "")));
        Readings readings = Readings.take(inquiry);
        findings.add(readings.latency());
        findings.add(readings.consistency());
        String format = store.traits().defaultKeyFormat();
        String key = format.replace("{role}", "tenure-doctor-" + UUID.randomUUID());
        Rights rights = new Rights(store, inquiry, options, key);
        findings.addAll(rights.findings());
        rights.lease().ifPresent(lease -> findings.addAll(new LeaseTrial(store, inquiry, key, lease).findings()));
    }

    /**
     * Fails if the agent gives no answer, or is none.
     */
    private Finding leader() {
        try {
            if (inquiry.json("/v1/status/leader", "") instanceof String leader) {
                return AgentFindings.leader(leader);
            }
        } catch (StoreUnavailableException refused) {
            String why = String.valueOf(refused.getMessage());
            for (String known : List.of("No known Consul servers", "No cluster leader")) {
                if (why.contains(known)) {
                    return AgentFindings.noLeader(known);
                }
            }
            throw refused;
        }
        throw store.agent().unavailable("does not answer as Consul does: its leader is no text");
    }

    private Optional<Object> self() {
        try {
            return Optional.ofNullable(inquiry.json("/v1/agent/self", SELF_RULE));
        } catch (StoreRejectedException refused) {
            if (isForbidden(refused)) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    static boolean isForbidden(@Nullable Throwable refused) {
        return refused instanceof StoreRejectedException && Trouble.isForbidden(String.valueOf(refused.getMessage()));
    }
}
