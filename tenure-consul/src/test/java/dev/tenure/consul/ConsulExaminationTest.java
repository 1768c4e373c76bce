package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Finding;
import dev.tenure.spi.Finding.Severity;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Answers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is found out about real agents, set well and badly.
 */
@Timeout(600)
class ConsulExaminationTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String SESSIONS = "session_prefix \"\" { policy = \"write\" }";
    private static final String KEYS = "key_prefix \"service/\" { policy = \"write\" }";

    private static final List<ConsulAgent> AGENTS = new ArrayList<>();
    private static ConsulAgent open;
    private static ConsulAgent guarded;

    @BeforeAll
    static void start() {
        open = started("", "");
        guarded = started("acl { enabled = true, default_policy = \"deny\", tokens { master = \"root\" } }", "root");
    }

    private static ConsulAgent started(String config, String token) {
        ConsulAgent agent = new ConsulAgent(config, token);
        AGENTS.add(agent);
        return agent.start();
    }

    @AfterAll
    static void stop() {
        AGENTS.forEach(ConsulAgent::close);
    }

    @AfterEach
    void nothingIsLeft() {
        // A session that was left would last for ten seconds at least.
        for (ConsulAgent agent : AGENTS) {
            Eventually.becomes("nothing is left", Duration.ofSeconds(8), () -> isEmpty(agent));
        }
    }

    private static boolean isEmpty(ConsulAgent agent) throws IOException {
        return Json.list(agent.json("GET", "/v1/session/list", "")).isEmpty()
                && List.of("", "[]")
                        .contains(agent.ask("GET", "/v1/kv/?keys", "").body().strip());
    }

    private static List<Finding> examine(String url) {
        try (LeaseStore store = ConsulLeaseStore.connect(url)) {
            return Answers.within(PATIENCE, store.examine());
        }
    }

    private static Finding the(String subject, List<Finding> findings) {
        List<Finding> found =
                findings.stream().filter(each -> each.subject().equals(subject)).toList();
        assertThat(found).as("%s", findings).hasSize(1);
        return found.get(0);
    }

    private static Finding the(String subject, HttpBetween between) {
        try (between) {
            return the(subject, examine(between.url()));
        }
    }

    /**
     * At a URL with a token of these rules.
     */
    private static String url(String rules) {
        String name = "p" + UUID.randomUUID();
        guarded.json("PUT", "/v1/acl/policy", Json.write(Map.of("Name", name, "Rules", rules)));
        Object token = guarded.json("PUT", "/v1/acl/token", "{\"Policies\":[{\"Name\":\"" + name + "\"}]}");
        return guarded.url() + "?token=" + Json.text(token, "SecretID");
    }

    private static List<String> permissions(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.subject().equals("permissions"))
                .map(Finding::seen)
                .toList();
    }

    @Test
    void aDevelopmentAgentIsWellButForWhatItIs() {
        List<Finding> findings = examine(open.url());
        assertThat(findings)
                .extracting(Finding::subject)
                .containsExactly(
                        "agent",
                        "persistence",
                        "http_max_conns_per_client",
                        "leader",
                        "servers",
                        "latency",
                        "consistency",
                        "session_ttl_min",
                        "lock delay",
                        "permissions",
                        "lease",
                        "wake-ups");
        assertThat(findings)
                .filteredOn(finding -> finding.severity() != Severity.OK)
                .extracting(Finding::subject)
                .isSubsetOf("persistence", "servers", "latency")
                .contains("persistence", "servers");
        assertThat(findings).extracting(Finding::severity).doesNotContain(Severity.PROBLEM, Severity.UNKNOWN);
        assertThat(the("agent", findings).seen()).matches("consul \\d+\\.\\d+\\.\\d+\\S*, server \\S+ of dc1");
        assertThat(the("persistence", findings).mayHappen()).contains("FENCING_REGRESSED");
        assertThat(the("lock delay", findings).seen()).isEqualTo("15s, as the servers keep it");
        assertThat(the("permissions", findings).seen()).isEqualTo("the anonymous token lacks none");
        assertThat(the("lease", findings).seen()).matches("granted in [0-9.]+ ms, renewed and released, token \\d+");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?namespace=team/one", "?namespace=%C3%A4", "?lockDelay=500ms"})
    void otherKeysAndDelaysAreExaminedToo(String options) {
        List<Finding> findings = examine(open.url() + options);
        assertThat(findings).extracting(Finding::severity).doesNotContain(Severity.PROBLEM, Severity.UNKNOWN);
        assertThat(the("wake-ups", findings).severity()).isEqualTo(Severity.OK);
    }

    @Test
    void aNamespaceThatIsNoUrlPathIsWorthAdvice() {
        List<Finding> findings = examine(open.url() + "?namespace=team/../one");
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("wake-ups", findings).severity()).isEqualTo(Severity.ADVICE);
    }

    @Test
    void noLockDelayIsWorthAdvice() {
        Finding finding = the("lock delay", examine(open.url() + "?lockDelay=0s"));
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.seen()).isEqualTo("0s");
    }

    @Test
    void aCheckThatTheNodeDoesNotHaveRefusesSessions() {
        List<Finding> findings = examine(open.url() + "?nodeChecks=nothing");
        assertThat(the("session", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(the("session", findings).seen()).contains("'nothing'");
        assertThat(findings).extracting(Finding::subject).doesNotContain("lease");
    }

    @Test
    void nodeChecksAreKeptByTheServersAndWorthAdvice() {
        Finding finding = the("node checks", examine(open.url() + "?nodeChecks=serfHealth"));
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.seen()).isEqualTo("serfHealth");
    }

    @Test
    void nodeChecksThatAreLostAreAProblem() {
        try (HttpBetween other = HttpBetween.changing(
                open, passing -> passing.withBody(passing.body().replace("\"serfHealth\"", "")))) {
            Finding finding = the("node checks", examine(other.url() + "?nodeChecks=serfHealth"));
            assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        }
    }

    @Test
    void anAgentWhoseNodeIsNotRegisteredIsAProblem() {
        try (ConsulAgent agent = new ConsulAgent().start()) {
            String node = Json.text(Json.field(agent.json("GET", "/v1/agent/self", ""), "Config"), "NodeName");
            Eventually.becomes("a finding, before it registers itself again", () -> {
                agent.json("PUT", "/v1/catalog/deregister", "{\"Node\":\"" + node + "\"}");
                return examine(agent.url()).stream()
                        .anyMatch(finding -> finding.subject().equals("node")
                                && finding.severity() == Severity.PROBLEM
                                && finding.mayHappen().contains("Missing node registration"));
            });
        }
    }

    @Test
    void anAgentWithoutALeaderIsAProblemAndNoMoreIsAsked() {
        try (BareAgent server = BareAgent.lone()) {
            List<Finding> findings = examine(server.url());
            assertThat(the("leader", findings).severity()).isEqualTo(Severity.PROBLEM);
            assertThat(the("leader", findings).seen()).isEqualTo("none");
            assertThat(the("persistence", findings).severity()).isEqualTo(Severity.OK);
            assertThat(findings)
                    .extracting(Finding::subject)
                    .containsExactly("agent", "persistence", "http_max_conns_per_client", "leader");
        }
    }

    @Test
    void anAgentWithoutServersHasNoLeader() {
        try (HttpBetween client = HttpBetween.changing(
                open,
                passing -> passing.path().startsWith("/v1/status/leader")
                        ? new HttpBetween.Passing(passing.path(), 500, Map.of(), "No known Consul servers")
                        : passing)) {
            assertThat(the("leader", examine(client.url())).seen()).isEqualTo("No known Consul servers");
        }
    }

    @Test
    void whatCannotBeReachedIsAFailureAsOfAnyCall() {
        assertThatThrownBy(() -> examine("consul://127.0.0.1:" + Ports.free()))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("refused");
        open.pause();
        try {
            assertThatThrownBy(() -> examine(open.url()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("no answer in time");
        } finally {
            open.resume();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "200, <html><body>It works</body></html>",
        "200, {\"status\":\"ok\"}",
        "404, not found",
    })
    void whatIsNoConsulIsAFailure(int status, String body) {
        try (HttpBetween other = HttpBetween.answering(status, body)) {
            assertThatThrownBy(() -> examine(other.url()))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("does not answer as Consul does");
        }
    }

    @Test
    void anAgentThatFallsSilentMeanwhileIsTold() {
        try (HttpBetween silent = HttpBetween.changing(open, passing -> passing).swallowing("/v1/session/renew/")) {
            List<Finding> findings = examine(silent.url());
            assertThat(the("answers", findings).severity()).isEqualTo(Severity.PROBLEM);
            assertThat(the("answers", findings).seen()).contains("no answer in time");
            assertThat(the("leader", findings).severity()).isEqualTo(Severity.OK);
        }
    }

    @Test
    void aCallThatTheAgentGaveUpFirstHasNoAnswerInTime() {
        Agent agent = new Agent(ConsulOptions.parse(open.url(), Map.of()), null);
        CompletableFuture<String> givenUp = new CompletableFuture<>();
        givenUp.cancel(true);
        try {
            assertThatThrownBy(() -> new Inquiry(agent, Duration.ofMinutes(1)).ask(limit -> givenUp))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("no answer in time");
        } finally {
            agent.close();
        }
    }

    @Test
    void allCallsTogetherHaveALimit() {
        ConsulOptions options = ConsulOptions.parse(open.url(), Map.of());
        Agent agent = new Agent(options, null);
        try {
            assertThatThrownBy(() -> new Inquiry(agent, Duration.ZERO).get("/v1/status/leader"))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("took too long");
        } finally {
            agent.close();
        }
    }

    @Test
    void anUnknownTokenIsAFailureAsOfAnyCall() {
        assertThatThrownBy(() -> examine(guarded.url() + "?token=" + UUID.randomUUID()))
                .isInstanceOf(StoreRejectedException.class)
                .hasMessageContaining("the ACL token (option token) is unknown");
    }

    @Test
    void theShortestSessionOfTheServersIsTold() {
        try (BareAgent agent = BareAgent.dev("session_ttl_min = \"30s\"")) {
            List<Finding> findings = new ArrayList<>();
            Eventually.becomes("a leader, and its node registered", () -> {
                findings.clear();
                findings.addAll(examine(agent.url()));
                return findings.stream().anyMatch(finding -> finding.subject().equals("lease"));
            });
            assertThat(the("session_ttl_min", findings).severity()).isEqualTo(Severity.PROBLEM);
            assertThat(the("session_ttl_min", findings).seen()).isEqualTo("sessions of 30s are the shortest");
            assertThat(the("session_ttl_min", findings).toDo()).contains("lease of 30s or more");
            assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
        }
    }

    @Test
    void whoMayReadTheAgentIsToldItsVersion() {
        List<Finding> findings = examine(url(SESSIONS + KEYS + "agent_prefix \"\" { policy = \"read\" }"));
        assertThat(findings).extracting(Finding::severity).doesNotContain(Severity.PROBLEM, Severity.UNKNOWN);
        assertThat(the("agent", findings).severity()).isEqualTo(Severity.OK);
    }

    @ParameterizedTest
    @CsvSource({
        "[10s=24h0m0s], OK, 10s",
        "[12s=24h0m0s], ADVICE, 12s",
        "[15s=24h0m0s], ADVICE, 15s",
        "[15.001s=24h0m0s], '', ''",
        "[1m30s=24h0m0s], PROBLEM, 90s",
        "[1h0m0s=24h0m0s], PROBLEM, 3600s",
        "[10500ms=24h0m0s], ADVICE, 10500ms",
        "'', '', ''",
    })
    void boundsAreReadFromTheRefusal(String bounds, String severity, String shown) {
        var shortest = SessionFindings.shortest("500 Invalid Session TTL '10000000000', must be between " + bounds);
        assertThat(shortest.isPresent()).isEqualTo(!severity.isEmpty());
        shortest.map(SessionFindings::time).ifPresent(finding -> {
            assertThat(finding.severity()).isEqualTo(Severity.valueOf(severity));
            assertThat(finding.seen()).isEqualTo("sessions of " + shown + " are the shortest");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                SESSIONS + KEYS,
                "session \"NODE\" { policy = \"write\" }" + KEYS,
                SESSIONS + "key_prefix \"service/tenure-doctor\" { policy = \"write\" }"
            })
    void theLeastRulesAreEnoughAndTheRestIsUnknown(String rules) {
        String node = Json.text(Json.field(guarded.json("GET", "/v1/agent/self", ""), "Config"), "NodeName");
        List<Finding> findings = examine(url(rules.replace("NODE", node)));
        assertThat(permissions(findings)).containsExactly("the token lacks none");
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("wake-ups", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("agent", findings).severity()).isEqualTo(Severity.UNKNOWN);
        assertThat(the("agent", findings).toDo()).contains("agent_prefix \"\" { policy = \"read\" }");
    }

    @Test
    void eachMissingRuleIsNamedAndNoOther() {
        String lacks = "the token lacks ";
        assertThat(permissions(examine(url(KEYS)))).containsExactly(lacks + SESSIONS);
        assertThat(permissions(examine(url(KEYS + "session_prefix \"\" { policy = \"read\" }"))))
                .containsExactly(lacks + SESSIONS);
        assertThat(permissions(examine(url(SESSIONS))))
                .containsExactly(lacks + KEYS + " (it may not read them either)");
        assertThat(permissions(examine(url(SESSIONS + "key_prefix \"\" { policy = \"read\" }"))))
                .containsExactly(lacks + KEYS + " (it may read them)");
        List<Finding> none = examine(guarded.url());
        assertThat(permissions(none))
                .containsExactly(
                        "the anonymous token lacks " + SESSIONS,
                        "the anonymous token lacks " + KEYS + " (it may not read them either)");
        assertThat(none)
                .filteredOn(finding -> finding.subject().equals("permissions"))
                .allMatch(finding -> finding.severity() == Severity.PROBLEM)
                .extracting(Finding::toDo)
                .allMatch(toDo -> toDo.startsWith("session_prefix \"\"") || toDo.startsWith("key_prefix \"service/\""));
        assertThat(none).extracting(Finding::subject).doesNotContain("lease");
    }

    @Test
    void keysOfANamespaceNeedItsRule() {
        assertThat(permissions(examine(url(SESSIONS + KEYS) + "&namespace=team")))
                .containsExactly("the token lacks key_prefix \"team/service/\" { policy = \"write\" }"
                        + " (it may not read them either)");
    }

    @Test
    void sessionsThatAreNotShownAreWorthAdvice() {
        Finding finding = the(
                "permissions",
                HttpBetween.changing(
                        open,
                        passing -> passing.path().startsWith("/v1/session/list") ? passing.withBody("[]") : passing));
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.mayHappen()).contains("tenure status");
    }

    @Test
    void aLockDelayThatSomebodyChangesIsAProblem() {
        Finding finding = the(
                "lock delay",
                HttpBetween.changing(
                        open, passing -> passing.withBody(passing.body().replace("15000000000", "5000000000"))));
        assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(finding.seen()).isEqualTo("5s, although 15s was asked for");
    }

    @Test
    void oldAnswersAreAProblem() {
        Finding old =
                the("consistency", HttpBetween.changing(open, passing -> passing.with("X-Consul-LastContact", "250")));
        assertThat(old.severity()).isEqualTo(Severity.PROBLEM);
        assertThat(old.seen()).isEqualTo("X-Consul-KnownLeader true, X-Consul-LastContact 250 ms");
        Finding leaderless = the(
                "consistency", HttpBetween.changing(open, passing -> passing.with("X-Consul-KnownLeader", "false")));
        assertThat(leaderless.severity()).isEqualTo(Severity.PROBLEM);
        Finding cached = Readings.consistency(Optional.of("true"), Optional.of("0"), Optional.of("HIT"));
        assertThat(cached.severity()).isEqualTo(Severity.PROBLEM);
        Finding untold =
                the("consistency", HttpBetween.changing(open, passing -> passing.without("X-Consul-LastContact")));
        assertThat(untold.severity()).isEqualTo(Severity.UNKNOWN);
    }

    @Test
    void queriesThatAreNotHeldAreWorthAdvice() {
        Finding finding = the(
                "wake-ups",
                HttpBetween.changing(
                        open, path -> path.replaceAll("/v1/kv/.*\\?wait=.*", "/v1/kv/nothing"), passing -> passing));
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
    }

    @ParameterizedTest
    @CsvSource({
        "1.8.0, OK",
        "1.10.3+ent, OK",
        "2.0.0, OK",
        "unknown, OK",
        "1.7.14, PROBLEM",
        "0.9.3, PROBLEM",
    })
    void tooOldAnAgentIsTold(String version, Severity severity) throws IOException {
        Object self = Json.parse("{\"Config\":{\"Version\":\"" + version
                + "\",\"NodeName\":\"n\",\"Datacenter\":\"d\",\"Server\":false}}");
        Finding finding = the("agent", AgentFindings.of(self));
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.seen()).isEqualTo("consul " + version + ", client n of d");
    }

    @ParameterizedTest
    @CsvSource({"10, ADVICE", "19, ADVICE", "20, OK", "200, OK", "0, OK"})
    void tooFewConnectionsAreTold(int most, Severity severity) throws IOException {
        Object self = Json.parse("{\"Config\":{},\"DebugConfig\":{\"HTTPMaxConnsPerClient\":" + most + "}}");
        assertThat(the("http_max_conns_per_client", AgentFindings.of(self)).severity())
                .isEqualTo(severity);
    }

    @ParameterizedTest
    @CsvSource({
        "0, UNKNOWN, not told",
        "1, ADVICE, 1",
        "2, ADVICE, '2, of which 0 may be lost'",
        "3, OK, '3, of which 1 may be lost'",
        "4, ADVICE, '4, of which 1 may be lost'",
        "5, OK, '5, of which 2 may be lost'",
    })
    void theNumberOfServersIsJudged(int count, Severity severity, String seen) {
        Finding finding = AgentFindings.servers(Collections.nCopies(count, "10.0.0.1:8300"));
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.seen()).isEqualTo(seen);
    }
}
