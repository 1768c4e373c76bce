package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The commands on a real Consul.
 */
@Timeout(900)
@Execution(ExecutionMode.CONCURRENT)
class ConsulProcessTest {
    /**
     * For what Consul takes twenty seconds for, and candidates thirty, on a machine that is busy.
     */
    private static final Duration LONG = Duration.ofMinutes(4);

    @TempDir
    Path folder;

    private final List<TenureProcess> started = new ArrayList<>();

    @AfterEach
    void endAll() {
        started.forEach(TenureProcess::close);
    }

    private TenureProcess tenure(String store, String... args) {
        TenureProcess process = TenureProcess.start(folder, Map.of(StoreOptions.VARIABLE, store), args);
        started.add(process);
        return process;
    }

    private TenureProcess leader(String store, String name) {
        TenureProcess leader = candidate(store, name);
        leader.awaitEvent("command_started");
        return leader;
    }

    private TenureProcess candidate(String store, String name) {
        return tenure(
                store,
                "run",
                "--role",
                "nightly",
                "--name",
                name,
                "--lease",
                "10s",
                "--events",
                "EVENTS",
                "--",
                "sleep",
                "500");
    }

    private static long token(TenureProcess of, String event) {
        return Long.parseLong(of.awaitEvent(event).getOrDefault("token", ""));
    }

