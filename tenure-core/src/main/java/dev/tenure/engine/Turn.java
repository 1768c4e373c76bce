package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.ElectionMonitor.Outcome;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One application of the transition function: the election while it changes, and what phases do alike. Lives on one
 * thread for the length of a call.
 */
final class Turn {
    final long now;
    final Candidate candidate;
    final Orphans orphans;
    Phase phase;
    boolean standing;
    boolean everAnswered;

    private final List<Effect> effects = new ArrayList<>(4);
    private final Election before;
    private long terms;
    private long names;
    private long calls;
    private long highest;
    private long acceptedMark;
    private boolean denied;
    private boolean regressed;
    private Contact contact;
    private long dice;
    private int workFailures;

    private Turn(Election before, long now) {
        this.before = before;
        this.now = now;
        candidate = before.candidate();
        phase = before.phase();
        standing = before.standing();
        terms = before.terms();
        names = before.names();
        calls = before.calls();
        highest = before.highest();
        acceptedMark = before.acceptedMark();
        everAnswered = before.answered();
        denied = before.denied();
        regressed = before.regressed();
        contact = before.contact();
        orphans = new Orphans(this, before.orphans());
        dice = before.dice();
        workFailures = before.workFailures();
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
        Phase settled;
        do {
            settled = turn.phase;
            turn.phase.due(turn);
        } while (turn.phase != settled);
        return turn.end();
    }

    private Step end() {
        Election next = new Election(
                candidate,
                phase,
                standing,
                terms,
                names,
                calls,
                highest,
                acceptedMark,
                everAnswered,
                denied,
                regressed,
                contact,
                orphans.list(),
                dice,
                workFailures);
        return new Step(next.equals(before) ? before : next, effects);
    }

    private void noteContact(Event event) {
        if (event instanceof Event.Tick tick) {
            everAnswered |= tick.everAnswered();
        } else if (event instanceof Event.Failed failed) {
            everAnswered |= failed.everAnswered();
        }
    }

    Timing timing() {
        return candidate.timing();
    }

    void effect(Effect effect) {
        effects.add(effect);
    }

