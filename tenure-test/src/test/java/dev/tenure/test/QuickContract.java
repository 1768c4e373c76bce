package dev.tenure.test;

import dev.tenure.spi.BlockingLeaseStore;
import java.time.Duration;
import java.util.function.Function;

/**
 * Fewer rounds, and less patience with stores that hang.
 */
final class QuickContract extends DocumentContract {

    QuickContract(Function<DocumentDb, BlockingLeaseStore> stores) {
        super(stores);
    }

    @Override
    protected int threads() {
        return 8;
    }

    @Override
    protected int rounds() {
        return 50;
    }

    @Override
    protected Duration patience() {
        return Duration.ofSeconds(2);
    }
}
