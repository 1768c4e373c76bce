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
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Errors: what is rejected, what is unavailable, and what is said.
 */
class TroubleTest {
    private static final String ACL = "acl { enabled = true, default_policy = \"deny\", tokens { master = \"root\" } }";
    private final String key = "service/orders/leader";

    @Test
    void exactlyTheLeastPolicyIsEnoughAndEachMissingRightIsNamed() {
        try (ConsulAgent agent = new ConsulAgent(ACL, "root").start()) {
            String least = "key \"" + key + "\" { policy = \"write\" } session_prefix \"\" { policy = \"write\" }";
            try (Asker asker = with(agent, token(agent, least))) {
                Claim claim = asker.grant(key);
                assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
                asker.denied(key);
                assertThat(asker.read(key)).isPresent();
                assertThat(asker.release(claim)).isTrue();
                assertThat(asker.failureOfAsking("service/other/leader"))
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("key \"service/other/leader\" { policy = \"write\" }");
            }
            String noSessions = "key \"" + key + "\" { policy = \"write\" }";
            try (Asker asker = with(agent, token(agent, noSessions))) {
                assertThat(asker.failureOfAsking(key))
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("session_prefix");
            }
            try (Asker asker = with(agent, UUID.randomUUID().toString())) {
                assertThat(asker.failureOfAsking(key))
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("the ACL token is unknown");
            }
            try (Asker asker = Asker.at(agent.url())) {
                assertThat(asker.failureOfAsking(key)).isInstanceOf(StoreRejectedException.class);
            }
        }
    }

    private static Asker with(ConsulAgent agent, String token) {
        return Asker.at(agent.url(), "token", token);
    }

    private static String token(ConsulAgent agent, String rules) {
        String name = "p" + UUID.randomUUID();
        agent.json("PUT", "/v1/acl/policy", Json.write(Map.of("Name", name, "Rules", rules)));
        Object token = agent.json("PUT", "/v1/acl/token", "{\"Policies\":[{\"Name\":\"" + name + "\"}]}");
        return Json.text(token, "SecretID");
    }

    @Test
    void anAbsentAgentAndASilentOneAreUnavailable() {
        try (Asker asker = Asker.at("consul://127.0.0.1:" + Ports.free())) {
            assertThat(asker.failureOfAsking(key)).isInstanceOf(StoreUnavailableException.class);
        }
        try (ConsulAgent agent = new ConsulAgent().start();
                Asker asker = Asker.at(agent.url()).withLimit(Duration.ofSeconds(1))) {
            Claim claim = asker.grant(key);
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
