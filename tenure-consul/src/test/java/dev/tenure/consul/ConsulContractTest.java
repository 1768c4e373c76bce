package dev.tenure.consul;

import dev.tenure.spi.LeaseStore;
import dev.tenure.test.LeaseStoreContract;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on one agent. Leases are of 10 s, and end after up to 20 s and a lock delay, so that tests wait side by
 * side.
 */
@Execution(ExecutionMode.CONCURRENT)
class ConsulContractTest extends LeaseStoreContract {
    @Override
    protected LeaseStore open() {
        return ConsulLeaseStore.builder(ConsulAgent.shared().url())
                .lockDelay(Duration.ofSeconds(1))
                .build();
    }

    @Override
    protected boolean computesTokens() {
        return false;
    }

    @Override
    protected Optional<Runnable> unknownVersion(String key) {
        return Optional.of(() -> ConsulAgent.shared().seize(key, "{\"v\":2,\"name\":\"later\"}"));
    }

    @Override
    protected Optional<Runnable> broken(String key) {
        return Optional.of(() -> ConsulAgent.shared().json("PUT", "/v1/kv/" + key, "damaged"));
    }
}
