package dev.tenure.engine;

import dev.tenure.ElectionOptions;
import dev.tenure.log.CoreEvent;
import java.util.function.BooleanSupplier;

/**
 * Asks the health check of a leader's work.
 */
final class Checkup {
    static final String WHERE = "health check of the leader";

    private final BooleanSupplier check;
    private final Participant of;
    private final FaultRow thrown;

    Checkup(ElectionOptions options, Participant of) {
        this.check = options.healthCheck().orElse(() -> true);
        this.of = of;
        this.thrown = new FaultRow(
                WHERE, of.time(), (where, error, log) -> of.fault(CoreEvent.HEALTH_CHECK_FAILED, where, error, log));
    }

    /**
     * On a callback thread; what it throws is no. Only a yes ends a row of what it throws.
     */
    void ask(Role.HealthAnswer answer) {
        of.users().run(null, () -> answer.is(isHealthy()), error -> {
            thrown.add(error);
            answer.is(false);
        });
    }

    private boolean isHealthy() {
        boolean healthy = check.getAsBoolean();
        if (healthy) {
            thrown.over();
        }
        return healthy;
    }
}
