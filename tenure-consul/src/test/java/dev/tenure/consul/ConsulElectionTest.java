package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LeaseStores;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The whole library on an agent.
 */
class ConsulElectionTest {
    private final ConsulAgent agent = ConsulAgent.shared();
    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";
    private final FaultProxy proxy = new FaultProxy(agent);

    @AfterEach
    void close() {
        proxy.close();
    }

    /**
     * Whose renewals are far away: what it learns, it learns from its queries.
     */
    private static Tenure lasting(String url) {
        return Tenure.builder(LeaseStores.open(url))
                .defaults(options -> options.lease(Duration.ofHours(1)))
                .build();
    }

    /**
     * From now on a change is heard of.
     */
    private void watched() {
        Eventually.becomes("a held query", () -> proxy.held() > 0);
    }

    @Test
    void theLeaseGoesFromOneInstanceToTheNextAndLeavesNoSession() throws Exception {
        try (Tenure one = lasting(agent.url());
                Tenure other = lasting(proxy.url())) {
            FencingToken token;
            CompletableFuture<OwnedLease> next;
            try (OwnedLease first = one.acquire(role)) {
                assertThat(other.tryAcquire(role)).isEmpty();
                next = other.acquireAsync(role);
                token = first.fencingToken();
                assertThat(agent.entry(key).index()).isEqualTo(token.value());
                watched();
            }
            try (OwnedLease second = next.get(180, TimeUnit.SECONDS)) {
                assertThat(token.isOlderThan(second.fencingToken())).isTrue();
                assertThat(agent.entry(key).index())
                        .isEqualTo(second.fencingToken().value());
            }
        }
        assertThat(agent.entry(key).isLocked()).isFalse();
        assertThat(agent.sessions(key)).as("orphans").isZero();
    }

    @Test
    void aDestroyedSessionIsTold() throws Exception {
        try (Tenure tenure = lasting(proxy.url());
                OwnedLease lease = tenure.acquire(role)) {
            watched();
            agent.destroy(agent.entry(key).session());
            LossReason reason = lease.lost().toCompletableFuture().get(180, TimeUnit.SECONDS);
            assertThat(reason).isIn(LossReason.SESSION_EXPIRED, LossReason.TAKEN_OVER);
        }
    }

    @Test
    void aDeletedKeyIsToldAndItsSessionDestroyed() throws Exception {
        try (Tenure tenure = lasting(proxy.url());
                OwnedLease lease = tenure.acquire(role)) {
            watched();
            agent.delete(key);
            assertThat(lease.lost().toCompletableFuture().get(180, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.TAKEN_OVER);
            Eventually.becomes("no session", () -> agent.sessions(key) == 0);
        }
    }

    @Test
    void aKeyTakenByForceIsTold() throws Exception {
        try (Tenure tenure = lasting(proxy.url());
                OwnedLease lease = tenure.acquire(role)) {
            watched();
            agent.seize(key, "another's");
            assertThat(lease.lost().toCompletableFuture().get(180, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.TAKEN_OVER);
        }
    }

    @Test
    void K122_onlySessionsWithNodeChecksEndWithThem() throws Exception {
        String check = "check-" + role;
        agent.does(
                "PUT",
                "/v1/agent/check/register",
                "{\"ID\":\"" + check + "\",\"Name\":\"" + check + "\",\"TTL\":\"1h\",\"Status\":\"passing\"}");
        try (Tenure without = lasting(agent.url());
                Tenure with = Tenure.builder(LeaseStores.open(proxy.url() + "?lockDelay=60s&nodeChecks=" + check))
                        .defaults(options -> options.lease(Duration.ofSeconds(60)))
                        .build();
                OwnedLease kept = without.acquire(role + "-other")) {
            Eventually.becomes("the check is known", () -> isKnown(check));
            LeaderElector elector = with.elector(role).start();
            Eventually.becomes("leader", elector::isLeader);
            Lease ended = elector.lease().orElseThrow();
            watched();
            agent.does("PUT", "/v1/agent/check/fail/" + check, "");
            assertThat(ended.lost().toCompletableFuture().get(180, TimeUnit.SECONDS))
                    .isIn(LossReason.SESSION_EXPIRED, LossReason.TAKEN_OVER);
            assertThat(kept.isHeld()).isTrue();
            assertThat(agent.entry("service/" + role + "-other/leader").isLocked())
                    .isTrue();
        } finally {
            agent.does("PUT", "/v1/agent/check/deregister/" + check, "");
        }
    }

    private boolean isKnown(String check) {
        return Json.list(agent.json("GET", "/v1/health/state/passing", "")).stream()
                .anyMatch(each -> Json.text(each, "CheckID").equals(check));
    }

    @Test
    void aSilentAgentEndsTheTermAtItsDeadlineAndNotByAnythingElse() throws Exception {
        try (ConsulAgent own = new ConsulAgent().start();
                Tenure tenure = Tenure.connect(own.url())) {
            LeaderElector elector = tenure.elector(role).start();
            Eventually.becomes("leader", elector::isLeader);
            Lease lease = elector.lease().orElseThrow();
            own.pause();
            assertThat(lease.lost().toCompletableFuture().get(180, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.DEADLINE_EXCEEDED);
            own.resume();
        }
    }

    @Test
    void tokensOfTwentyHandOversRiseAndEachIsTheKeysIndex() throws Exception {
        try (Tenure one = lasting(agent.url());
                Tenure other = lasting(agent.url())) {
            OwnedLease lease = one.acquire(role);
            for (int i = 0; i < 20; i++) {
                CompletableFuture<OwnedLease> next = (i % 2 == 0 ? other : one).acquireAsync(role);
                FencingToken token = lease.fencingToken();
                lease.close();
                lease = next.get(180, TimeUnit.SECONDS);
                assertThat(token.isOlderThan(lease.fencingToken())).isTrue();
                assertThat(agent.entry(key).index())
                        .isEqualTo(lease.fencingToken().value());
            }
            lease.close();
        }
        assertThat(agent.sessions(key)).isZero();
    }
}
