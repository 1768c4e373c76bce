package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.Tenure;
import dev.tenure.spi.LeaseStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Elections while the servers change their roles.
 */
@Isolated("breaks servers that others use, or counts what they do")
class FailoverTest {
    private static final Duration LEASE = Duration.ofMinutes(10); // Sentinels may do nothing for a minute or two
    private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);

    private final String role = "failover-" + UUID.randomUUID();

    private static Tenure tenure(LeaseStore store) {
        return Tenure.builder(store)
                .defaults(options -> options.lease(LEASE).renewInterval(Duration.ofSeconds(1)))
                .build();
    }

    /**
     * Awaits a renewal that was sent from now on.
     */
    private static void awaitRenewal(Lease lease) {
        long before = lease.remaining().toNanos() + System.nanoTime();
        Eventually.becomes(
                "renewed", () -> System.nanoTime() + lease.remaining().toNanos() - before > HALF_A_SECOND);
    }

    @Test
    void aLeaderKeepsItsLeaseOverASentinelFailoverThatLostNothing() throws Exception {
        RedisSentinel set = RedisServers.sentinel();
        try (Tenure tenure = tenure(RedisLeaseStore.connect(set.url()))) {
            Lease lease = tenure.elector(role).start().awaitLeadership();
            set.master().awaitReplication(set.replicas());
            set.failover();
            awaitRenewal(lease);
            awaitRenewal(lease);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aLeaderKeepsItsLeaseWhenTheMasterDies() throws Exception {
        RedisSentinel set = RedisServers.sentinel();
        try (Tenure tenure = tenure(RedisLeaseStore.connect(set.url()))) {
            Lease lease = tenure.elector(role).start().awaitLeadership();
            RedisNode master = set.master();
            master.awaitReplication(set.replicas());
            master.kill();
            set.awaitOther(master);
            awaitRenewal(lease);
            awaitRenewal(lease);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void K098_aDemotedMasterIsLeftForTheNewOne() throws Exception {
        RedisSentinel set = RedisServers.sentinel();
        try (Tenure tenure = tenure(RedisLeaseStore.connect(set.url()))) {
            RedisNode old = set.master();
            Lease lease = tenure.elector(role).start().awaitLeadership();
            old.awaitReplication(set.replicas());
            RedisNode next = set.failover(); // which closes no connection that a client keeps using
            awaitRenewal(lease);
            awaitRenewal(lease);
            assertThat(lease.isHeld()).isTrue();
            assertThat(next.command("EXISTS", "tenure:lock:leader:" + role)).isEqualTo("1");
        }
    }

    @Test
    void aSlotMayMoveDuringAnElection() throws Exception {
        RedisCluster cluster = RedisServers.cluster();
        String record = "move:{" + role + "}";
        int slot = cluster.slotOf(record);
        RedisNode from = cluster.masterOf(slot);
        RedisNode to = cluster.nodes().stream()
                .filter(node -> node != from && node.isMaster())
                .findFirst()
                .orElseThrow();
        try (Tenure one = tenure(
                        RedisLeaseStore.builder(cluster.url()).prefix("move:").build());
                Tenure other = tenure(
                        RedisLeaseStore.builder(cluster.url()).prefix("move:").build())) {
            Lease lease = one.elector(role).start().awaitLeadership();
            LeaderElector follower = other.elector(role).start();
            cluster.beginMove(slot, from, to);
            try {
                awaitRenewal(lease);
                cluster.moveKeys(slot, from, to);
                awaitRenewal(lease);
            } finally {
                cluster.endMove(slot, from, to);
            }
            awaitRenewal(lease);
            awaitRenewal(lease);
            assertThat(lease.isHeld()).isTrue();
            assertThat(to.command("HGET", record, "token"))
                    .isEqualTo(Long.toString(lease.fencingToken().value()));
            assertThat(follower.isLeader()).isFalse();
            one.close();
            assertThat(follower.awaitLeadership().fencingToken().value())
                    .isGreaterThan(lease.fencingToken().value());
        }
    }

    @Test
    void aLeaderKeepsItsLeaseWhenAMasterOfTheClusterDies() throws Exception {
        RedisCluster cluster = RedisServers.cluster();
        try (Tenure tenure = tenure(RedisLeaseStore.connect(cluster.url()))) {
            Lease lease = tenure.elector(role).start().awaitLeadership();
            int slot = cluster.slotOf("{tenure}:x");
            RedisNode master = cluster.masterOf(slot);
            List<RedisNode> replicas = cluster.replicasOf(master);
            master.awaitReplication(replicas);
            master.kill();
            Eventually.becomes("a replica takes over", () -> cluster.masterOf(slot) != master);
            awaitRenewal(lease);
            awaitRenewal(lease);
            assertThat(lease.isHeld()).isTrue();
        }
    }
}
