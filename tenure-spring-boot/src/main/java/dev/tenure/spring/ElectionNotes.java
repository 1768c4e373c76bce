package dev.tenure.spring;

import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.spi.ElectionMonitor;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps of each role what happened last, for the endpoint.
 */
final class ElectionNotes implements ElectionMonitor {
    private final Map<String, Loss> losses = new ConcurrentHashMap<>();
    private final Map<String, Instant> answers = new ConcurrentHashMap<>();

    /**
     * The end of a term of this instance.
     */
    record Loss(long term, LossReason reason, Instant at, Duration held) {}

    @Override
    public void acquireFinished(String role, Outcome outcome, Duration took) {
        answered(role, outcome);
    }

    @Override
    public void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
        answered(lease.role(), outcome);
    }

    private void answered(String role, Outcome outcome) {
        if (outcome != Outcome.FAILED) {
            answers.put(role, Instant.now());
        }
    }

    @Override
    public void lost(Lease lease, LossReason reason, Duration held) {
        losses.put(lease.role(), new Loss(lease.term(), reason, Instant.now(), held));
    }

    Optional<Loss> lastLoss(String role) {
        return Optional.ofNullable(losses.get(role));
    }

    /**
     * When the store last answered, whatever it said.
     */
    Optional<Instant> lastAnswer(String role) {
        return Optional.ofNullable(answers.get(role));
    }
}
