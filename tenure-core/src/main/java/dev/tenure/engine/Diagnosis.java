package dev.tenure.engine;

import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether an election works, as far as can be said without asking anybody.
 */
final class Diagnosis {
    private static final long STALL_GRACE = TimeUnit.SECONDS.toNanos(20);

    private Diagnosis() {}

    static ElectorHealth health(Hub hub, Participant of) {
        Election election = of.election();
        Phase phase = election.phase();
        Timing timing = of.timing();
        long now = hub.time().now();
        if (hub.loop().isEnded()) {
            return at(hub, Status.STOPPED, of.statusSince(Status.STOPPED, now), "its Tenure is closed", null);
        }
        long stalled = hub.loop().stalledFor();
        if (stalled > timing.lease() + STALL_GRACE) {
            return at(hub, Status.WEDGED, now - stalled, "the loop has not moved for " + Spans.text(stalled), null);
        }
        if (phase instanceof Leading && now >= phase.deadline()) {
            return pastItsDeadline(hub, phase.deadline(), timing, now);
        }
        if (phase instanceof Leaving leaving && isStuck(timing, leaving, now)) {
            String detail = "work of term " + leaving.term().number() + " has not returned; not standing until it has";
            return at(hub, Status.WORK_STUCK, leaving.since(), detail, null);
        }
        Status status = status(election);
        long since = of.statusSince(status, now);
        Throwable last = election.contact().last();
        return switch (status) {
            case STOPPED -> at(hub, status, since, "does not stand", null);
            case LEADING -> at(hub, status, since, leading((Leading) phase), null);
            case FENCING_REGRESSED -> at(hub, status, since, regressed(election), last);
            case MISCONFIGURED -> at(hub, status, since, failing("the store refuses this client", election, now), last);
            case UNREACHABLE -> at(hub, status, since, failing("no answer", election, now), last);
            default -> at(hub, status, since, following(of, election), null);
        };
    }

    /**
     * What does not depend on the time.
     */
    static Status status(Election election) {
        Phase phase = election.phase();
        Contact contact = election.contact();
        if (phase instanceof Idle) {
            return Status.STOPPED; // nobody asks the store: what it said last is old
        }
        if (phase instanceof Leaving) {
            return Status.FOLLOWING; // the same
        }
        if (election.regressed() || contact.last() instanceof TokenImplausibleException) {
            return Status.FENCING_REGRESSED;
        }
        if (contact.isFailing()) {
            return contact.last() instanceof StoreRejectedException ? Status.MISCONFIGURED : Status.UNREACHABLE;
        }
        return phase instanceof Leading ? Status.LEADING : Status.FOLLOWING;
    }

    private static ElectorHealth pastItsDeadline(Hub hub, long deadline, Timing timing, long now) {
        long past = now - deadline;
        return past > timing.lease() + STALL_GRACE
                ? at(hub, Status.WEDGED, deadline, "leads past its deadline for " + Spans.text(past), null)
                : at(hub, Status.FOLLOWING, deadline, "its deadline has passed", null);
    }

    /**
     * Whether it would stand again by now.
     */
    private static boolean isStuck(Timing timing, Leaving leaving, long now) {
        return leaving.isStuck() && now - leaving.since() > timing.retry() + timing.jitter();
    }

    private static String leading(Leading phase) {
        return phase.term().isCoordinated()
                ? "leads with token " + phase.term().token()
                : "leads on a store that does not coordinate, as others may";
    }

    private static String regressed(Election election) {
        Throwable last = election.contact().last();
        String message = last == null ? null : last.getMessage();
        return message != null
                ? message
                : "granted a token that is not above " + election.highest() + ", seen before; after a check:"
                        + " tenure fence accept";
    }

    private static String failing(String how, Election election, long now) {
        String detail = how + ", attempts=" + election.contact().failures() + ", last: "
                + election.contact().last();
        return election.phase() instanceof Leading leading
                ? detail + "; leads on for at most " + Spans.text(leading.deadline() - now)
                : detail;
    }

    private static String following(Participant of, Election election) {
        Phase phase = election.phase();
        if (phase instanceof Draining || phase instanceof Releasing) {
            return "gave leadership up; " + (phase instanceof Draining ? "work drains" : "the record is released");
        }
        if (phase instanceof Leaving) {
            return "its term has ended; its work returns, or its grant runs out";
        }
        if (!of.timing().coordinated()) {
            return "the store does not coordinate, so this instance does not lead (whenUncoordinated)";
        }
        String who = of.leader()
                .map(leader -> leader.name() + " leads")
                .orElse("an election is going on: nobody is known to lead");
        int failures = election.workFailures();
        return failures == 0 ? who : who + "; leader work failed here, times in a row=" + failures;
    }

    private static ElectorHealth at(Hub hub, Status status, long since, String detail, @Nullable Throwable error) {
        Instant now = Instant.ofEpochMilli(hub.time().wallMillis());
        Instant began = now.minusNanos(Math.max(0, hub.time().now() - since));
        return new ElectorHealth(status, began, detail, Optional.ofNullable(error));
    }
}
