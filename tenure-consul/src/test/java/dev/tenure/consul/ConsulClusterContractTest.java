package dev.tenure.consul;

import dev.tenure.spi.LeaseStore;
import dev.tenure.test.LeaseStoreContract;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on three servers, each request to the next one, so that what one server confirmed is asked of another.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConsulClusterContractTest extends LeaseStoreContract {
    private static final int UNHURRIED = 5;

    private static ConsulCluster cluster;
    private static HttpLink link;

    @BeforeAll
    static void begin() {
        cluster = new ConsulCluster(UNHURRIED).settle();
        link = new HttpLink(cluster.servers());
    }

    @AfterAll
    static void end() {
        if (cluster != null) { // nothing was begun where there is no Consul
            link.close();
            cluster.close();
        }
    }

    @Override
    protected LeaseStore open() {
        return ConsulLeaseStore.builder(link.url())
                .lockDelay(Duration.ofSeconds(1))
                .build();
    }

    @Override
    protected boolean computesTokens() {
        return false;
    }

    @Override
    protected Optional<Runnable> unknownVersion(String key) {
        return Optional.of(() -> cluster.server(0).seize(key, "{\"v\":2,\"name\":\"later\"}"));
    }

    @Override
    protected Optional<Runnable> broken(String key) {
        return Optional.of(() -> cluster.server(0).json("PUT", "/v1/kv/" + key, "damaged"));
    }
}
