package dev.tenure.redis;

import dev.tenure.spi.LeaseStore;
import dev.tenure.test.LeaseStoreContract;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract, and how to damage a record. Tests wait side by side.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class ServerContract extends LeaseStoreContract {
    abstract String url();

    /**
     * The node that has a record, for writing to it by hand.
     */
    abstract RedisNode nodeOf(String record);

    /**
     * The store's options.
     */
    Map<String, String> options() {
        return Map.of();
    }

    String record(String key) {
        return "tenure:lock:" + key;
    }

    @Override
    protected LeaseStore open() {
        return RedisLeaseStore.builder(url()).options(options()).build();
    }

    /**
     * Longer than by default: the tests wait side by side.
     */
    @Override
    protected Duration lease() {
        return Duration.ofSeconds(3);
    }

    @Override
    protected Optional<Runnable> unknownVersion(String key) {
        String record = record(key);
        return Optional.of(() -> {
            nodeOf(record).command("HSET", record, "v", "2", "name", "later");
            nodeOf(record).command("PEXPIRE", record, "600000");
        });
    }

    @Override
    protected Optional<Runnable> broken(String key) {
        String record = record(key);
        return Optional.of(() -> nodeOf(record).command("SET", record, "damaged", "PX", "600000"));
    }
}
