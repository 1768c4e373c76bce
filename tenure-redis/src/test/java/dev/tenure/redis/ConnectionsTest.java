package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Whose connections there are, and what is left of them.
 */
@Isolated("breaks servers that others use, or counts what they do")
class ConnectionsTest {
    private final String key = "connections-" + UUID.randomUUID();

    private static long clients(RedisNode node) {
        return node.command("CLIENT", "LIST")
                .lines()
                .filter(line -> !line.contains("cmd=client"))
                .count();
    }

    private static long threads(String beginning) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(beginning))
                .count();
    }

    /**
     * So long a lease that the first answer may take long too.
     */
    private static Tenure lasting(LeaseStore store) {
        return Tenure.builder(store)
                .defaults(options -> options.lease(Duration.ofHours(1)))
                .build();
    }

    @Test
    void R016_R133_theApplicationsClientStaysOpen() throws Exception {
        try (RedisNode node = new RedisNode().start()) {
            RedisClient client = RedisClient.create(node.url());
            try (StatefulRedisConnection<String, String> own = client.connect()) {
                try (Tenure tenure = lasting(
                                RedisLeaseStore.using(client).namespace("app").build());
                        OwnedLease lease = tenure.acquire(key)) {
                    assertThat(own.sync().hget("app:lock:leader:" + key, "token"))
                            .isEqualTo(Long.toString(lease.fencingToken().value()));
                }
                assertThat(own.sync().ping()).isEqualTo("PONG");
                Eventually.becomes("the store's connections are closed", () -> clients(node) == 1);
            } finally {
                client.shutdown();
            }
        }
    }

    @Test
    void R016_theApplicationsClusterClientStaysOpen() throws Exception {
        RedisCluster cluster = RedisServers.cluster();
        RedisClusterClient client =
                RedisClusterClient.create("redis://" + cluster.nodes().get(0).address());
        try {
            try (Tenure tenure = lasting(RedisLeaseStore.using(client).build());
                    OwnedLease lease = tenure.acquire(key)) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
        } finally {
            client.shutdown();
        }
    }

    @Test
    void optionsOfAConnectionAreRefusedWhereTheClientIsGiven() {
        RedisClient client = RedisClient.create("redis://127.0.0.1");
        try {
            assertThatThrownBy(() -> RedisLeaseStore.using(client)
                            .options(Map.of("password", "x"))
                            .build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("option=password");
            assertThatThrownBy(() -> RedisLeaseStore.using(client)
                            .credentials(RedisCredentialsProvider.from(() -> RedisCredentials.just("x", "y")))
                            .build())
                    .isInstanceOf(IllegalArgumentException.class);
        } finally {
            client.shutdown();
        }
    }

    @Test
    void closingLeavesNoConnectionAndNoThread() throws Exception {
        try (RedisNode node = new RedisNode().start()) {
            long before = threads("lettuce"); // other tests' own clients
            for (int i = 0; i < 5; i++) {
                try (Tenure tenure = lasting(RedisLeaseStore.connect(node.url()));
                        OwnedLease lease = tenure.acquire(key)) {
                    assertThat(lease.isHeld()).isTrue();
                }
            }
            Eventually.becomes("no connection", () -> clients(node) == 0);
            Eventually.becomes("no thread", () -> threads("lettuce") <= before);
        }
    }

    @Test
    void closingAnUnreachableStoreIsQuick() {
        LeaseStore store = RedisLeaseStore.connect("redis://127.0.0.1:1");
        store.watch(key, () -> {});
        Asker.of(store).failureOfAsking(key);
        store.close();
        store.close();
        Eventually.becomes("no thread", () -> threads("tenure-redis") == 0);
    }

    @Test
    void K146_rotatedCredentialsAreAskedForAtEachConnecting() {
        try (RedisNode node = new RedisNode().start()) {
            node.command("ACL", "SETUSER", "app", "on", ">old", "~*", "&*", "+@all");
            AtomicReference<String> password = new AtomicReference<>("old");
            LeaseStore store = RedisLeaseStore.builder("redis://" + node.address())
                    .credentials(RedisCredentialsProvider.from(() -> RedisCredentials.just("app", password.get())))
                    .build();
            try (Asker asker = Asker.of(store)) {
                Claim claim = asker.grant(key);
                node.command("ACL", "SETUSER", "app", ">new");
                password.set("new");
                node.command("ACL", "SETUSER", "app", "<old");
                node.command("CLIENT", "KILL", "USER", "app");
                Eventually.becomes("renewed", () -> asker.renew(claim) == RenewResult.RENEWED);
            }
        }
    }

    @Test
    void scriptsAreOneRoundTripEach() {
        try (RedisNode node = new RedisNode().start();
                Asker asker = Asker.at(node.url())) {
            asker.release(asker.grant(key)); // from now on the server knows the scripts
            asker.renew(asker.grant(key + "-first"));
            node.command("CONFIG", "RESETSTAT");
            Claim claim = asker.grant(key);
            asker.renew(claim);
            asker.renewAll(List.of(claim, claim, claim));
            asker.denied(key);
            asker.release(claim);
            assertThat(node.info("commandstats").get("cmdstat_evalsha")).startsWith("calls=5,");
            assertThat(node.info("commandstats").keySet()).doesNotContain("cmdstat_eval");
        }
    }
}
