package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.ElectionMonitor.Outcome;

/**
 * One application of the transition function, with what a leader does: renews, ends its term, gives it back.
 */
final class Turn extends CandidateTurn {
    private static final int MOST_DUE = 100;

    private Turn(Election before, long now) {
        super(before, now);
    }

    /**
     * First the time is judged, then the event taken, then done what is due.
     */
    static Step apply(Election election, Event event, long now) {
        Turn turn = new Turn(election, now);
        if (now >= turn.phase.deadline()) {
            turn.phase.expire(turn);
        }
        turn.noteContact(event);
        if (!turn.orphans.take(event)) {
            turn.phase.on(turn, event);
        }
        turn.orphans.due();
        turn.due();
        turn.orphans.due(); // what has just been abandoned
        return turn.end();
    }

    @SuppressWarnings("ReferenceEquality") // the same object: nothing was due
    private void due() {
        for (int i = 0; i < MOST_DUE; i++) {
            Phase before = phase;
            phase.due(this);
            if (phase == before) {
                return;
            }
        }
        throw new IllegalStateException("always something due: " + phase);
    }

    /**
     * An answer that belongs to nothing here any more.
     */
    void takeStray(Event event) {
        if (event instanceof Event.Acquired answer) {
            sortGrant(answer, null);
        } else if (event instanceof Event.Renewed answer) {
            storeAnswered();
            releaseLate(answer);
        } else if (event instanceof Event.End) {
            settle(null, ReleaseOutcome.NOT_HOLDER, now);
        } else if (event instanceof Event.Stand) {
            standing = candidate.once() == null;
        }
    }

    Renewal renew(Term term) {
        Call call = call(Call.Kind.RENEW, term.incarnation(), term.token());
        return Renewal.due(Time.NEVER, now).asking(call, now + timing().call());
    }

    Renewal renewalFailed(Term term, long deadline, Renewal renewal, Throwable error) {
        storeFailed(error);
        if (renewal.asked() != null) {
            effect(new Effect.RenewFinished(term, Outcome.FAILED, renewal.asked(), deadline - now));
        }
        return Renewal.due(now + timing().renewalRetry(deadline - now), renewal.sentAt());
    }

    /**
     * Moves the deadline by a confirmed request, never back.
     */
    long extend(Term term, long deadline, Call confirmed) {
        storeAnswered();
        long extended = timing().deadline(confirmed.sentAt());
        if (extended <= deadline) {
            return deadline;
        }
        effect(new Effect.Extend(term, extended));
        return extended;
    }

    /**
     * What is due after a confirmed request: nothing new while a later one is under way.
     */
    Renewal afterConfirmed(Renewal renewal, Call confirmed, long deadline) {
        if (renewal.asked() != null && !renewal.isAsked(confirmed)) {
            return renewal;
        }
        long sentAt = Math.max(renewal.sentAt(), confirmed.sentAt());
        Renewal next = Renewal.due(timing().nextRenewal(timing().sentAtOf(deadline), deadline, now), sentAt);
        return renewal.hinted() ? next.hinted(now, timing().shortestHint()) : next;
    }

    void lose(Leading from, LossReason reason) {
        effect(new Effect.Lose(from.term(), reason, true, from.deadline()));
        effect(new Effect.Interrupt(from.term()));
        effect(new Effect.Lapse(from.term()));
        workFailures = reason == LossReason.WORK_FAILED ? workFailures + 1 : 0;
        phase = Leaving.lost(from.term(), reason, now, from.deadline());
    }

    void drain(Leading from, LossReason reason) {
        workFailures = 0;
        joinEnd(reason);
        phase = new Draining(
                from.term(),
                from.deadline(),
                from.renewal(),
                reason,
                now,
                now + timing().longestDrain(),
                now + timing().interruptAfter());
        effect(new Effect.Lose(from.term(), reason, false, from.deadline()));
    }

    /**
     * An end is asked for while one is under way already.
     */
    void joinEnd(LossReason reason) {
        if (reason == LossReason.STOPPED) {
            standing = false;
        }
    }

    /**
     * The grant ended while work drained.
     */
    void cut(Draining from, ReleaseOutcome outcome) {
        effect(new Effect.Seal(from.term()));
        effect(new Effect.Interrupt(from.term()));
        effect(new Effect.Lapse(from.term()));
        settle(from.term(), outcome, from.since());
        phase = Leaving.cut(from);
    }

    void leaveToExpire(Draining from) {
        effect(new Effect.Interrupt(from.term()));
        if (!from.term().isCoordinated()) { // nothing expires later
            effect(new Effect.Seal(from.term()));
            effect(new Effect.Lapse(from.term()));
        }
        settle(from.term(), ReleaseOutcome.LEFT_TO_EXPIRE, from.since());
        phase = Leaving.leftToExpire(from);
    }

    /**
     * Frees the record; nothing of the lease remains from here on.
     */
    void release(Term term, long deadline, LossReason reason, long since, long giveUpAt) {
        effect(new Effect.Seal(term));
        if (term.isCoordinated()) {
            phase = new Releasing(term, deadline, reason, since, giveUpAt, null, Time.NEVER, now);
        } else {
            effect(new Effect.Lapse(term));
            settle(term, ReleaseOutcome.RELEASED, since);
            afterTerm(reason);
        }
    }

    /**
     * When the store has let a grant expire whose deadline this is.
     */
    long expiry(long deadline) {
        return Time.plus(deadline, timing().margin());
    }

    void afterTerm(LossReason reason) {
        if (!standing || candidate.once() != null) {
            stop();
            return;
        }
        long jitter = draw(timing().jitter());
        long pause = timing().retry() + jitter;
        if (reason.isVoluntary()) {
            pause = timing().afterYielding(jitter);
        } else if (reason == LossReason.WORK_FAILED) {
            pause = timing().afterFailure(workFailures - 1, jitter);
        }
        standFrom(now + pause);
    }
}
