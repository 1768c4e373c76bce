package dev.tenure.test;

import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.spi.LeaseStore;
import java.time.Duration;

/**
 * On the system's clocks, as {@link dev.tenure.LeaseStores#inMemory()} has it: also shows that the contract's own waits
 * suffice.
 */
class RealTimeMemoryLeaseStoreContractTest extends LeaseStoreContract {
    private final MemoryLeaseStore data = new MemoryLeaseStore();

    @Override
    protected LeaseStore open() {
        return data.another();
    }

    @Override
    protected Duration lease() {
        return Duration.ofSeconds(1);
    }
}
