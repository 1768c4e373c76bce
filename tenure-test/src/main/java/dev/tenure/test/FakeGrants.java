package dev.tenure.test;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;

/**
 * How a grant comes to its end, after or with the leadership.
 */
final class FakeGrants {
    private FakeGrants() {}

    /**
     * The grant is over.
     *
     * @param first what comes before others may learn of it
     */
    static void over(FakeLease lease, ReleaseOutcome outcome, Runnable first) {
        boolean decided = lease.ending().claim(outcome);
        lease.hold().seal();
        first.run();
        lease.signals().lapsed();
        if (decided) {
            lease.ending().tell(outcome);
        }
    }

    /**
     * All user code of the term has returned.
     */
    static void codeEnded(FakeLease lease) {
        if (lease.ending().isOpen()) {
            release(lease);
        }
    }

    static void release(FakeLease lease) {
        over(lease, ReleaseOutcome.RELEASED, () -> {});
    }

    static void leaveToExpire(FakeLease lease) {
        if (lease.self().fencingToken().isEmpty()) { // nothing expires later
            over(lease, ReleaseOutcome.LEFT_TO_EXPIRE, lease.runs()::interrupt);
        } else if (lease.ending().claim(ReleaseOutcome.LEFT_TO_EXPIRE)) {
            lease.runs().interrupt();
            lease.ending().tell(ReleaseOutcome.LEFT_TO_EXPIRE);
        }
    }

    static void cut(FakeLease lease, LossReason detected) {
        boolean late = detected == LossReason.DEADLINE_EXCEEDED;
        ReleaseOutcome outcome = late ? ReleaseOutcome.LEFT_TO_EXPIRE : ReleaseOutcome.NOT_HOLDER;
        over(lease, outcome, lease.runs()::interrupt);
    }
}
