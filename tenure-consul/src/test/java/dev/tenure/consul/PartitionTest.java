package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A holder that is cut off from Consul, and what the lock delay is for. Tests wait side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class PartitionTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration LOCK_DELAY = Duration.ofSeconds(1);
    private static final Duration LASTING = Duration.ofMinutes(2);
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);
    private final ConsulAgent agent = ConsulAgent.shared();
    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";

    private static Tenure tenure(String url, Duration lockDelay, Duration lease) {
        return Tenure.builder(ConsulLeaseStore.builder(url).lockDelay(lockDelay).build())
                .defaults(options -> options.lease(lease))
                .build();
    }

    private boolean isGone(String session) {
        return Json.list(agent.json("GET", "/v1/session/info/" + session + "?consistent", ""))
                .isEmpty();
    }

    /**
     * The order is what counts. Consul promises only that a session lives for its time at least, and takes up to twice.
     */
    @Test
    void R097_aHolderThatIsCutOffHasLostBeforeItsSessionIsGoneAndThenThereIsAnother() throws Exception {
        try (HttpLink link = new HttpLink(agent);
                Tenure tenure = tenure(link.url(), LOCK_DELAY, LEASE);
                Tenure other = tenure(agent.url(), LOCK_DELAY, LASTING)) {
            LeaderElector holder = tenure.elector(role).start();
            Lease lease = holder.awaitLeadership();
            String session = agent.entry(key).session();
            CompletableFuture<Long> successorAt = new CompletableFuture<>();
            LeaderElector successor = other.elector(role);
            successor.onChange(
                    next -> successorAt.complete(isGone(session) ? System.nanoTime() : 0), (next, reason) -> {});
            successor.start();
            long before = lease.remaining().toNanos() + System.nanoTime();
            Eventually.becomes(
                    "renewed", () -> System.nanoTime() + lease.remaining().toNanos() - before > HALF_A_SECOND);
            link.cut();
            long renewed = link.requests().stream()
                    .filter(request -> request.path().equals("/v1/session/renew/" + session))
                    .mapToLong(HttpLink.Request::at)
                    .max()
                    .orElseThrow();

            assertThat(lease.lost().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(LossReason.DEADLINE_EXCEEDED);
            assertThat(lease.isHeld()).isFalse();
            assertThat(isGone(session)).as("gone before it is lost").isFalse();
            assertThat(successorAt).isNotDone();
            long taken = successorAt.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertThat(taken).as("another before it was gone").isNotZero();
            assertThat(Duration.ofNanos(taken - renewed))
                    .isBetween(
                            LEASE.plus(LOCK_DELAY),
                            holder.describe().worstCaseTakeover().plus(PATIENCE));
            Lease next = successor.lease().orElseThrow();
            assertThat(lease.fencingToken().isOlderThan(next.fencingToken())).isTrue();

            link.mend();
            Optional<FencingToken> token = Optional.of(next.fencingToken());
            Eventually.becomes(
                    "news of the successor",
                    PATIENCE,
                    () -> holder.leader().flatMap(Leader::fencingToken).equals(token));
            assertThat(next.isHeld()).isTrue();
            assertThat(agent.entry(key).index()).isEqualTo(next.fencingToken().value());
        }
    }

    @Test
    void R098_afterAnInvalidationTheKeyStaysClosedForTheLockDelay() throws Exception {
        Duration delay = Duration.ofSeconds(4);
        try (Tenure tenure = tenure(agent.url(), delay, LONG);
                Tenure other = tenure(agent.url(), delay, LONG);
                OwnedLease lease = tenure.acquire(role)) {
            LeaderElector candidate = other.elector(role).start();
            // Consul looks at the lock delay when a request arrives: one that waits to be carried out then gets the
            // key.
            Eventually.becomes("a denial", () -> candidate.leader().isPresent());
            long before = System.nanoTime();
            agent.destroy(agent.entry(key).session());
            Eventually.becomes("another leader", candidate::isLeader);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(delay);
            Eventually.becomes("told", () -> !lease.isHeld());
        }
    }

    @Test
    void R099_afterAReleaseThereIsNoLockDelay() throws Exception {
        Duration delay = Duration.ofSeconds(60);
        try (Tenure tenure = tenure(agent.url(), delay, LONG);
                Tenure other = tenure(agent.url(), delay, LONG)) {
            OwnedLease lease = tenure.acquire(role);
            CompletableFuture<OwnedLease> next = other.acquireAsync(role);
            Eventually.becomes("a candidate with a session", () -> agent.sessions(key) == 2);
            long before = System.nanoTime();
            lease.close();
            next.get(delay.toSeconds(), TimeUnit.SECONDS).close();
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(delay);
        }
    }
}
