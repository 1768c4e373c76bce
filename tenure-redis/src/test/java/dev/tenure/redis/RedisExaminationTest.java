package dev.tenure.redis;

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
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is found out about real servers, set well and badly.
 */
@Isolated("breaks servers that others use, or counts what they do")
@Timeout(600)
class RedisExaminationTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /**
     * All that a user needs.
     */
    private static final List<String> RULES = List.of(
            "~tenure:lock:*",
            "&tenure:changes",
            "+evalsha",
            "+eval",
            "+time",
            "+type",
            "+get",
            "+pttl",
            "+hmget",
            "+hdel",
            "+hgetall",
            "+pexpire",
            "+del",
            "+set",
            "+hset",
            "+publish",
            "+subscribe",
            "+scan",
            "+hget");

    private final RedisNode node = new RedisNode();

    @BeforeEach
    void start() {
        node.start();
    }

    @AfterEach
    void nothingIsLeft() {
        if (node.alive()) {
            Eventually.becomes("empty", () -> node.command("KEYS", "*").isEmpty());
        }
        node.close();
    }

    private List<Finding> examine() {
        return examine(node.url());
    }

    private static List<Finding> examine(String url) {
        try (LeaseStore store = RedisLeaseStore.connect(url)) {
            return Answers.within(PATIENCE, store.examine());
        }
    }

    private static Finding the(String subject, List<Finding> findings) {
        List<Finding> found =
                findings.stream().filter(each -> each.subject().equals(subject)).toList();
        assertThat(found).as("%s", findings).hasSize(1);
        return found.get(0);
    }

    private void set(String setting, String value) {
        node.command("CONFIG", "SET", setting, value);
    }

    /**
     * At a URL with a user who has all rules but these, and more.
     */
    private String userWithout(List<String> lacking, String... more) {
        List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset", "on", ">secret", "-@all"));
        RULES.stream().filter(rule -> !lacking.contains(rule)).forEach(rules::add);
        rules.addAll(List.of(more));
        node.command(rules.toArray(String[]::new));
        return "redis://app:secret@" + node.address();
    }

    /**
     * A busy machine is told that it is slow.
     */
    private static List<Finding> besidesLatency(List<Finding> findings) {
        return findings.stream()
                .filter(each -> !each.subject().equals("latency") || each.severity() != Severity.ADVICE)
                .toList();
    }

    @Test
    void aServerThatIsSetWellIsWell() {
        set("appendonly", "yes");
        set("appendfsync", "always");
        List<Finding> findings = examine();
        assertThat(besidesLatency(findings)).extracting(Finding::severity).containsOnly(Severity.OK);
        assertThat(findings)
                .extracting(Finding::subject)
                .containsExactly(
                        "server",
                        "role",
                        "maxmemory-policy",
                        "persistence",
                        "min-replicas-to-write",
                        "latency",
                        "clock",
                        "permissions",
                        "lease",
                        "wake-ups");
        assertThat(the("server", findings).seen()).matches("(redis|valkey) \\d+\\.\\d+\\.\\d+");
        assertThat(the("permissions", findings).seen()).isEqualTo("user default lacks none");
    }

    @Test
    void anUnreachableServerIsAFailureAsOfAnyCall() {
        node.kill();
        assertThatThrownBy(this::examine)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("refused");
    }

    @Test
    void wrongCredentialsAreAFailureAsOfAnyCall() {
        assertThatThrownBy(() -> examine("redis://app:wrong@" + node.address()))
                .isInstanceOf(StoreRejectedException.class)
                .hasMessageContaining("WRONGPASS");
    }

    @ParameterizedTest
    @CsvSource({
        "allkeys-lru, 100mb, PROBLEM, a counter",
        "allkeys-random, 0, ADVICE, a counter",
        "volatile-ttl, 100mb, PROBLEM, has a TTL",
        "volatile-lru, 0, ADVICE, has a TTL",
        "noeviction, 100mb, ADVICE, nobody new is elected",
    })
    void evictionIsTold(String policy, String most, Severity severity, String mayHappen) {
        set("maxmemory-policy", policy);
        set("maxmemory", most);
        Finding finding = the("maxmemory-policy", examine());
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.seen()).startsWith(policy + ", maxmemory ");
        assertThat(finding.mayHappen()).contains(mayHappen);
    }

    @ParameterizedTest
    @CsvSource({
        "no, '', everysec, ADVICE, forgets everything",
        "no, 3600 1, everysec, ADVICE, the last snapshot",
        "yes, '', everysec, ADVICE, a second or two",
        "yes, '', no, ADVICE, half a minute",
        "yes, '', always, OK, ''",
    })
    void whatARestartLosesIsTold(String log, String save, String sync, Severity severity, String mayHappen) {
        set("save", save);
        set("appendonly", log);
        set("appendfsync", sync);
        Finding finding = the("persistence", examine());
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.mayHappen()).contains(mayHappen);
        set("save", "");
    }

    @Test
    void countedTokensRestOnWhatIsKept() {
        set("maxmemory-policy", "allkeys-lfu");
        set("maxmemory", "100mb");
        List<Finding> findings = examine(node.url() + "?tokens=counter");
        assertThat(the("persistence", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(the("persistence", findings).mayHappen()).contains("tokens begin again and repeat");
        assertThat(the("maxmemory-policy", findings).mayHappen()).contains("tokens begin again and repeat");
    }

    @Test
    void replicasWithoutMinReplicasToWriteAreTold() {
        try (RedisNode replica = new RedisNode("replicaof 127.0.0.1 " + node.port()).start()) {
            node.awaitReplication(List.of(replica));
            Finding loses = the("min-replicas-to-write", examine());
            assertThat(loses.severity()).isEqualTo(Severity.ADVICE);
            assertThat(loses.seen()).isEqualTo("0, replicas 1");
            assertThat(loses.mayHappen()).contains("failover loses grants");

            set("min-replicas-to-write", "1");
            Eventually.becomes(
                    "up to date", () -> !node.command("INFO", "replication").contains("good_slaves:0"));
            Finding keeps = the("min-replicas-to-write", examine());
            assertThat(keeps.severity()).isEqualTo(Severity.OK);
            assertThat(keeps.seen()).isEqualTo("1, replicas 1, lag at most 10 s");
        }
    }

    @Test
    void tooFewReplicasRefuseEverything() {
        set("min-replicas-to-write", "2");
        List<Finding> findings = examine();
        assertThat(the("min-replicas-to-write", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(the("min-replicas-to-write", findings).seen()).isEqualTo("2, replicas 0, of which 0 are up to date");
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(the("lease", findings).seen()).contains("NOREPLICAS");
    }

    @Test
    void aFullServerElectsNobodyNew() {
        set("maxmemory", "1");
        List<Finding> findings = examine();
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(the("lease", findings).seen()).contains("OOM");
    }

    @Test
    void aReplicaIsTheWrongServer() {
        try (RedisNode replica = new RedisNode("replicaof 127.0.0.1 " + node.port()).start()) {
            node.awaitReplication(List.of(replica));
            List<Finding> findings = examine(replica.url());
            assertThat(the("role", findings).severity()).isEqualTo(Severity.PROBLEM);
            assertThat(the("role", findings).seen()).isEqualTo("replica of " + node.address());
            assertThat(findings).extracting(Finding::subject).doesNotContain("permissions", "lease");
        }
    }

    @Test
    void allRulesAreEnoughAndTheRestIsUnknown() {
        List<Finding> findings = examine(userWithout(List.of()));
        assertThat(besidesLatency(findings)).extracting(Finding::severity).containsOnly(Severity.OK, Severity.UNKNOWN);
        assertThat(the("permissions", findings).seen()).isEqualTo("the user lacks none");
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("wake-ups", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("server", findings).severity()).isEqualTo(Severity.UNKNOWN);
        assertThat(the("server", findings).toDo()).isEqualTo("ACL SETUSER USER +info");
    }

    @Test
    void settingsThatAreNotToldAreUnknown() {
        List<Finding> findings = examine(userWithout(List.of(), "+info", "+acl|whoami"));
        assertThat(the("persistence", findings).severity()).isEqualTo(Severity.UNKNOWN);
        assertThat(the("persistence", findings).toDo()).isEqualTo("ACL SETUSER USER +config|get");
        assertThat(the("maxmemory-policy", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("permissions", findings).seen()).isEqualTo("user app lacks none");
    }

    static Stream<String> rules() {
        return RULES.stream();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void eachMissingRuleIsNamedAndNoOther(String rule) {
        List<Finding> findings = examine(userWithout(List.of(rule)));
        Finding finding = the("permissions", findings);
        boolean forElections = !List.of("&tenure:changes", "+publish", "+subscribe", "+scan", "+hget")
                .contains(rule);
        assertThat(finding.severity()).isEqualTo(forElections ? Severity.PROBLEM : Severity.ADVICE);
        assertThat(finding.seen()).isEqualTo("the user lacks " + rule);
        assertThat(finding.toDo()).startsWith("ACL SETUSER USER " + rule + ";");
    }

    @Test
    void allMissingRulesAreNamed() {
        List<Finding> findings = examine(userWithout(RULES));
        assertThat(findings)
                .filteredOn(finding -> finding.subject().equals("permissions"))
                .extracting(Finding::seen)
                .containsExactly(
                        "the user lacks +evalsha +eval +time +type +get +pttl +hmget +hdel +hgetall +pexpire +del +set +hset",
                        "the user lacks +publish +subscribe",
                        "the user lacks +scan +hget");
    }

    @Test
    void theDocumentedMinimumLacksOnlyWhatOperatorsNeed() throws IOException {
        List<String> rules = new ArrayList<>(List.of("ACL", "SETUSER", "app", "on", ">secret"));
        rules.addAll(List.of(RightsTest.documented().split(" ", -1)));
        node.command(rules.toArray(String[]::new));
        Finding finding = the("permissions", examine("redis://app:secret@" + node.address()));
        assertThat(finding.severity()).isEqualTo(Severity.ADVICE);
        assertThat(finding.seen()).isEqualTo("the user lacks +scan");
    }

    @ParameterizedTest
    @ValueSource(strings = {"?prefix=app:", "?hashTags=true", "?namespace=other"})
    void otherKeysAreExaminedToo(String options) {
        List<Finding> findings = examine(node.url() + options);
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("wake-ups", findings).severity()).isEqualTo(Severity.OK);
    }

    @Test
    void aClusterIsExaminedWhereTheKeysAre() {
        List<Finding> findings = examine(RedisServers.cluster().url());
        assertThat(the("cluster", findings).seen()).isEqualTo("cluster_state ok, 16384 slots served");
        assertThat(the("min-replicas-to-write", findings).seen()).isEqualTo("0, replicas 1");
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
        assertThat(the("wake-ups", findings).severity()).isEqualTo(Severity.OK);
    }

    @Test
    void whereKeysSpreadOverAClusterAllItsMastersAreExamined() {
        List<Finding> findings = examine(RedisServers.cluster().url() + "?prefix=app:");
        assertThat(the("cluster", findings).severity()).isEqualTo(Severity.OK);
        assertThat(findings)
                .filteredOn(finding -> finding.subject().equals("latency"))
                .flatExtracting(
                        finding -> List.of(finding.seen().split(": ", 2)[0].split(", ", -1)))
                .containsExactlyInAnyOrderElementsOf(RedisServers.cluster().nodes().stream()
                        .filter(RedisNode::isMaster)
                        .map(RedisNode::address)
                        .toList());
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
    }

    @Test
    void theMasterThatSentinelNamesIsExamined() {
        List<Finding> findings = examine(RedisServers.sentinel().url());
        assertThat(the("role", findings).seen()).isEqualTo("master");
        assertThat(the("min-replicas-to-write", findings).seen()).isEqualTo("0, replicas 2");
        assertThat(the("lease", findings).severity()).isEqualTo(Severity.OK);
    }

    @Test
    void aNodeOfAClusterIsNoServerOfItsOwn() {
        try (RedisNode one = new RedisNode("cluster-enabled yes").start()) {
            Finding finding = the("cluster", examine(one.url()));
            assertThat(finding.severity()).isEqualTo(Severity.PROBLEM);
            assertThat(finding.toDo()).contains("redis-cluster://");
        }
    }
}
