package dev.tenure.verification.simulation;

import dev.tenure.engine.Effect;
import dev.tenure.engine.Election;
import dev.tenure.engine.Event;
import dev.tenure.engine.Step;
import dev.tenure.engine.Transition;
import java.util.AbstractList;
import java.util.Iterator;
import java.util.List;

/**
 * The engine's transition function, or a faulty one, as one instance applies it: the checkers see every step, and the
 * loop may stand still between a decision and each of its effects.
 */
final class Rules implements Transition {
    private final Transition rules;
    private final Instance instance;
    private boolean startingWork;

    Rules(Transition rules, Instance instance) {
        this.rules = rules;
        this.instance = instance;
    }

    /**
     * Whether the shell is at an effect that starts leader work.
     */
    boolean isStartingWork() {
        return startingWork;
    }

    @Override
    public Step apply(Election election, Event event, long now) {
        Step step = rules.apply(election, event, now);
        instance.took(election, event, step);
        return step.effects().isEmpty() ? step : new Step(step.next(), new Effects(step.effects()));
    }

    private final class Effects extends AbstractList<Effect> {
        private final List<Effect> effects;

        Effects(List<Effect> effects) {
            this.effects = effects;
        }

        @Override
        public Effect get(int index) {
            return effects.get(index);
        }

        @Override
        public int size() {
            return effects.size();
        }

        @Override
        public Iterator<Effect> iterator() {
            Iterator<Effect> each = effects.iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    startingWork = false;
                    return each.hasNext();
                }

                @Override
                public Effect next() {
                    Effect effect = each.next();
                    instance.maybeStall();
                    startingWork = effect instanceof Effect.StartWork;
                    return effect;
                }
            };
        }
    }
}
