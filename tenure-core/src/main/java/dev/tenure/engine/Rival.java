package dev.tenure.engine;

import dev.tenure.Leader;
import dev.tenure.spi.LeaseRecord;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who leads instead, as the store told a candidate last. Written on the loop, readable from anywhere.
 */
final class Rival {
    private final String role;
    private final Hub hub;
    private volatile @Nullable Sighting last;
    private boolean sameNameTold;

    private record Sighting(LeaseRecord record, long until) {}

    Rival(String role, Hub hub) {
        this.role = role;
        this.hub = hub;
    }

    /**
     * Empty once the record has run out.
     */
    Optional<Leader> leader() {
        Sighting seen = last;
        return seen == null || seen.until() <= hub.time().now()
                ? Optional.empty()
                : Optional.of(Leaders.of(role, seen.record()));
    }

    /**
     * @param callLimit the candidate asks when the record ends: what it knew holds until that can be answered
     */
    void seen(LeaseRecord record, long callLimit) {
        last = new Sighting(record, Time.plus(hub.time().now(), Leaders.remaining(record) + callLimit));
        if (!sameNameTold
                && record.holder().name().equals(hub.instance())
                && !hub.isOwn(record.holder().incarnation())) {
            sameNameTold = true;
            hub.log().sameName(role, hub.instance());
        }
    }

    void forget() {
        last = null;
    }
}