    /**
     * A random span below {@code most}.
     */
    long draw(long most) {
        dice += 0x9E3779B97F4A7C15L;
        long mixed = (dice ^ (dice >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        mixed ^= mixed >>> 31;
        return most <= 0 ? 0 : Math.floorMod(mixed, most);
    }

    Call call(Call.Kind kind, String incarnation, long token) {
        Call call = new Call(++calls, kind, incarnation, token, highest, now);
        effect(new Effect.Send(call));
        return call;
    }

    Throwable noAnswer() {
        return new StoreUnavailableException(
                "no answer from the store within "
                        + Duration.ofNanos(timing().call()).toMillis() + " ms",
                null);
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

    /**
     * The record was prolonged after this side had given it up.
     */
    void releaseLate(Event.Renewed answer) {
        Call call = answer.call();
        if (answer.result() == RenewResult.RENEWED) {
            long until = call.sentAt() + timing().lease();
            orphan(Orphan.granted(call.incarnation(), call.token(), until, now, releaseRetry()));
        }
    }

    // standing

    void standFrom(long at) {
        if (!timing().coordinated()) {
            standUncoordinated(at);
            return;
        }
        phase = new Waiting(candidate.nonce() + "-" + ++names, Long.MIN_VALUE, at, at);
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
        giveUp(denied ? null : last != null ? last : noAnswer());
    }

    private void giveUp(@Nullable Throwable error) {
        effect(new Effect.GiveUp(Optional.ofNullable(error)));
        stop();
    }

    /**
     * Frees what an incarnation may have been granted.
     */
    void abandon(String incarnation, long doubtUntil) {
        if (now < doubtUntil) {
            orphan(Orphan.unanswered(incarnation, 0, doubtUntil, now, releaseRetry()));
        }
    }

    /**
     * The same while a request is under way.
     */
    void abandon(Asking from) {
        Call call = from.call();
        long awaited = now < from.doubtUntil() ? 0 : call.id();
        long until = Math.max(from.doubtUntil(), timing().doubtUntil(call.sentAt()));
        orphan(Orphan.unanswered(call.incarnation(), awaited, until, now, releaseRetry()));
    }

    void granted(Call call, Granted granted) {
        storeAnswered();
        heed(granted.accepted());
        Term term = new Term(terms + 1, call.incarnation(), granted.token(), now);
        long deadline = timing().deadline(call.sentAt());
        if (granted.token() <= highest && !timing().acceptRegression()) {
            regressed(call, granted.token());
        } else if (now >= deadline) {
            highest = granted.token();
            late(call, granted.token());
        } else {
            highest = granted.token();
            regressed = false;
            terms++;
            effect(new Effect.AcquireFinished(Outcome.SUCCEEDED, call));
            begin(term, deadline, Renewal.due(timing().nextRenewal(call.sentAt(), deadline, now), call.sentAt()));
        }
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
        orphan(Orphan.granted(call.incarnation(), token, timing().doubtUntil(call.sentAt()), now, releaseRetry()));
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
        orphan(Orphan.granted(call.incarnation(), token, timing().doubtUntil(call.sentAt()), now, releaseRetry()));
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

    void observe(AcquireResult result) {
        storeAnswered();
        if (result instanceof Denied answer && answer.present().isPresent()) {
            highest = Math.max(highest, answer.present().get().token());
            effect(new Effect.Seen(answer.present().get()));
        }
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

    // the store

    void storeAnswered() {
        everAnswered = true;
        if (contact.isFailing()) {
            effect(new Effect.StoreRecovered(now - contact.failingSince()));
            contact = Contact.FINE;
        }
    }

    void storeFailed(Throwable error) {
        boolean first = !contact.isFailing();
        contact = contact.failed(error, now);
        if (first) {
            effect(new Effect.StoreFailing(error));
        }
    }

    // leading

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
        Renewal next = Renewal.due(timing().nextRenewal(confirmed.sentAt(), deadline, now), sentAt);
        return renewal.hinted() ? next.hinted(now, timing().shortestRetry()) : next;
    }

    /**
     * Whether an answer is the grant of the term once more.
     */
    static boolean grants(Event.Acquired answer, Term term) {
        return answer.result() instanceof Granted granted && granted.token() == term.token();
    }

    /**
     * A grant that is not the term's is given back; a denial is looked at.
     *
     * @param term the present one; none if it is over
     */
    void sortGrant(Event.Acquired answer, @Nullable Term term) {
        if (!(answer.result() instanceof Granted granted)) {
            observe(answer.result());
        } else if (term == null || !grants(answer, term)) {
            storeAnswered();
            highest = Math.max(highest, granted.token());
            Call call = answer.call();
            long until = timing().doubtUntil(call.sentAt());
            orphan(Orphan.granted(call.incarnation(), granted.token(), until, now, releaseRetry()));
        }
    }

    // the end of a term

    void lose(Leading from, LossReason reason) {
        effect(new Effect.Seal(from.term()));
        effect(new Effect.Lose(from.term(), reason));
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
                now + timing().drain(),
                now + timing().interruptAfter());
        effect(new Effect.Lose(from.term(), reason));
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

    long releaseRetry() {
        return Math.min(timing().retry(), timing().renew());
    }

    /**
     * When the store has let a grant expire whose deadline this is.
     */
    long expiry(long deadline) {
        return Time.plus(deadline, timing().margin());
    }

    void orphan(Orphan orphan) {
        orphans.add(orphan);
    }

    void settle(@Nullable Term term, ReleaseOutcome outcome, long since) {
        effect(new Effect.Settle(term, outcome, now - since));
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
            pause = Math.max(timing().afterYielding(jitter), timing().workBackoff(workFailures - 1));
        }
        standFrom(now + pause);
    }
}
