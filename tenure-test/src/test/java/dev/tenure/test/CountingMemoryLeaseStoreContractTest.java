package dev.tenure.test;

import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.memory.TokenMode;
import dev.tenure.spi.LeaseStore;
import java.time.Duration;

class CountingMemoryLeaseStoreContractTest extends LeaseStoreContract {
    private final FakeTime time = new FakeTime();
    private final MemoryLeaseStore data = new MemoryLeaseStore(time::nanos, time::wall, TokenMode.COUNTER);

    @Override
    protected LeaseStore open() {
        return data.another();
    }

    @Override
    protected void pass(Duration duration) {
        time.pass(duration);
    }

    @Override
    protected boolean exactTime() {
        return true;
    }

    @Override
    protected boolean countsByOne() {
        return true;
    }
}
