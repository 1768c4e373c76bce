package dev.tenure.test;

import dev.tenure.spi.BlockingLeaseStore;
import java.time.Duration;
import java.util.function.Function;

/**
 * Fewer rounds.
 */
final class QuickContract extends DocumentContract {
    private final Duration patience;

    private QuickContract(Function<DocumentDb, BlockingLeaseStore> stores, Duration patience) {
        super(stores);
        this.patience = patience;
    }

    /**
     * With little patience: what hangs is a failure.
     */
    static QuickContract ofABroken(Function<DocumentDb, BlockingLeaseStore> stores) {
        return new QuickContract(stores, Duration.ofSeconds(2));
    }

    /**
     * With as much as a busy machine needs.
     */
    static QuickContract ofASound(Function<DocumentDb, BlockingLeaseStore> stores) {
        return new QuickContract(stores, Duration.ofMinutes(1));
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
        return patience;
    }
}
