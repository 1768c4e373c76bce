package dev.tenure.verification.simulation;

import dev.tenure.LossReason;
import dev.tenure.engine.Call;
import dev.tenure.engine.Effect;
import dev.tenure.engine.Election;
import dev.tenure.engine.Event;
import dev.tenure.engine.Idle;
import dev.tenure.engine.Leading;
import dev.tenure.engine.Leaving;
import dev.tenure.engine.Step;
import dev.tenure.engine.Term;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that one instance believes, and what it was really told by the store.
 */
final class Beliefs {
    private final World world;
    private final Instance instance;
    private final Map<Long, Belief> beliefs = new HashMap<>(); // by candidate
    private final Map<String, Belief> asking = new HashMap<>(); // by incarnation, old ones too
    private final Map<String, Sent> confirmed = new HashMap<>(); // by role and token
    private final Sleeps sleeps = new Sleeps();
    private final Set<String> refused = new HashSet<>();
    private final Set<String> begun = new HashSet<>();
    private final Set<String> over = new HashSet<>(); // role and token
    private final Set<String> lostHere = new HashSet<>(); // those of them that nobody wanted to end
    private final Map<String, Long> lateAt = new HashMap<>(); // by role and token

    /**
     * When a confirmed request was sent: by this instance's clock and in virtual time.
     */
    private record Sent(long local, long global) {}

    Beliefs(World world, Instance instance) {
        this.world = world;
        this.instance = instance;
    }

    Collection<Belief> all() {
        return beliefs.values();
    }

    /**
     * Of the candidate that asked under this incarnation; none if it is another's.
     */
    @Nullable
    Belief of(String incarnation) {
        return asking.get(incarnation);
    }

    /**
     * When the store last confirmed a term that had been lost; negative if it never did.
     */
    long confirmedLateAt(String role, long token) {
        return lateAt.getOrDefault(role + '#' + token, -1L);
    }

    /**
     * Whether a term began under this incarnation.
     */
    boolean hasBegun(String incarnation) {
        return begun.contains(incarnation);
    }

    void asked(String role, String incarnation) {
        Belief belief = asking.get(incarnation);
        if (belief == null) {
            world.violated("trace", "an acquisition that no step sent: " + incarnation);
        } else {
            belief.role(role);
        }
    }

    void took(Election before, Event event, Step step) {
        Belief belief =
                beliefs.computeIfAbsent(step.next().candidate().number(), first -> new Belief(instance, new Idle()));
        belief.orphans(step.next().orphans());
        boolean was = belief.isActive();
        Term term = belief.term();
        long deadline = belief.phase().deadline();
        if (step.next().phase() != belief.phase()) {
            belief.phase(step.next().phase());
        }
        if (was && belief.isActive() && belief.phase().deadline() < deadline && Objects.equals(term, belief.term())) {
            world.violated("I6", "the deadline moved back from " + deadline + ": " + belief);
        }
        if (was != belief.isActive()) {
            world.checks().active(belief, !was);
        }
        for (Effect effect : step.effects()) {
            took(belief, event, effect);
        }
        if (step.next().phase() instanceof Idle && step.next().orphans().isEmpty()) {
            beliefs.remove(step.next().candidate().number());
        }
    }

    private void took(Belief belief, Event event, Effect effect) {
        if (effect instanceof Effect.Send send) {
            asking.put(send.call().incarnation(), belief);
            if (send.call().kind() == Call.Kind.ACQUIRE) {
                belief.acquires(send.call());
            }
        } else if (effect instanceof Effect.Begin begin) {
            begun.add(begin.term().incarnation());
            world.tally().count("terms");
            world.note(
                    instance.name(),
                    "elected " + belief.role(),
                    begin.term().incarnation(),
                    begin.term().token());
        } else if (effect instanceof Effect.Lose lose) {
            world.tally().count("lost: " + lose.reason());
            if (!over.add(belief.role() + '#' + lose.term().token())) {
                world.violated("signals", "a term was lost twice: " + belief);
            }
            if (!lose.reason().isVoluntary() && lose.reason() != LossReason.WORK_FAILED) {
                lostHere.add(belief.role() + '#' + lose.term().token());
            }
            world.note(
                    instance.name(),
                    "lost " + belief.role(),
                    lose.reason().name(),
                    lose.term().token());
            world.checks().signals().ended(instance, belief.role(), lose.term().number());
        } else if (effect instanceof Effect.Lapse lapse) {
            world.note(
                    instance.name(),
                    "lapsed " + belief.role(),
                    event.getClass().getSimpleName(),
                    lapse.term().token());
        } else if (effect instanceof Effect.Settle settle && settle.term() != null) {
            world.tally().count("settled: " + settle.outcome());
            world.note(
                    instance.name(),
                    "settled " + belief.role(),
                    settle.outcome().name(),
                    0);
        } else if (effect instanceof Effect.Interrupt) {
            world.note(instance.name(), "interrupts " + belief.role(), "", 0);
        }
    }

    void confirmed(String role, long token, long local, long global) {
        confirmed.merge(
                role + '#' + token,
                new Sent(local, global),
                (one, other) -> one.global() > other.global() ? one : other);
        if (lostHere.contains(role + '#' + token)) {
            lateAt.put(role + '#' + token, world.agenda().now());
        }
    }

    /**
     * By this instance's clock, until when what the store confirmed allows it to act: counted from the sending, by what
     * was seen on the wire.
     */
    long allowedUntil(String role, long token) {
        Sent sent = confirmed.get(role + '#' + token);
        Scenario scenario = world.scenario();
        return sent == null ? Long.MIN_VALUE : sent.local() + scenario.lease() - scenario.margin();
    }

    /**
     * In virtual time, when the last request was sent that the store confirmed; never if none.
     */
    long confirmedAt(String role, long token) {
        Sent sent = confirmed.get(role + '#' + token);
        return sent == null ? Long.MAX_VALUE : sent.global();
    }

    /**
     * Whether the machine slept since then for longer than the margin covers, so that the deadline says nothing.
     */
    boolean hasSlept(String role, long token) {
        return sleeps.since(confirmedAt(role, token)) > world.scenario().covered();
    }

    void refused(String incarnation) {
        refused.add(incarnation);
    }

    /**
     * The loop has taken all answers: what was refused is over.
     */
    void turned() {
        instance.users().jobs().forEach(this::interrupted);
        if (refused.isEmpty()) {
            return;
        }
        for (Belief belief : beliefs.values()) {
            Term term = belief.term();
            if (term != null && belief.isActive() && refused.contains(term.incarnation())) {
                String name = belief.phase() instanceof Leading ? "refused" : "drain";
                world.violated(name, "a refused renewal did not end it: " + belief);
            }
        }
        refused.clear();
    }

    /**
     * Once the grant is over, work is told to stop.
     */
    private void interrupted(Job job) {
        for (Belief belief : beliefs.values()) {
            if (belief.phase() instanceof Leaving leaving
                    && belief.role().equals(job.role())
                    && leaving.term().number() == job.term()
                    && !job.isInterrupted()) {
                world.violated("interrupt", "work of a term that is over was not interrupted: " + belief);
            }
        }
    }

    /**
     * The machine was suspended until now.
     */
    void slept(long span) {
        long now = world.agenda().now();
        sleeps.add(now - span, now);
        beliefs.values().forEach(Belief::retime);
    }

    Sleeps sleeps() {
        return sleeps;
    }

    void die() {
        beliefs.values().forEach(belief -> world.checks().active(belief, false));
        beliefs.clear();
    }
}
