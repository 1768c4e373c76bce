package dev.tenure.verification.simulation;

import dev.tenure.StoreUnavailableException;
import dev.tenure.engine.Call;
import dev.tenure.engine.Draining;
import dev.tenure.engine.Effect;
import dev.tenure.engine.Election;
import dev.tenure.engine.Event;
import dev.tenure.engine.Leading;
import dev.tenure.engine.Leaving;
import dev.tenure.engine.Orphan;
import dev.tenure.engine.Phase;
import dev.tenure.engine.Renewal;
import dev.tenure.engine.Step;
import dev.tenure.engine.Time;
import dev.tenure.engine.Transition;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.RenewResult;
import java.util.ArrayList;
import java.util.List;

/**
 * The rules with a fault in them: events, states or effects are rewritten around the engine's own function.
 */
final class Planted {
    private static final Transition RULES = Transition.RULES;

    private Planted() {}

    /**
     * The engine's rules for a fault that is elsewhere.
     */
    static Transition rules(Fault fault) {
        return switch (fault) {
            case DEADLINE_FROM_REPLY -> (election, event, now) -> RULES.apply(election, sentAt(event, now), now);
            case LOST_TERM_CONTINUED -> Planted::continued;
            case LATE_ANSWER_PROLONGS -> Planted::prolonged;
            case ABANDONED_NOT_RELEASED -> (election, event, now) -> withoutOrphans(RULES.apply(election, event, now));
            case ACQUIRE_AFTER_RELEASE -> Planted::releasedOnce;
            case DRAIN_NOT_CUT -> Planted::notCut;
            case SECOND_WORK -> Planted::second;
            case NONE, LATE_ANSWER_REVIVES, NO_TOKEN_COMPARE, RELEASE_BY_NAME, FLAG_INSTEAD_OF_DEADLINE -> RULES;
        };
    }

    private static Call sentAt(Call call, long at) {
        return new Call(call.id(), call.kind(), call.incarnation(), call.token(), call.floor(), at);
    }

    private static Event sentAt(Event event, long at) {
        if (event instanceof Event.Renewed answer) {
            return new Event.Renewed(sentAt(answer.call(), at), answer.result());
        } else if (event instanceof Event.Acquired answer) {
            return new Event.Acquired(sentAt(answer.call(), at), answer.result());
        }
        return event;
    }

    private static boolean isRefused(Event event) {
        return event instanceof Event.Renewed answer && answer.result() != RenewResult.RENEWED;
    }

    private static Election with(Election election, Phase phase, long calls, List<Orphan> orphans) {
        return new Election(
                election.candidate(),
                phase,
                election.standing(),
                election.terms(),
                election.names(),
                calls,
                election.highest(),
                election.acceptedMark(),
                election.answered(),
                election.denied(),
                election.regressed(),
                election.contact(),
                orphans,
                election.dice(),
                election.workFailures());
    }

    private static Step continued(Election election, Event event, long now) {
        if (!(election.phase() instanceof Leading leading) || now >= leading.deadline()) {
            return RULES.apply(election, event, now);
        }
        String own = leading.term().incarnation();
        if (isRefused(event) && ((Event.Renewed) event).call().incarnation().equals(own)) {
            Call again = new Call(election.calls() + 1, Call.Kind.ACQUIRE, own, 0, election.highest(), now);
            Renewal asking = new Renewal(
                    Time.NEVER, now, again, now + election.candidate().timing().call(), false);
            Phase phase = new Leading(leading.term(), leading.deadline(), asking, leading.health(), leading.workAt());
            return new Step(
                    with(election, phase, election.calls() + 1, election.orphans()), List.of(new Effect.Send(again)));
        }
        if (event instanceof Event.Acquired answer
                && answer.result() instanceof Granted
                && answer.call().incarnation().equals(own)) {
            AcquireResult same = AcquireResult.granted(leading.term().token());
            return RULES.apply(election, new Event.Acquired(answer.call(), same), now);
        }
        return RULES.apply(election, event, now);
    }

    /**
     * For one more call limit after the deadline, events are judged as if it had not passed.
     */
    private static Step prolonged(Election election, Event event, long now) {
        long deadline = election.phase().deadline();
        boolean justPassed = election.phase() instanceof Leading
                && now >= deadline
                && now - deadline < election.candidate().timing().call();
        return RULES.apply(election, event, justPassed ? deadline - 1 : now);
    }

    private static Step withoutOrphans(Step step) {
        List<Orphan> orphans = step.next().orphans();
        if (orphans.isEmpty()) {
            return step;
        }
        List<Effect> effects = new ArrayList<>(step.effects());
        effects.removeIf(effect -> effect instanceof Effect.Send send
                && send.call().kind() == Call.Kind.RELEASE
                && orphans.stream()
                        .anyMatch(orphan ->
                                orphan.incarnation().equals(send.call().incarnation())));
        return new Step(with(step.next(), step.next().phase(), step.next().calls(), List.of()), effects);
    }

    private static Step releasedOnce(Election election, Event event, long now) {
        Step step = RULES.apply(election, event, now);
        if (!(event instanceof Event.Released answer) || answer.freed()) {
            return step;
        }
        List<Orphan> left = new ArrayList<>(step.next().orphans());
        left.removeIf(orphan -> orphan.incarnation().equals(answer.call().incarnation()));
        return new Step(with(step.next(), step.next().phase(), step.next().calls(), List.copyOf(left)), step.effects());
    }

    private static Step notCut(Election election, Event event, long now) {
        if (election.phase() instanceof Draining && isRefused(event)) {
            Call call = ((Event.Renewed) event).call();
            return RULES.apply(
                    election, new Event.Failed(call, new StoreUnavailableException("refused", null), true), now);
        }
        return RULES.apply(election, event, now);
    }

    private static Step second(Election election, Event event, long now) {
        Step step = RULES.apply(election, event, now);
        if (!(step.next().phase() instanceof Leaving leaving) || leaving.codeEnded()) {
            return step;
        }
        Step more =
                RULES.apply(step.next(), new Event.UserCodeEnded(leaving.term().number()), now);
        List<Effect> effects = new ArrayList<>(step.effects());
        effects.addAll(more.effects());
        return new Step(more.next(), effects);
    }
}
