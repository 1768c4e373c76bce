package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.StoreException;
import dev.tenure.Tenure;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Elections on three servers that are killed, stopped and cut off from each other. Each Tenure talks to a server of its
 * own, as to the agent of its node.
 */
@Isolated("servers whose elections a busy machine would disturb")
@Timeout(900)
class ClusterTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration FORGOTTEN = Duration.ofSeconds(20); // and the first change within twice that
    private static final Duration LOCK_DELAY = Duration.ofSeconds(1);

    /** For what takes no time but on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static final int CHANGES = 3;
    private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

    private static ConsulCluster cluster;

    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";

    @BeforeAll
    static void begin() {
        cluster = new ConsulCluster(1);
    }

    @AfterAll
    static void end() {
        if (cluster != null) { // nothing was begun where there is no Consul
            cluster.close();
        }
    }

    @BeforeEach
    void settle() {
        cluster.settle();
    }

    private static LeaseStore store(ConsulAgent server) {
        return ConsulLeaseStore.builder(server.url()).lockDelay(LOCK_DELAY).build();
    }

    /**
     * Whose terms end soon where nothing confirms them.
     */
    private static Tenure tenure(ConsulAgent server) {
        return tenure(server, LEASE, LEASE.dividedBy(3));
    }

    /**
     * Whose terms outlast what a busy machine makes of changes of Raft's leader.
     */
    private static Tenure lasting(ConsulAgent server) {
        return tenure(server, Duration.ofMinutes(2), Duration.ofSeconds(5));
    }

    private static Tenure tenure(ConsulAgent server, Duration lease, Duration renewInterval) {
        return Tenure.builder(store(server))
                .instance(server.toString())
                .defaults(options -> options.lease(lease).renewInterval(renewInterval))
                .build();
    }

    private static LossReason lost(Lease lease) throws Exception {
        return lease.lost().toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    /**
     * Awaits a renewal that was sent from now on.
     */
    private static void awaitRenewal(Lease lease) {
        long before = lease.remaining().toNanos() + System.nanoTime();
        Eventually.becomes(
                "renewed", () -> System.nanoTime() + lease.remaining().toNanos() - before > HALF_A_SECOND);
    }

    private static boolean isGone(ConsulAgent server, String session) {
        return Json.list(server.json("GET", "/v1/session/info/" + session + "?consistent", ""))
                .isEmpty();
    }

    /**
     * What an elector's terms began and ended with, in order.
     */
    private record Terms(LeaderElector elector, List<Lease> elected, List<LossReason> lost) {
        static Terms of(LeaderElector elector) {
            Terms terms = new Terms(elector, new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>());
            elector.onChange(terms.elected::add, (lease, reason) -> terms.lost.add(reason));
            elector.start();
            return terms;
        }

        Lease awaitTerm(int number) {
            Eventually.becomes("term " + number, PATIENCE, () -> elected.size() >= number);
            return elected.get(number - 1);
        }
    }

    /**
     * One of the others is killed and one is stopped.
     */
    @Test
    void R128_R130_withoutAQuorumNobodyLeadsAndWithOneTheSameElectorsDoAgain() throws Exception {
        ConsulAgent own = cluster.server(0);
        try (Tenure tenure = tenure(own);
                Tenure other = lasting(own)) {
            Terms holder = Terms.of(tenure.elector(role));
            Lease lease = holder.awaitTerm(1);
            Terms candidate = Terms.of(other.elector(role));
            cluster.server(1).kill();
            cluster.server(2).pause();
            assertThat(lost(lease)).isEqualTo(LossReason.DEADLINE_EXCEEDED);
            assertThat(lease.isHeld()).isFalse();
            try (Asker asker = Asker.of(store(own)).withLimit(Duration.ofSeconds(2))) {
                assertThat(asker.failureOfAsking(key)).isInstanceOf(StoreException.class);
                assertThat(asker.failureOfAsking(key + "2")).isInstanceOf(StoreException.class);
            }
            assertThat(holder.elected).hasSize(1);
            assertThat(candidate.elected).isEmpty();

            cluster.settle();
            Eventually.becomes("a leader again", PATIENCE, () -> holder.elected.size() + candidate.elected.size() == 2);
            Lease next = candidate.elected.isEmpty() ? holder.elected.get(1) : candidate.elected.get(0);
            assertThat(lease.fencingToken().isOlderThan(next.fencingToken())).isTrue();
            awaitRenewal(next);
            assertThat(next.isHeld()).isTrue();
            assertThat(holder.lost).containsExactly(LossReason.DEADLINE_EXCEEDED);
            assertThat(candidate.lost).isEmpty();
        }
    }

    /**
     * A living holder keeps its lease over each change. A dead one keeps it too: its session's time begins anew with
     * each new leader of Raft, so that the take-over takes the documented time, counted from the last change.
     */
    @Test
    void R129_K134_tokensRiseOverChangesOfRaftsLeaderAndDeadHoldersLastLonger() throws Exception {
        String dead = role + "-dead";
        List<Long> tokens = new ArrayList<>();
        List<Long> changes = new ArrayList<>();
        CompletableFuture<Long> takenOver = new CompletableFuture<>();
        try (Asker forgotten = Asker.of(store(cluster.server(0))).withLease(FORGOTTEN);
                Tenure waiting = tenure(cluster.server(0))) {
            forgotten.grant("service/" + dead + "/leader"); // and nobody renews it
            LeaderElector successor = waiting.elector(dead);
            successor.onChange(lease -> takenOver.complete(System.nanoTime()), (lease, reason) -> {});
            successor.start();
            for (int i = 0; i < CHANGES; i++) {
                ConsulAgent leader = cluster.awaitLeader();
                ConsulAgent own = cluster.others(leader).get(i % 2);
                try (Tenure tenure = lasting(own)) {
                    Terms holder = Terms.of(tenure.elector(role));
                    Lease lease = holder.awaitTerm(1);
                    tokens.add(lease.fencingToken().value());
                    leader.kill();
                    ConsulAgent next = cluster.awaitOther(leader);
                    changes.add(System.nanoTime());
                    awaitRenewal(lease);
                    assertThat(next.entry(key).index())
                            .isEqualTo(lease.fencingToken().value());
                    assertThat(holder.lost).isEmpty();
                }
                cluster.settle();
            }
            assertThat(tokens).isSorted().doesNotHaveDuplicates();
            long taken = takenOver.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            long change = changes.stream()
                    .filter(at -> at < taken)
                    .reduce((a, b) -> b)
                    .orElseThrow();
            assertThat(Duration.ofNanos(taken - change))
                    .isBetween(
                            FORGOTTEN, successor.describe().worstCaseTakeover().plus(PATIENCE));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void R097_aHolderAtAServerThatIsCutOffHasLostBeforeTheMajorityHasAnother(boolean raftLeader) throws Exception {
        ConsulAgent leader = cluster.awaitLeader();
        ConsulAgent cutOff = raftLeader ? leader : cluster.others(leader).get(0);
        ConsulAgent majority = cluster.others(cutOff).get(0);
        try (Tenure tenure = tenure(cutOff);
                Tenure other = lasting(majority)) {
            Terms holder = Terms.of(tenure.elector(role));
            Lease lease = holder.awaitTerm(1);
            String session = cutOff.entry(key).session();
            Terms candidate = Terms.of(other.elector(role));
            awaitRenewal(lease);
            cluster.cut(cutOff);
            assertThat(lost(lease)).isEqualTo(LossReason.DEADLINE_EXCEEDED);
            Eventually.becomes("a leader of Raft", () -> majority.isLed());
            assertThat(isGone(majority, session)).as("gone before it is lost").isFalse();
            Lease next = candidate.awaitTerm(1);
            assertThat(isGone(majority, session))
                    .as("gone before there is another")
                    .isTrue();
            assertThat(lease.fencingToken().isOlderThan(next.fencingToken())).isTrue();
            assertThat(majority.entry(key).index())
                    .isEqualTo(next.fencingToken().value());
            assertThat(holder.elected).as("terms where there is no quorum").hasSize(1);

            cluster.settle();
            awaitRenewal(next);
            assertThat(next.isHeld()).as("after the cut").isTrue();
            assertThat(holder.lost).containsExactly(LossReason.DEADLINE_EXCEEDED);
            assertThat(holder.elected).hasSize(1);
            other.close();
            Lease last = holder.awaitTerm(2);
            assertThat(next.fencingToken().isOlderThan(last.fencingToken())).isTrue();
        }
    }
}
