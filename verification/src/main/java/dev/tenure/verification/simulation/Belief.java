package dev.tenure.verification.simulation;

import dev.tenure.engine.Call;
import dev.tenure.engine.Draining;
import dev.tenure.engine.Leading;
import dev.tenure.engine.Leaving;
import dev.tenure.engine.Orphan;
import dev.tenure.engine.Phase;
import dev.tenure.engine.Releasing;
import dev.tenure.engine.Term;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What one instance believes about one role, read off the engine's state without touching it.
 */
final class Belief {
    private final Instance instance;
    private final Map<String, Long> acquiringSince = new HashMap<>(); // by incarnation, the last request of each
    private List<Orphan> orphans = List.of();
    private String role = "";
    private Phase phase;
    private @Nullable Term term;
    private long end;
    private boolean ended;

    Belief(Instance instance, Phase phase) {
        this.instance = instance;
        this.phase = phase;
    }

    Instance instance() {
        return instance;
    }

    /**
     * Empty before it asks for the first time.
     */
    String role() {
        return role;
    }

    void role(String asked) {
        role = asked;
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

    void acquires(Call call) {
        acquiringSince.put(call.incarnation(), call.sentAt());
    }

    void orphans(List<Orphan> now) {
        orphans = now;
    }

    /**
     * Whether the engine still tries to give back what it may have been granted under this incarnation.
     */
    boolean isPursued(String incarnation) {
        return orphans.stream().anyMatch(orphan -> orphan.incarnation().equals(incarnation));
    }

    /**
     * By the instance's clock, when it last asked under this incarnation; negative if never.
     */
    long askedAt(String incarnation) {
        return acquiringSince.getOrDefault(incarnation, Long.MIN_VALUE);
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
