package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.Finding;
import dev.tenure.spi.Finding.Severity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What servers would be told that cannot be had here.
 */
class ServerFindingsTest {
    private static Finding the(String subject, String... told) {
        Map<String, String> facts = new HashMap<>(Map.of("role", "master", "redis_version", "7.2.4"));
        for (int i = 0; i < told.length; i += 2) {
            facts.put(told[i], told[i + 1]);
        }
        List<Finding> found = ServerFindings.of(ServerFacts.of(facts), false, true).stream()
                .filter(each -> each.subject().equals(subject))
                .toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @ParameterizedTest
    @CsvSource({
        "2.8.24, PROBLEM",
        "5.0.14, PROBLEM",
        "6.0.20, PROBLEM",
        "6.2.0, OK",
        "7.4.1, OK",
        "8.0.0, OK",
        "255.255.255, OK",
        "unstable, OK"
    })
    void serversBelowTheOldestAreAProblem(String version, Severity severity) {
        Finding finding = the("server", "redis_version", version);
        assertThat(finding.severity()).isEqualTo(severity);
        assertThat(finding.seen()).isEqualTo("redis " + version);
    }

    @Test
    void valkeyHasAVersionOfItsOwn() {
        assertThat(the("server", "server_name", "valkey", "valkey_version", "8.1.0")
                        .seen())
                .isEqualTo("valkey 8.1.0");
    }

    @Test
    void aClusterThatDoesNotServeIsAProblem() {
        String[] fails = {"cluster_enabled", "1", "cluster_state", "fail", "cluster_slots_ok", "10922"};
        assertThat(the("cluster", fails).severity()).isEqualTo(Severity.PROBLEM);
        assertThat(the("cluster", fails).seen()).isEqualTo("cluster_state fail, 10922 slots served");
    }

    @Test
    void minReplicasAreSeenWithoutTheSetting() {
        Finding well = the("min-replicas-to-write", "connected_slaves", "2", "min_slaves_good_slaves", "2");
        assertThat(well.severity()).isEqualTo(Severity.OK);
        assertThat(well.seen()).isEqualTo("set, replicas 2");
        Finding none = the("min-replicas-to-write", "connected_slaves", "2");
        assertThat(none.severity()).isEqualTo(Severity.ADVICE);
        Finding refusing = the("min-replicas-to-write", "connected_slaves", "1", "min_slaves_good_slaves", "0");
        assertThat(refusing.severity()).isEqualTo(Severity.PROBLEM);
    }

    @Test
    void whatIsNotToldIsUnknown() {
        assertThat(the("persistence", "aof_enabled", "0").severity()).isEqualTo(Severity.UNKNOWN);
        assertThat(the("persistence", "aof_enabled", "1").severity()).isEqualTo(Severity.UNKNOWN);
    }
}
