package dev.tenure.spring;

import dev.tenure.ElectorHealth;
import dev.tenure.LeaderElector;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Whether the elections work, not whether they are won: a follower is up. A loop that does not move, a store that refuses
 * this client or went back in time, and work that does not end are down; a store that does not answer is what the
 * application says it is.
 */
final class LeadershipHealthIndicator implements HealthIndicator {
    private static final List<String> WORST_FIRST = List.of("DOWN", "OUT_OF_SERVICE", "UNKNOWN", "UP");

    private final Electors electors;
    private final Status unreachable;

    LeadershipHealthIndicator(Electors electors, TenureProperties.Unreachable unreachable) {
        this.electors = electors;
        this.unreachable = new Status(unreachable.name());
    }

    @Override
    public Health health() {
        Status worst = Status.UP;
        Map<String, Object> details = new LinkedHashMap<>();
        for (LeaderElector elector : electors.all()) {
            ElectorHealth health = elector.health();
            Status status = of(health.status());
            if (rank(status) < rank(worst)) {
                worst = status;
            }
            details.put(
                    elector.role(),
                    Map.of(
                            "status",
                            health.status().name(),
                            "since",
                            health.since().toString(),
                            "detail",
                            health.detail()));
        }
        return Health.status(worst).withDetails(details).build();
    }

    private Status of(ElectorHealth.Status status) {
        return switch (status) {
            case STOPPED, LEADING, FOLLOWING -> Status.UP;
            case UNREACHABLE -> unreachable;
            case MISCONFIGURED, FENCING_REGRESSED, WORK_STUCK, WEDGED -> Status.DOWN;
        };
    }

    private static int rank(Status status) {
        return WORST_FIRST.indexOf(status.getCode());
    }
}
