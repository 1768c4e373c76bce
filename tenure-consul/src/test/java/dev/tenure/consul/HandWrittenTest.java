package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.LossReason;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Code of one's own that locks the same key with a session, as before a migration.
 */
class HandWrittenTest {
    private final ConsulAgent agent = ConsulAgent.shared();
    private final String key = "locks/" + UUID.randomUUID();

    private String session() {
        String body = "{\"TTL\":\"600s\",\"LockDelay\":\"1s\",\"NodeChecks\":[],\"Checks\":[]}";
        return Json.text(agent.json("PUT", "/v1/session/create", body), "ID");
    }

    private boolean acquire(String session) {
        return Boolean.TRUE.equals(agent.json("PUT", "/v1/kv/" + key + "?acquire=" + session, "host-7"));
    }

    private void release(String session) {
        agent.json("PUT", "/v1/kv/" + key + "?release=" + session, "host-7");
        agent.destroy(session);
    }

    private LeaderElector standing(Tenure tenure, Duration lease) {
        LeaderElector elector =
                tenure.with(options -> options.key(key).lease(lease)).elector("billing");
        elector.start();
        return elector;
    }

    @Test
    void excludesTenureAndIsExcludedByIt() throws Exception {
        String theirs = session();
        assertThat(acquire(theirs)).isTrue();
        try (Tenure tenure = Tenure.connect(agent.url())) {
            LeaderElector elector = standing(tenure, Duration.ofMinutes(10));
            Eventually.becomes("following", () -> elector.leader().isPresent());
            assertThat(elector.isLeader()).isFalse();
            assertThat(elector.leader().orElseThrow().name()).isEqualTo("unknown");
            long index = agent.entry(key).index();
            release(theirs);
            Eventually.becomes("leader", elector::isLeader);
            assertThat(elector.lease().orElseThrow().fencingToken().value()).isGreaterThan(index);
            String another = session();
            assertThat(acquire(another)).isFalse();
            elector.stop().toCompletableFuture().get(120, TimeUnit.SECONDS);
            assertThat(acquire(another)).isTrue();
            release(another);
        }
    }

    @Test
    void whatWritesIntoTheKeyWithoutLockingItEndsTheTermAtItsDeadline() throws Exception {
        try (Tenure tenure = Tenure.connect(agent.url())) {
            LeaderElector elector = standing(tenure, Duration.ofSeconds(10));
            Eventually.becomes("leader", elector::isLeader);
            var lease = elector.lease().orElseThrow();
            agent.json("PUT", "/v1/kv/" + key, "scribbled");
            assertThat(lease.lost().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.DEADLINE_EXCEEDED);
        }
    }
}
