package dev.tenure.schedule;

import dev.tenure.Lease;
import dev.tenure.engine.SameTerm;
import dev.tenure.engine.ScheduleHost;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Knows since when the present term runs.
 */
final class Terms {
    private final ScheduleHost host;
    private final AtomicReference<@Nullable Term> last = new AtomicReference<>();

    /**
     * @param beganAt when it was first seen, on the monotonic clock
     */
    record Term(Lease lease, long beganAt) {}

    Terms(ScheduleHost host) {
        this.host = host;
    }

    /**
     * The term while its lease is held.
     */
    @Nullable
    Term current() {
        while (true) {
            Lease held = host.held();
            if (held == null) {
                return null;
            }
            Term known = last.get();
            if (known != null && SameTerm.is(known.lease(), held)) {
                return known;
            }
            Term begun = new Term(held, host.time().now());
            if (last.compareAndSet(known, begun)) {
                return begun;
            }
        }
    }
}
