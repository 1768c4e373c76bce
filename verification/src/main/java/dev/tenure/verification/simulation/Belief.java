package dev.tenure.verification.simulation;

import dev.tenure.engine.Draining;
import dev.tenure.engine.Leading;
import dev.tenure.engine.Leaving;
import dev.tenure.engine.Phase;
import dev.tenure.engine.Releasing;
import dev.tenure.engine.Term;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one instance believes about one role, read off the engine's state without touching it.
 */
final class Belief {
    private final Instance instance;
    private final String role;
    private Phase phase;
    private @Nullable Term term;
    private long end;
    private boolean ended;
    private long wokeAt = -1;
    private boolean mustEnd;

    Belief(Instance instance, String role, Phase phase) {
        this.instance = instance;
        this.role = role;
        this.phase = phase;
    }

    Instance instance() {
        return instance;
    }

    String role() {
        return role;
    }

    Phase phase() {
        return phase;
    }

    /**
     * The term that runs or is being ended.
     */
    @Nullable
    Term term() {
        return term;
    }

    /**
     * Whether it acts on a grant, until its deadline.
     */
    boolean isActive() {
        return phase instanceof Leading || phase instanceof Draining;
    }

    /**
     * In virtual time, when the deadline passes.
     */
    long end() {
        return end;
    }

    /**
     * Whether the deadline was seen to have passed.
     */
    boolean hasEnded() {
        return ended;
    }

    void end(boolean seen) {
        ended = seen;
    }

    /**
     * When the machine woke that was suspended in this term, or under the request that began it, for longer than the
     * margin covers; negative if it was not.
     */
    long wokeAt() {
        return wokeAt;
    }

    /**
     * @param noticed whether the engine has to end the term for it
     */
    void slept(long until, boolean noticed) {
        wokeAt = until;
        mustEnd |= noticed;
    }

    /**
     * Whether the term must end soon for the sleep.
     */
    boolean mustEnd() {
        return mustEnd;
    }

    /**
     * The clock stood still: the deadline is later than it was.
     */
    void retime() {
        end = instance.clock().global(phase.deadline());
    }

    void phase(Phase now) {
        Term before = term;
        term = termOf(now);
        if (term != null && (before == null || before.number() != term.number())) {
            ended = false;
            wokeAt = -1;
            mustEnd = false;
        }
        if (now.deadline() != phase.deadline() || !Objects.equals(before, term)) {
            end = instance.clock().global(now.deadline());
        }
        phase = now;
    }

    static @Nullable Term termOf(Phase phase) {
        if (phase instanceof Leading leading) {
            return leading.term();
        } else if (phase instanceof Draining draining) {
            return draining.term();
        } else if (phase instanceof Releasing releasing) {
            return releasing.term();
        } else if (phase instanceof Leaving leaving) {
            return leaving.term();
        }
        return null;
    }

    @Override
    public String toString() {
        return instance.name() + " " + role + " " + phase + " until " + end;
    }
}
