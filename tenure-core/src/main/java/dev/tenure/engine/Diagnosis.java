package dev.tenure.engine;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.ElectorHealth.Status;
import dev.tenure.FencingToken;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * What can be said about an election without asking anybody.
 */
final class Diagnosis {
    private static final long STALL_GRACE = TimeUnit.SECONDS.toNanos(20);

    private Diagnosis() {}

    static ElectorHealth health(Hub hub, Participant of) {
        Election election = of.election();
        long now = hub.time().now();
        if (hub.loop().isEnded()) {
            return at(Status.STOPPED, 0, "its Tenure is closed", Optional.empty());
        }
        long stalled = hub.loop().stalledFor();
        if (stalled > of.timing().lease() + STALL_GRACE) {
            return at(Status.WEDGED, stalled, "the loop has not moved for " + seconds(stalled), Optional.empty());
        }
        Phase phase = election.phase();
        if (phase instanceof Leading
                && now > Time.plus(phase.deadline(), of.timing().lease() + STALL_GRACE)) {
            long past = now - phase.deadline();
            return at(Status.WEDGED, past, "leads past its deadline for " + seconds(past), Optional.empty());
        }
        if (phase instanceof Idle || phase instanceof Leaving) {
            return ofPhase(election, now); // nobody asks the store: what it said last is old
        }
        Contact contact = election.contact();
        Optional<Throwable> error = Optional.ofNullable(contact.last());
        if (election.regressed() || contact.last() instanceof TokenImplausibleException) {
            String detail = error.map(Throwable::getMessage)
                    .orElse("granted a token that is not above " + election.highest() + ", seen before");
            return at(Status.FENCING_REGRESSED, 0, detail, error);
        }
        if (contact.isFailing()) {
            boolean rejected = contact.last() instanceof StoreRejectedException;
            Status status = rejected ? Status.MISCONFIGURED : Status.UNREACHABLE;
            String detail = (rejected ? "the store refuses this client, attempts=" : "no answer, attempts=")
                    + contact.failures() + ", last: " + contact.last();
            return at(status, now - contact.failingSince(), detail, error);
        }
        return ofPhase(election, now);
    }

    private static ElectorHealth ofPhase(Election election, long now) {
        Phase phase = election.phase();
        if (phase instanceof Leading leading) {
            String detail = "leads with token " + leading.term().token();
            return at(Status.LEADING, now - leading.term().beganAt(), detail, Optional.empty());
        }
        if (phase instanceof Draining draining) {
            String detail = "gave leadership up; work drains";
            return at(Status.FOLLOWING, now - draining.since(), detail, Optional.empty());
        }
        if (phase instanceof Leaving leaving && isStuck(election, leaving, now)) {
            String detail = "work of term " + leaving.term().number() + " has not returned; not standing until it has";
            return at(Status.WORK_STUCK, now - leaving.since(), detail, Optional.empty());
        }
        if (phase instanceof Idle) {
            return at(Status.STOPPED, 0, "does not stand", Optional.empty());
        }
        return at(Status.FOLLOWING, 0, "stands", Optional.empty());
    }

    /**
     * Whether it would stand again by now.
     */
    private static boolean isStuck(Election election, Leaving leaving, long now) {
        Timing timing = election.candidate().timing();
        return leaving.isStuck() && now - leaving.since() > timing.retry() + timing.jitter();
    }

    private static ElectorHealth at(Status status, long ago, String detail, Optional<Throwable> error) {
        return new ElectorHealth(status, SystemTime.wall().minusNanos(ago), detail, error);
    }

    private static String seconds(long nanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nanos) + " s";
    }

    static ElectionDescription describe(
            Hub hub, EngineElector elector, ElectionOptions options, Optional<FencingToken> token, Duration remaining) {
        StoreTraits traits = hub.store().traits();
        Duration worst = traits.worstCaseTakeover(options);
        List<String> lines = List.of(
                "role " + elector.role() + " is key " + elector.key() + " (keyFormat, key) on " + traits.name(),
                elector.isCoordinated()
                        ? "at most one instance leads while clocks and store behave; the fencing token covers the rest"
                        : "this store does not coordinate: leading says nothing about other instances"
                                + " (whenUncoordinated)",
                "a grant lasts " + options.lease() + " (lease) and is given up " + options.safetyMargin()
                        + " earlier (safetyMargin)",
                "it is renewed every " + options.renewInterval() + " (renewInterval), each call waits "
                        + options.callTimeout() + " (callTimeout)",
                "a follower asks every " + options.retryInterval() + " to "
                        + options.retryInterval().plus(options.retryJitter()) + " (retryInterval, retryJitter)",
                "after a crash another leads within " + worst + " (lease, store)",
                "tokens: " + traits.tokenSource());
        return new ElectionDescription(
                elector.role(),
                elector.key(),
                elector.health(),
                elector.isCoordinated(),
                elector.term(),
                token,
                remaining,
                options,
                worst,
                lines);
    }
}
