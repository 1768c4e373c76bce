package dev.tenure.channel;

import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.Leadership;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A leadership that the test decides. Callbacks run on the test's thread, in {@link #elect} and {@link #lose}.
 */
class ScriptedLeadership implements Leadership {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();
    private volatile ScriptedLease current;
    private volatile Duration remaining = Duration.ofSeconds(10);
    private volatile Runnable afterLook = () -> {};
    private volatile boolean givesRegistrations = true;
    private long terms;

    private record Listener(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost) {}

    /**
     * A new term, of which the listeners are told.
     */
    Lease elect() {
        Lease lease = electSilently();
        listeners.forEach(listener -> listener.elected().accept(lease));
        return lease;
    }

    Lease electSilently() {
        current = new ScriptedLease(++terms);
        return current;
    }

    /**
     * The term ends, and all are told.
     */
    void lose() {
        ScriptedLease over = current;
        passDeadline();
        tell(over);
    }

    /**
     * The term ends, and nobody is told.
     */
    void passDeadline() {
        current.held = false;
    }

    void tell(Lease over) {
        ((ScriptedLease) over).known = true;
        ((ScriptedLease) over).callbacks.forEach(callback -> callback.accept(LossReason.DEADLINE_EXCEEDED));
        listeners.forEach(listener -> listener.lost().accept(over, LossReason.DEADLINE_EXCEEDED));
    }

    /**
     * The lease, also past its deadline until somebody has seen that.
     */
    public @Nullable Lease notKnownEnded() {
        ScriptedLease present = current;
        return present == null || present.known ? null : present;
    }

    /**
     * What leases say that is left.
     */
    void remaining(Duration left) {
        remaining = left;
    }

    /**
     * Runs when a lease has been looked at, before the answer is given.
     */
    void afterLook(Runnable next) {
        afterLook = next;
    }

    /**
     * As a mock that was told nothing.
     */
    void giveNoRegistrations() {
        givesRegistrations = false;
    }

    private @Nullable Registration given(Registration registration) {
        return givesRegistrations ? registration : null;
    }

    int listeners() {
        return listeners.size() + (current == null ? 0 : current.callbacks.size());
    }

    @Override
    public String role() {
        return "billing";
    }

    @Override
    public boolean isLeader() {
        return lease().isPresent();
    }

    @Override
    public Optional<Lease> lease() {
        ScriptedLease present = current;
        return present != null && present.held ? Optional.of(present) : Optional.empty();
    }

    @Override
    public Lease awaitLeadership() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Optional<Lease> awaitLeadership(Duration timeout) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Registration onChange(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost) {
        Listener listener = new Listener(elected, lost);
        listeners.add(listener);
        return given(() -> listeners.remove(listener));
    }

    @Override
    public Optional<Leader> leader() {
        return Optional.empty();
    }

    @Override
    public long term() {
        return terms;
    }

    @Override
    public boolean isCoordinated() {
        return true;
    }

    private final class ScriptedLease implements Lease {
        private final long term;
        private final List<Consumer<? super LossReason>> callbacks = new CopyOnWriteArrayList<>();
        private volatile boolean held = true;
        private volatile boolean known; // that it is over

        ScriptedLease(long term) {
            this.term = term;
        }

        @Override
        public String role() {
            return ScriptedLeadership.this.role();
        }

        @Override
        public FencingToken fencingToken() {
            return new FencingToken(role(), term);
        }

        @Override
        public long term() {
            return term;
        }

        @Override
        public boolean isHeld() {
            boolean answer = held;
            if (!answer) {
                known = true;
            }
            afterLook.run();
            return answer;
        }

        @Override
        public Duration remaining() {
            return held ? remaining : Duration.ZERO;
        }

        @Override
        public void ensureHeld() {
            if (!held) {
                throw new LeadershipLostException(fencingToken(), "lost by script");
            }
        }

        @Override
        public void ensureHeld(Duration needed) {
            ensureHeld();
        }

        @Override
        public boolean awaitLost(Duration timeout) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletionStage<LossReason> lost() {
            return new CompletableFuture<>();
        }

        @Override
        public CompletionStage<Void> lapsed() {
            return new CompletableFuture<>();
        }

        @Override
        public Registration onLost(Consumer<? super LossReason> callback) {
            callbacks.add(callback);
            if (!held) {
                callback.accept(LossReason.DEADLINE_EXCEEDED);
            }
            return given(() -> callbacks.remove(callback));
        }

        @Override
        public Optional<LossReason> lossReason() {
            return held ? Optional.empty() : Optional.of(LossReason.DEADLINE_EXCEEDED);
        }

        @Override
        public String toString() {
            return "term " + term;
        }
    }
}
