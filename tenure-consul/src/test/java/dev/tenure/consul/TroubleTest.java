package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Errors: what is rejected, what is unavailable, and what is said.
 */
class TroubleTest {
    private final String key = "service/orders/leader";

    @Test
    void anAbsentAgentAndASilentOneAreUnavailable() {
        try (Asker asker = Asker.at("consul://127.0.0.1:" + Ports.free())) {
            assertThat(asker.failureOfAsking(key)).isInstanceOf(StoreUnavailableException.class);
        }
        try (ConsulAgent agent = new ConsulAgent().start();
                Asker patient = Asker.at(agent.url())) {
            Claim claim = patient.grant(key);
            Asker asker = patient.withLimit(Duration.ofSeconds(1));
            agent.pause();
            assertThat(asker.failure(store -> store.renew(asker.own(claim))))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("no answer in time");
        }
    }

    @Test
    void anUnknownDatacenterIsRejected() {
        try (Asker asker = Asker.at(ConsulAgent.shared().url(), "datacenter", "nowhere")) {
            assertThat(asker.failureOfAsking(key)).isInstanceOf(StoreRejectedException.class);
        }
    }

    @Test
    void aRestartedAgentIsFoundAgainAndItsIndexesMayBeLower() {
        try (ConsulAgent agent = new ConsulAgent().start();
                Asker asker = Asker.at(agent.url())) {
            for (int i = 0; i < 30; i++) {
                asker.release(asker.grant(key));
            }
            Claim before = asker.grant(key);
            agent.restart();
            Eventually.becomes("an answer", () -> asker.renew(before) == RenewResult.SESSION_GONE);
            assertThat(asker.grant(key).token()).isLessThan(before.token());
        }
    }

    @Test
    void optionsAreCheckedAndTokensNotTold() {
        for (String wrong : new String[] {
            "consul://h?lockDelay=61s",
            "consul://h?lockDelay=-1s",
            "consul://h?nothing=1",
            "consul://",
            "http://h:8500",
            "consul://h:8500/path",
            "consul://h?namespace=/a"
        }) {
            assertThatThrownBy(() -> ConsulOptions.parse(wrong, Map.of()))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ConsulOptions.parse("consul://user:secret@h", Map.of()))
                .hasMessageNotContaining("secret");
        ConsulOptions options = ConsulOptions.parse("consul+https://h?token=s3cret", Map.of("lockDelay", "500ms"));
        assertThat(options.agent()).hasToString("https://h:8501");
        assertThat(options.lockDelay()).isEqualTo(Duration.ofMillis(500));
        assertThat(options.toString()).doesNotContain("s3cret");
    }
}