    @Test
    void doctorFindsNoProblemOnADevelopmentAgent() {
        try (ConsulProcess agent = ConsulProcess.start(folder)) {
            TenureProcess doctor = tenure(agent.url(), "doctor");
            assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.out().lines())
                    .startsWith("consul at " + agent.address())
                    .contains(
                            "advice   persistence: development mode: all is in memory",
                            "ok       permissions: the anonymous token lacks none",
                            "ok       wake-ups: the release was heard of");
            assertThat(doctor.out().lines().reduce("", (first, second) -> second))
                    .matches("doctor: problems=0 advice=[23] unknown=0");
            assertThat(doctor.err()).isEmpty();
        }
    }

    @Test
    void aForbiddenAndAnUnknownTokenAreToldAndNotShown() {
        String config = "acl { enabled = true, default_policy = \"deny\", tokens { master = \"hunter2-root\","
                + " default = \"hunter2-root\" } }";
        try (ConsulProcess agent = ConsulProcess.start(folder, "-hcl", config)) {
            TenureProcess lacking = tenure(agent.url() + "?token=anonymous", "doctor");
            assertThat(lacking.exitCode()).isEqualTo(1);
            assertThat(lacking.out())
                    .contains("PROBLEM  permissions: the token lacks session_prefix \"\" { policy = \"write\" }")
                    .contains("PROBLEM  permissions: the token lacks key_prefix \"service/\" { policy = \"write\" }")
                    .contains("unknown  agent: ");
            TenureProcess unknown = tenure(agent.url() + "?token=hunter2-none", "doctor", "--verbose");
            assertThat(unknown.exitCode()).isEqualTo(1);
            assertThat(unknown.err())
                    .contains("tenure: store: consul at ")
                    .contains("the ACL token (option token) is unknown");
            TenureProcess root = tenure(agent.url() + "?token=hunter2-root", "doctor", "--json");
            assertThat(root.exitCode()).as(root.out() + root.err()).isZero();
            assertThat(unknown.out() + unknown.err() + root.out() + root.err()).doesNotContain("hunter2");
        }
    }

    @Test
    void aLeaderIsSeenAndTakenAwayAndLeadsAgain() {
        try (ConsulProcess agent = ConsulProcess.start(folder)) {
            String store = agent.url() + "?lockDelay=1s";
            TenureProcess first = leader(store, "web-1");
            TenureProcess status = tenure(store, "status");
            assertThat(status.exitCode()).isZero();
            assertThat(status.out().lines()).hasSize(2).last().asString().startsWith("nightly  web-1");

            TenureProcess evict = tenure(store, "evict", "nightly", "--yes");
            assertThat(evict.exitCode()).as(evict.err()).isZero();
            assertThat(evict.out()).contains("revoked: web-1 stands down").contains("nightly is free within 21.2s");
            first.awaitEvent("lost", event -> "TAKEN_OVER".equals(event.get("reason")));

            TenureProcess force = tenure(store, "evict", "nightly", "--force", "--yes");
            assertThat(force.exitCode()).as(force.err()).isZero();
            assertThat(force.out()).contains("freed: anybody may lead nightly now");
            assertThat(Waits.until(LONG, first::leads)).isTrue();

            first.signal("TERM");
            assertThat(first.exitCode()).isEqualTo(143);
            TenureProcess free = tenure(store, "status");
            assertThat(free.exitCode()).isZero();
            assertThat(free.out().strip()).isEqualTo("nobody leads anything");
            assertThat(first.err().lines().filter(line -> !line.startsWith("tenure: the store "))) // a busy one is told
                    .containsExactly("tenure: no longer leads nightly: TAKEN_OVER");
        }
    }

    @Test
    void aSilentAgentEndsTheTermAtTheDeadlineAndIsFoundAgain() {
        try (ConsulProcess agent = ConsulProcess.start(folder)) {
            TenureProcess leader = leader(agent.url() + "?lockDelay=1s", "web-1");
            agent.signal("STOP");
            try {
                leader.awaitEvent("lost", event -> "DEADLINE_EXCEEDED".equals(event.get("reason")));
                TenureProcess doctor = tenure(agent.url(), "doctor");
                assertThat(doctor.exitCode()).isEqualTo(1);
                assertThat(doctor.err().strip())
                        .isEqualTo("tenure: store: consul at " + agent.address() + ": no answer in time");
            } finally {
                agent.signal("CONT");
            }
            assertThat(Waits.until(LONG, leader::leads)).isTrue();
            leader.awaitEvent("store_recovered");
            assertThat(leader.err())
                    .contains("tenure: the store gives no usable answer, tries on: ")
                    .contains("tenure: the store answers again, after ");
        }
    }

    @Test
    void tokensOfAConsulThatLostItsDataAreAcceptedAsTheMessageSays() throws IOException {
        try (ConsulProcess agent = ConsulProcess.start(folder)) {
            for (int i = 0; i < 300; i++) {
                agent.ask("PUT", "/v1/kv/other", Integer.toString(i)); // the index is ahead of a new one's
            }
            TenureProcess leader = leader(agent.url(), "web-1");
            long before = token(leader, "elected");
            agent.replace();
            Pattern advice =
                    Pattern.compile("granted token (\\d+), not above " + before + " .*: tenure fence accept nightly\n");
            assertThat(Waits.until(LONG, () -> advice.matcher(leader.err()).find()))
                    .as(leader.err())
                    .isTrue();
            assertThat(leader.leads()).isFalse();
            Matcher told = advice.matcher(leader.err());
            assertThat(told.find()).isTrue();
            TenureProcess accept = tenure(agent.url(), "fence", "accept", "nightly", "--yes");
            assertThat(accept.exitCode()).as(accept.err()).isZero();
            assertThat(accept.out()).contains("accepted: the tokens of nightly go on from what the store grants now");
            assertThat(Waits.until(LONG, leader::leads)).as(leader.err()).isTrue();
            assertThat(Long.parseLong(leader.lastEvent("elected").orElseThrow().getOrDefault("token", "")))
                    .isBetween(Long.parseLong(told.group(1)), before - 1);
        }
    }

    @Test
    void theDemoWaitsForAsLongAsConsulTakes() {
        try (ConsulProcess agent = ConsulProcess.start(folder)) {
            TenureProcess demo = tenure(agent.url() + "?lockDelay=500ms", "demo");
            assertThat(Waits.until(Duration.ofMinutes(10), () -> !demo.isAlive()))
                    .as(demo.out())
                    .isTrue();
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
            assertThat(demo.out())
                    .startsWith("Three candidates, a lease of 10.0s, on consul at " + agent.address() + ".")
                    .contains("a lock delay of 500ms, and an answer. So there is one round.")
                    .contains("waiting for the store to end the lease and to open the role: ")
                    .contains("[6/6]")
                    .contains("fenced=refused unfenced=accepted held=false");
            assertThat(demo.out().lines().reduce("", (first, second) -> second))
                    .matches("demo: terms=\\d+ stale_tried=1 stale_accepted=0 unfenced_corrupted=1"
                            + " longest_takeover_ms=\\d{5}");
            assertThat(demo.err()).isEmpty();
        }
    }
}
