package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A Consul whose index has gone back.
 */
class RestoredTest {
    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";

    @Test
    void isToldAndLedAgainOnceItsTokensAreAccepted() {
        try (ConsulAgent own = new ConsulAgent().start();
                Tenure tenure = Tenure.connect(own.url());
                LeaseStore operator = ConsulLeaseStore.connect(own.url())) {
            Asker before = Asker.of(operator);
            for (int i = 0; i < 60; i++) {
                before.release(before.grant(key));
            }
            LeaderElector elector = tenure.elector(role);
            elector.start();
            Eventually.becomes("leader", elector::isLeader);
            long high = elector.lease().orElseThrow().fencingToken().value();
            own.restart(); // it has kept nothing
            Eventually.becomes("told", () -> elector.health().status() == Status.FENCING_REGRESSED);
            ElectorHealth health = elector.health();
            assertThat(health.detail()).contains(Long.toString(high));
            assertThat(elector.isLeader()).isFalse();
            Eventually.becomes("given back", () -> own.sessions(key) == 0);
            Answers.within(Duration.ofSeconds(60), operator.acceptToken(key, 0));
            Eventually.becomes("leader again", elector::isLeader);
            assertThat(elector.lease().orElseThrow().fencingToken().value()).isLessThan(high);
        }
    }
}
