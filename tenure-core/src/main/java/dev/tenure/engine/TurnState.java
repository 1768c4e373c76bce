package dev.tenure.engine;

import dev.tenure.ReleaseOutcome;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An election while it changes, and what all phases do alike: calls, claims to be released beside, contact with the
 * store. Lives on one thread for the length of a call.
 */
abstract class TurnState {
    final long now;
    final Candidate candidate;
    final Orphans orphans;
    Phase phase;
    boolean standing;
    boolean everAnswered;

    private final List<Effect> effects = new ArrayList<>(4);
    private final Election before;
    long terms;
    long names;
    private long calls;
    long highest;
    long acceptedMark;
    boolean denied;
    boolean regressed;
    Contact contact;
    private long dice;
    int workFailures;

    TurnState(Election before, long now) {
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

    Step end() {
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

    void noteContact(Event event) {
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
     * The record was prolonged after this side had given it up.
     */
    void releaseLate(Event.Renewed answer) {
        Call call = answer.call();
        if (answer.result() == RenewResult.RENEWED) {
            orphan(Orphan.granted(call.incarnation(), call.token(), timing().confirmedUntil(now), now, releaseRetry()));
        }
    }

    void observe(AcquireResult result) {
        storeAnswered();
        if (result instanceof Denied answer && answer.present().isPresent()) {
            highest = Math.max(highest, answer.present().get().token());
            effect(new Effect.Seen(answer.present().get()));
        }
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
            orphanGranted(call, granted.token());
        }
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

    /**
     * What was granted and is not wanted; as late as now, or by another request that is still under way.
     */
    void orphanGranted(Call call, long token) {
        long until = Math.max(timing().doubtUntil(call.sentAt()), timing().confirmedUntil(now));
        orphan(Orphan.granted(call.incarnation(), token, until, now, releaseRetry()));
    }

    void orphan(Orphan orphan) {
        orphans.add(orphan);
    }

    long releaseRetry() {
        return Math.min(timing().retry(), timing().renew());
    }

    void settle(@Nullable Term term, ReleaseOutcome outcome, long since) {
        effect(new Effect.Settle(term, outcome, now - since));
    }

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
}
