package dev.tenure.test.virtual;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * What a {@link ScriptedStore} does with some of its calls. Of several rules that match, the one that was made first
 * holds, until it is used up or removed.
 */
public final class StoreRule {
    private final ScriptedStore store;
    private final List<StoreCall> calls = new ArrayList<>();
    private final Consumer<StoreCall> behaviour;
    private Predicate<StoreCall> matches;
    private int skip;
    private int left;

    private StoreRule(Selection selection, Consumer<StoreCall> behaviour) {
        this.store = selection.store;
        this.matches = selection.matches;
        this.skip = selection.skip;
        this.left = selection.times;
        this.behaviour = behaviour;
    }

    boolean takes(StoreCall call) {
        if (left == 0 || !matches.test(call)) {
            return false;
        }
        if (skip > 0) {
            skip--;
            return false;
        }
        left--;
        calls.add(call);
        return true;
    }

    void behave(StoreCall call) {
        behaviour.accept(call);
    }

    /**
     * The calls that it has taken, in order.
     */
    public List<StoreCall> calls() {
        return List.copyOf(calls);
    }

    /**
     * The only call that it has taken.
     *
     * @throws AssertionError if it took none, or several
     */
    public StoreCall call() {
        if (calls.size() != 1) {
            throw new AssertionError("expected one call, were " + calls);
        }
        return calls.get(0);
    }

    /**
     * The last call that it has taken.
     */
    public StoreCall last() {
        if (calls.isEmpty()) {
            throw new AssertionError("expected a call, was none");
        }
        return calls.get(calls.size() - 1);
    }

    /**
     * Takes no more calls; those that it took stay as they are.
     */
    public void remove() {
        matches = call -> false;
        store.remove(this);
    }

    /**
     * Which calls a rule is for; ends with what is to become of them.
     */
    public static final class Selection {
        private final ScriptedStore store;
        private Predicate<StoreCall> matches;
        private int skip;
        private int times = Integer.MAX_VALUE;

        Selection(ScriptedStore store, Predicate<StoreCall> matches) {
            this.store = store;
            this.matches = matches;
        }

        /**
         * Of this process only.
         */
        public Selection from(String process) {
            return where(call -> call.process().equals(process));
        }

        /**
         * For this key only.
         */
        public Selection key(String key) {
            return where(call -> call.key().equals(key));
        }

        /**
         * Narrows it further.
         */
        public Selection where(Predicate<StoreCall> more) {
            matches = matches.and(more);
            return this;
        }

        /**
         * Lets the first {@code count} pass.
         */
        public Selection skipping(int count) {
            skip = count;
            return this;
        }

        /**
         * For so many calls.
         */
        public Selection times(int count) {
            times = count;
            return this;
        }

        /**
         * For one call.
         */
        public Selection once() {
            return times(1);
        }

        /**
         * It is the test that does something with them; until then they are under way.
         */
        public StoreRule hold() {
            return does(call -> {});
        }

        /**
         * They arrive, the answer is held.
         */
        public StoreRule holdAnswer() {
            return does(StoreCall::apply);
        }

        /**
         * They never arrive: no answer comes.
         */
        public StoreRule loseRequest() {
            return hold();
        }

        /**
         * They take effect, the answer never comes.
         */
        public StoreRule loseAnswer() {
            return holdAnswer();
        }

        /**
         * They fail without an effect.
         */
        public StoreRule fail(Supplier<? extends Throwable> error) {
            return does(call -> call.fail(error.get()));
        }

        /**
         * They take effect, and fail for the asker.
         */
        public StoreRule failAfterEffect(Supplier<? extends Throwable> error) {
            return does(call -> call.apply().fail(error.get()));
        }

        /**
         * The store's method itself throws it.
         */
        public StoreRule throwing(Supplier<? extends RuntimeException> error) {
            return does(call -> {
                throw error.get();
            });
        }

        /**
         * The store's method itself throws it.
         */
        public StoreRule throwingError(Supplier<? extends Error> error) {
            return does(call -> {
                throw error.get();
            });
        }

        /**
         * They take so long to arrive, and their answers so long to come back.
         */
        public StoreRule delay(Duration request, Duration answer) {
            return does(call -> store.world().after(request, () -> store.world().after(answer, call.apply()::answer)));
        }

        /**
         * This is answered and nothing done.
         */
        public StoreRule answer(AcquireResult made) {
            return does(call -> call.answer(made));
        }

        /**
         * This is answered and nothing done.
         */
        public StoreRule answer(RenewResult made) {
            return does(call -> call.answer(made));
        }

        /**
         * This is answered to releases and nothing done.
         */
        public StoreRule answer(boolean made) {
            return does(call -> call.answer(made));
        }

        /**
         * Whatever the test wants, on the loop of the process that asks.
         */
        public StoreRule does(Consumer<StoreCall> behaviour) {
            return store.add(new StoreRule(this, behaviour));
        }
    }
}
