package dev.tenure.engine;

import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.ElectionMonitor.Outcome;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a candidate does: stands, asks, takes the answer.
 */
abstract class CandidateTurn extends TurnState {
    CandidateTurn(Election before, long now) {
        super(before, now);
    }

    void standFrom(long at) {
        if (!timing().coordinated()) {
            standUncoordinated(at);
            return;
        }
        phase = new Waiting(candidate.incarnation(++names), Long.MIN_VALUE, at, at);
    }

    private void standUncoordinated(long at) {
        if (!timing().leadUncoordinated()) {
            denied = true;
            phase = new Waiting("none", Long.MIN_VALUE, Time.NEVER, Time.NEVER);
            if (candidate.once() != null && candidate.once().single()) {
                giveUp();
            }
        } else if (now >= at) {
            Term term = new Term(++terms, "none", 0, now);
            begin(term, Time.NEVER, Renewal.due(Time.NEVER, now));
        } else {
            phase = new Waiting("none", Long.MIN_VALUE, at, at);
        }
    }

    void stop() {
        standing = false;
        phase = Idle.INSTANCE;
        effect(new Effect.Stopped());
    }

    void ask(String incarnation, long doubtUntil) {
        if (!timing().coordinated()) {
            standUncoordinated(now);
            return;
        }
        Call call = call(Call.Kind.ACQUIRE, incarnation, 0);
        phase = new Asking(call, doubtUntil, now + timing().call(), false);
    }

    /**
     * Whether a single acquisition has waited for as long as it wanted.
     */
    boolean isOverdue() {
        return candidate.once() != null && now >= candidate.once().until();
    }

    /**
     * Ends a single acquisition by what was answered last.
     */
    void giveUp() {
        Throwable last = contact.last();
        giveUp(
                denied
                        ? null
                        : last != null ? last : new StoreUnavailableException("the store has not answered yet", null));
    }

    private void giveUp(@Nullable Throwable error) {
        effect(new Effect.GiveUp(Optional.ofNullable(error)));
        stop();
    }

    void granted(Call call, Granted granted) {
        storeAnswered();
        heed(granted.accepted());
        Term term = new Term(terms + 1, call.incarnation(), granted.token(), now);
        long deadline = timing().deadline(call.sentAt());
        boolean old = granted.token() <= highest;
        if (now >= deadline || (old && !isNewest(call))) {
            highest = Math.max(highest, granted.token());
            late(call, granted.token());
        } else if (old && !timing().acceptRegression()) {
            regressed(call, granted.token());
        } else {
            highest = granted.token();
            regressed = false;
            terms++;
            effect(new Effect.AcquireFinished(Outcome.SUCCEEDED, call));
            begin(term, deadline, Renewal.due(timing().nextRenewal(call.sentAt(), deadline, now), call.sentAt()));
        }
    }

    /**
     * Whether no other acquisition was sent after it: an answer to an older one says nothing about the store now.
     */
    private boolean isNewest(Call call) {
        return phase instanceof Asking asking && asking.call().id() == call.id();
    }

    /**
     * An operator's new mark makes this side forget higher tokens, once.
     */
    private void heed(long accepted) {
        if (accepted > 0 && accepted != acceptedMark) {
            acceptedMark = accepted;
            highest = Math.min(highest, accepted);
        }
    }

    private void regressed(Call call, long token) {
        boolean told = regressed;
        regressed = true;
        effect(new Effect.AcquireFinished(Outcome.REFUSED, call));
        if (!told) {
            effect(new Effect.TokenRegressed(token, highest));
        }
        orphanGranted(call, token);
        if (candidate.once() != null) {
            giveUp(new StoreRejectedException(
                    "token " + token + " is not above " + highest
                            + ", seen before: the store was restored or exchanged; repair with: tenure fence accept",
                    null));
        } else {
            standFrom(now + Timing.REGRESSED_RETRY);
        }
    }

    /**
     * The grant came when its deadline had passed.
     */
    private void late(Call call, long token) {
        effect(new Effect.AcquireFinished(Outcome.FAILED, call));
        if (phase instanceof Asking asking && asking.call().id() != call.id()) {
            abandon(asking); // a later request of the same incarnation is under way
        } else {
            orphanGranted(call, token);
        }
        if (candidate.once() != null && candidate.once().single()) {
            giveUp(noAnswer());
        } else {
            standFrom(now + timing().retry() + draw(timing().jitter()));
        }
    }

    private void begin(Term term, long deadline, Renewal renewal) {
        denied = false;
        phase = new Leading(term, deadline, renewal, Health.FINE, now + timing().startDelay());
        effect(new Effect.Begin(term, deadline));
    }

    void denied(Asking asking, Denied answer) {
        observe(answer);
        denied = true;
        effect(new Effect.AcquireFinished(Outcome.REFUSED, asking.call()));
        if (candidate.once() != null && candidate.once().single()) {
            abandon(asking.call().incarnation(), asking.doubtUntil());
            giveUp();
            return;
        }
        long poll = timing().retry() + draw(timing().jitter());
        long wait = answer.retryAfter()
                .map(after -> timing().afterDenial(nanos(after)))
                .orElse(poll);
        if (!timing().pushed()) {
            wait = Math.min(wait, poll);
        }
        long soonest = timing().shortestDenial();
        if (asking.hinted()) {
            wait = Math.min(wait, soonest + draw(timing().spread()));
        }
        phase = new Waiting(asking.call().incarnation(), asking.doubtUntil(), now + wait, now + soonest);
    }

    private static long nanos(Duration span) {
        return span.compareTo(Duration.ofDays(365)) > 0 ? Timing.LONGEST_DENIAL : Math.max(0, span.toNanos());
    }

    void acquireFailed(Asking asking, Throwable error, boolean storeEverAnswered) {
        storeFailed(error);
        denied = false;
        effect(new Effect.AcquireFinished(Outcome.FAILED, asking.call()));
        boolean implausible = error instanceof TokenImplausibleException;
        boolean rejected = implausible || error instanceof StoreRejectedException;
        long doubt =
                Math.max(asking.doubtUntil(), timing().doubtUntil(asking.call().sentAt()));
        Once once = candidate.once();
        if (once != null && (once.single() || !once.waitsThrough(storeEverAnswered, rejected))) {
            abandon(asking.call().incarnation(), doubt);
            giveUp(error);
            return;
        }
        long pause = implausible
                ? Timing.REGRESSED_RETRY
                : rejected
                        ? timing().rejectionBackoff(contact.failures() - 1)
                        : timing().retry() + draw(timing().jitter());
        phase = new Waiting(asking.call().incarnation(), doubt, now + pause, now + timing().shortestRetry());
    }
}
