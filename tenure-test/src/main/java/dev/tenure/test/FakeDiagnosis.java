package dev.tenure.test;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.Lease;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a double says about itself.
 */
final class FakeDiagnosis {
    /**
     * Of the store that there is not.
     */
    static final StoreTraits TRAITS = StoreTraits.builder("a test double", StoreTraits.Scope.PROCESS)
            .expiryClock(StoreTraits.ExpiryClock.MONOTONIC)
            .tokenSource("counted by one, unless the test says otherwise")
            .build();

    private FakeDiagnosis() {}

    static ElectorHealth health(FakeCandidate candidate, ElectionOptions options, long now) {
        return candidate.health().orElseGet(() -> {
            Optional<FakeLease> last = candidate.present();
            if (!candidate.isStanding()) {
                return at(Status.STOPPED, now, "does not stand");
            }
            return last.map(lease -> ofTerm(lease, options, now)).orElseGet(() -> at(Status.FOLLOWING, now, "stands"));
        });
    }

    private static ElectorHealth ofTerm(FakeLease lease, ElectionOptions options, long now) {
        if (lease.isHeldNow()) {
            long token = lease.self().fencingToken().map(FencingToken::value).orElse(0L);
            return at(Status.LEADING, lease.beganAt(), "leads with token " + token);
        }
        long since = lease.ending().since();
        if (lease.ending().isOpen() && lease.hold().left() > 0) {
            return at(Status.FOLLOWING, since, "gave leadership up; work drains");
        }
        long again = options.retryInterval().plus(options.retryJitter()).toNanos();
        if (lease.runs().isRunning() && now - since > again) {
            String detail = "work of term " + lease.term() + " has not returned; not standing until it has";
            return at(Status.WORK_STUCK, since, detail);
        }
        return at(Status.FOLLOWING, now, "stands");
    }

    private static ElectorHealth at(Status status, long since, String detail) {
        return new ElectorHealth(status, FakeClock.wall(Math.max(0, since)), detail, Optional.empty());
    }

    static ElectionDescription describe(FakeFace elector, ElectionOptions options) {
        Optional<Lease> lease = elector.lease();
        Duration worst = TRAITS.worstCaseTakeover(options);
        return new ElectionDescription(
                elector.role(),
                elector.key(),
                elector.health(),
                TRAITS.name(),
                TRAITS,
                elector.isCoordinated(),
                elector.term(),
                lease.flatMap(own -> elector.leader()).flatMap(Leader::fencingToken),
                lease.map(Lease::remaining).orElse(Duration.ZERO),
                options,
                worst,
                lines(elector, options, worst));
    }

    private static List<String> lines(FakeFace elector, ElectionOptions options, Duration worst) {
        List<String> lines = new ArrayList<>();
        lines.add("role " + elector.role() + " is key " + elector.key() + " (keyFormat, key) on " + TRAITS.name());
        lines.add("a test decides who leads");
        lines.addAll(options.explain());
        lines.add("after a crash another leads within " + worst + " (lease, store)");
        return lines;
    }
}
