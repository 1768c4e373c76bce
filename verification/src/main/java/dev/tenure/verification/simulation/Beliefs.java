package dev.tenure.verification.simulation;

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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All that one instance believes, and what it was really told by the store.
 */
final class Beliefs {
    private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(50);

    private final World world;
    private final Instance instance;
    private final Map<String, String> roles = new HashMap<>(); // by nonce
    private final Map<String, Belief> beliefs = new HashMap<>(); // by nonce
    private final Map<String, Long> confirmed = new HashMap<>(); // by role and token
    private final Set<String> refused = new HashSet<>();
    private final Set<String> begun = new HashSet<>();
    private final Set<String> sleptIn = new HashSet<>(); // role and token
    private final Set<String> over = new HashSet<>(); // role and token
    private long lastSleep;
    private long asleep;
    private long wokeAt = -1;
    private long sleptBeyondAt = -1;

    Beliefs(World world, Instance instance) {
        this.world = world;
        this.instance = instance;
    }

    Collection<Belief> all() {
        return beliefs.values();
    }

    private static String nonce(String incarnation) {
        return incarnation.substring(0, incarnation.lastIndexOf('-'));
    }

    /**
     * Of an election; none if it is over.
     */
    @Nullable
    Belief of(String nonce) {
        return beliefs.get(nonce);
    }

    boolean owns(String nonce) {
        return roles.containsKey(nonce);
    }

    /**
     * Whether a term began under this incarnation.
     */
    boolean hasBegun(String incarnation) {
        return begun.contains(incarnation);
    }

    void asked(String role, String incarnation) {
        roles.put(nonce(incarnation), role);
    }

    void took(Election before, Event event, Step step) {
        String nonce = step.next().candidate().nonce();
        Belief belief = beliefs.get(nonce);
        String role = roles.get(nonce);
        if (role == null) {
            return;
        }
        if (belief == null) {
            belief = new Belief(instance, role, new Idle());
            beliefs.put(nonce, belief);
        }
        boolean was = belief.isActive();
        if (step.next().phase() != belief.phase()) {
            belief.phase(step.next().phase());
        }
        if (was != belief.isActive()) {
            world.checks().active(belief, !was);
        }
        for (Effect effect : step.effects()) {
            took(belief, event, effect);
        }
        if (step.next().phase() instanceof Idle && step.next().orphans().isEmpty()) {
            beliefs.remove(nonce);
        }
    }

    private void took(Belief belief, Event event, Effect effect) {
        if (effect instanceof Effect.Begin begin) {
            begins(belief, begin.term());
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

    void confirmed(String role, long token, long sentAt) {
        confirmed.merge(role + '#' + token, sentAt, Math::max);
    }

    /**
     * By this instance's clock, until when what the store confirmed allows it to act: counted from the sending, by what
     * was seen on the wire.
     */
    long allowedUntil(String role, long token) {
        Long sentAt = confirmed.get(role + '#' + token);
        Scenario scenario = world.scenario();
        return sentAt == null ? Long.MIN_VALUE : sentAt + scenario.lease() - scenario.margin();
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
     * The machine was suspended until now; counts together with a sleep shortly before.
     */
    void slept(long span) {
        Scenario scenario = world.scenario();
        long now = world.agenda().now();
        lastSleep = span;
        asleep = span + (wokeAt >= 0 && now - span - wokeAt < scenario.lease() ? asleep : 0);
        wokeAt = now;
        if (asleep > scenario.covered()) {
            sleptBeyondAt = instance.clock().now();
        }
        for (Belief belief : beliefs.values()) {
            belief.retime();
            if (asleep > scenario.covered()) {
                slept(belief, now);
            }
        }
    }

    private void slept(Belief belief, long until) {
        belief.slept(until, isNoticed());
        Term term = belief.term();
        if (term != null) {
            sleptIn.add(belief.role() + '#' + term.token());
        }
    }

    /**
     * Whether the machine was suspended in a term for longer than the margin covers.
     */
    boolean hasSlept(String role, long token) {
        return sleptIn.contains(role + '#' + token);
    }

    /**
     * Whether the engine can see the last sleep, and has to.
     */
    private boolean isNoticed() {
        return instance.clock().countsSuspend() && lastSleep > world.scenario().margin() + RESOLUTION;
    }

    /**
     * A term that begins with an answer from before a sleep began with it.
     */
    private void begins(Belief belief, Term term) {
        begun.add(term.incarnation());
        Long sentAt = confirmed.get(belief.role() + '#' + term.token());
        if (sentAt != null && sentAt <= sleptBeyondAt) {
            slept(belief, wokeAt);
        }
    }

    void die() {
        beliefs.values().forEach(belief -> world.checks().active(belief, false));
        beliefs.clear();
    }
}
