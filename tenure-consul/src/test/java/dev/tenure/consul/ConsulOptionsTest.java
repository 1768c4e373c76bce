package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectionOptions;
import dev.tenure.InvalidOptionsException;
import dev.tenure.Tenure;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/**
 * What options may be.
 */
class ConsulOptionsTest {
    private final String key = "service/" + UUID.randomUUID() + "/leader";

    private static void refused(String url, String... message) {
        assertThatThrownBy(() -> ConsulOptions.parse(url, Map.of()))
                .as(url)
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).contains(message));
    }

    @Test
    void whatIsWrongIsNamed() {
        refused("consul://h?ns=a%20b", "ns must be at most 128 characters");
        refused("consul://h?partition=" + "x".repeat(129), "partition must be at most 128 characters");
        refused("consul://h?nothing=1", "option is unknown: option=nothing", "ns", "partition", "tokenFile", "ca");
        refused("consul://h?lockDelay=9s&nodeChecks=serfHealth", "lockDelay must be at least 10s", "lockDelay=9000ms");
        refused("consul://h?lockDelay=61s", "lockDelay must be 0s to 60s: lockDelay=61s");
        refused("consul://h?lockDelay=60001ms", "lockDelay must be 0s to 60s: lockDelay=60001ms");
        refused("consul://h?lockDelay=-1s", "lockDelay must be 0s to 60s: lockDelay=-1s");
        refused("consul://h?token=a&tokenFile=/b", "token, tokenFile and a token supplier exclude each other");
        refused("consul://h?ca=/b", "ca must not be given without TLS: use consul+https://");
        refused("consul://h?cert=/b&key=/c", "cert must not be given without TLS: use consul+https://");
        refused("consul+https://h?cert=/b", "cert and key must be given together");
        refused("consul+https://h?key=/b", "cert and key must be given together");
        assertThatThrownBy(() -> ConsulLeaseStore.builder("consul://h")
                        .token("s3cret")
                        .token(() -> "s3cret")
                        .build())
                .hasMessageContaining("exclude each other")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> ConsulLeaseStore.builder("consul://h")
                        .tls(SSLContext.getDefault())
                        .build())
                .hasMessage("an SSLContext must not be given without TLS: use consul+https://");
    }

    @Test
    void lockDelaysAreOfZeroToSixtySeconds() {
        assertThat(ConsulOptions.parse("consul://h", Map.of()).lockDelay()).isEqualTo(Duration.ofSeconds(15));
        assertThat(ConsulOptions.parse("consul://h?lockDelay=0s", Map.of()).lockDelay())
                .isEqualTo(Duration.ZERO);
        assertThat(ConsulOptions.parse("consul://h?lockDelay=1m", Map.of()).lockDelay())
                .isEqualTo(Duration.ofSeconds(60));
        assertThatThrownBy(() -> ConsulLeaseStore.builder("consul://h")
                        .lockDelay(Duration.ofMillis(60_001))
                        .build())
                .hasMessageContaining("lockDelay must be 0s to 60s");
        assertThatThrownBy(() -> ConsulLeaseStore.builder("consul://h")
                        .lockDelay(Duration.ofSeconds(-1))
                        .build())
                .hasMessageContaining("lockDelay must be 0s to 60s");
    }

    @Test
    void leasesOutsideConsulsLimitsAreRefusedBeforeAnythingIsSent() {
        LeaseStore store = ConsulLeaseStore.connect("consul://127.0.0.1:" + Ports.free()); // nobody listens
        assertThatThrownBy(() -> Tenure.builder(store)
                        .defaults(options -> options.lease(Duration.ofSeconds(9)))
                        .build())
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageStartingWith("lease must be at least 10s on consul at 127.0.0.1:")
                .hasMessageEndingWith(": lease=9s")
                .hasMessageNotContaining("\n");
        assertThatThrownBy(() -> Tenure.builder(store)
                        .defaults(options -> options.lease(Duration.ofHours(25)))
                        .build())
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("lease must be at most 24h: lease=25h");
        store.close();
    }

    @Test
    void leasesBeyondTheLockDelayAreRefusedWhereNodeChecksMayEndSessionsBefore() {
        LeaseStore store = ConsulLeaseStore.connect("consul://127.0.0.1:" + Ports.free() + "?nodeChecks=serfHealth");
        assertThatThrownBy(() -> Tenure.builder(store)
                        .defaults(options -> options.lease(Duration.ofSeconds(16)))
                        .build())
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("lease must be at most 15s: lease=16s");
        store.close();
    }

    @Test
    void durationsAreReadAsConsulWritesThem() {
        assertThat(Durations.go("10s")).contains(Duration.ofSeconds(10));
        assertThat(Durations.go("1m30.5s")).contains(Duration.ofMillis(90_500));
        assertThat(Durations.go("10000ms")).contains(Duration.ofSeconds(10));
        for (String none : new String[] {"", "10", "s", "10s ", "-1s", "1x"}) {
            assertThat(Durations.go(none)).as(none).isEmpty();
        }
    }

    @Test
    void R107_R108_worstCaseIsTwiceTheLeaseAndTheLockDelayAndFollowsTheOptions() {
        assertThat(worstCase("consul://h", Duration.ofSeconds(15)))
                .isBetween(Duration.ofSeconds(45), Duration.ofSeconds(50));
        Duration shorter = worstCase("consul://h?lockDelay=5s", Duration.ofSeconds(15));
        assertThat(worstCase("consul://h", Duration.ofSeconds(15)).minus(shorter))
                .isEqualTo(Duration.ofSeconds(10));
        assertThat(worstCase("consul://h?lockDelay=0s", Duration.ofSeconds(10)))
                .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(24));
    }

    private static Duration worstCase(String url, Duration lease) {
        LeaseStore store = ConsulLeaseStore.connect(url);
        Duration worst = store.traits()
                .worstCaseTakeover(ElectionOptions.builder().lease(lease).build());
        store.close();
        return worst;
    }

    @Test
    void K118_aLockDelayOfZeroIsSentAndHonoured() {
        ConsulAgent agent = ConsulAgent.shared();
        for (Duration delay : new Duration[] {Duration.ZERO, Duration.ofSeconds(15)}) {
            String own = key + delay.toSeconds();
            try (LeaseStore store =
                    ConsulLeaseStore.builder(agent.url()).lockDelay(delay).build()) {
                Asker asker = Asker.of(store);
                Claim claim = asker.grant(own);
                String session = agent.entry(own).session();
                Object info = Json.list(agent.json("GET", "/v1/session/info/" + session, ""))
                        .get(0);
                assertThat(Json.field(info, "LockDelay")).isNotNull();
                assertThat(Json.number(info, "LockDelay")).isEqualTo(delay.toNanos());
                agent.destroy(session);
                if (delay.isZero()) {
                    assertThat(asker.grant(own).token()).isGreaterThan(claim.token());
                } else {
                    assertThat(asker.denied(own).retryAfter()).isPresent();
                }
            }
        }
    }
}
