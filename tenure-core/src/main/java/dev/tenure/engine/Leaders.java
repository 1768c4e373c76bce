package dev.tenure.engine;

import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.util.Optional;

/**
 * Records as applications see them.
 */
final class Leaders {
    private Leaders() {}

    static Leader of(String role, LeaseRecord record) {
        Optional<FencingToken> token =
                record.token() > 0 ? Optional.of(new FencingToken(role, record.token())) : Optional.empty();
        return new Leader(role, record.holder().name(), record.holder().metadata(), token);
    }

    /**
     * In nanoseconds, at most a year.
     */
    static long remaining(LeaseRecord record) {
        Duration left = record.remaining();
        return left.compareTo(Duration.ofDays(365)) > 0 ? Duration.ofDays(365).toNanos() : left.toNanos();
    }
}
