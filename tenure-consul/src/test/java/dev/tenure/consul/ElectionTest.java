package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The whole library on an agent.
 */
class ElectionTest {
    private final ConsulAgent agent = ConsulAgent.shared();
    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";

    @Test
    void theLeaseGoesFromOneInstanceToTheNextAtOnceAndLeavesNoSession() throws Exception {
        try (Tenure one = Tenure.connect(agent.url());
                Tenure other = Tenure.connect(agent.url())) {
            FencingToken token;
            CompletableFuture<OwnedLease> next;
            long released;
            try (OwnedLease first = one.acquire(role)) {
                assertThat(other.tryAcquire(role)).isEmpty();
                next = other.acquireAsync(role);
                token = first.fencingToken();
                assertThat(agent.entry(key).index()).isEqualTo(token.value());
                TimeUnit.SECONDS.sleep(1);
                released = System.nanoTime();
            }
            try (OwnedLease second = next.get(30, TimeUnit.SECONDS)) {
                assertThat(Duration.ofNanos(System.nanoTime() - released)).isLessThan(Duration.ofSeconds(3));
                assertThat(token.isOlderThan(second.fencingToken())).isTrue();
                assertThat(agent.entry(key).index())
                        .isEqualTo(second.fencingToken().value());
            }
        }
        assertThat(agent.entry(key).isLocked()).isFalse();
        assertThat(agent.sessions(key)).as("orphans").isZero();
    }

    @Test
    void aDestroyedSessionIsToldWithinAMoment() throws Exception {
        try (Tenure tenure = Tenure.connect(agent.url());
                OwnedLease lease = tenure.acquire(role)) {
            TimeUnit.SECONDS.sleep(1); // until the watch is in effect
            agent.destroy(agent.entry(key).session());
            LossReason reason = lease.lost().toCompletableFuture().get(6, TimeUnit.SECONDS);
            assertThat(reason).isIn(LossReason.SESSION_EXPIRED, LossReason.TAKEN_OVER);
        }
    }

    @Test
    void aDeletedKeyIsToldAndItsSessionDestroyed() throws Exception {
        try (Tenure tenure = Tenure.connect(agent.url());
                OwnedLease lease = tenure.acquire(role)) {
            TimeUnit.SECONDS.sleep(1);
            agent.delete(key);
            assertThat(lease.lost().toCompletableFuture().get(6, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.TAKEN_OVER);
            Eventually.becomes("no session", () -> agent.sessions(key) == 0);
        }
    }

    @Test
    void aKeyTakenByForceIsTold() throws Exception {
        try (Tenure tenure = Tenure.connect(agent.url());
                OwnedLease lease = tenure.acquire(role)) {
            TimeUnit.SECONDS.sleep(1);
            agent.seize(key, "another's");
            assertThat(lease.lost().toCompletableFuture().get(6, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.TAKEN_OVER);
        }
    }

    @Test
    void aSilentAgentEndsTheTermAtItsDeadlineAndNotByAnythingElse() throws Exception {
        try (ConsulAgent own = new ConsulAgent().start();
                Tenure tenure = Tenure.connect(own.url())) {
            try (OwnedLease lease = tenure.acquire(role)) {
                own.pause();
                assertThat(lease.lost().toCompletableFuture().get(20, TimeUnit.SECONDS))
                        .isEqualTo(LossReason.DEADLINE_EXCEEDED);
            } finally {
                own.resume();
            }
        }
    }

    @Test
    void twentyHandOversAreQuickAndEachTokenIsTheKeysIndex() throws Exception {
        List<Long> took = new ArrayList<>();
        try (Tenure one = Tenure.connect(agent.url());
                Tenure other = Tenure.connect(agent.url())) {
            OwnedLease lease = one.acquire(role);
            for (int i = 0; i < 20; i++) {
                CompletableFuture<OwnedLease> next = (i % 2 == 0 ? other : one).acquireAsync(role);
                TimeUnit.MILLISECONDS.sleep(300);
                FencingToken token = lease.fencingToken();
                long began = System.nanoTime();
                lease.close();
                lease = next.get(30, TimeUnit.SECONDS);
                took.add((System.nanoTime() - began) / 1_000_000);
                assertThat(token.isOlderThan(lease.fencingToken())).isTrue();
                assertThat(agent.entry(key).index())
                        .isEqualTo(lease.fencingToken().value());
            }
            lease.close();
        }
        Collections.sort(took);
        assertThat(took.get(10)).as("median of %s ms", took).isLessThan(500);
        assertThat(agent.sessions(key)).isZero();
    }
}
