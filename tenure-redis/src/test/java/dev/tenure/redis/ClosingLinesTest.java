package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.spi.LeaseStore;
import io.lettuce.core.RedisClient;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What is logged when stores are closed, by the driver too.
 */
@Isolated("reads the log")
class ClosingLinesTest {

    /**
     * A container that has both as beans closes the Tenure, which closes its store, and then the store.
     */
    private static void closeTwice(LeaseStore store) throws InterruptedException {
        try (Tenure tenure = Tenure.builder(store)
                        .defaults(options -> options.lease(Duration.ofHours(1)))
                        .build();
                OwnedLease lease = tenure.acquire("closing-" + UUID.randomUUID())) {
            assertThat(lease.isHeld()).isTrue();
        }
        store.close();
    }

    @Test
    void R016_aStoreThatIsClosedTwiceClosesItsConnectionsOnce() throws Exception {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try (RedisNode node = new RedisNode().start()) {
            closeTwice(RedisLeaseStore.connect(node.url()));
            RedisClient client = RedisClient.create(node.url());
            try {
                closeTwice(RedisLeaseStore.using(client).build());
            } finally {
                client.shutdown();
            }
        } finally {
            System.setErr(before);
        }
        assertThat(written.toString(StandardCharsets.UTF_8)
                        .lines()
                        .filter(line -> line.contains("RedisChannelHandler")))
                .isEmpty();
    }
}
