package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.ElectionMonitor.Outcome;
import dev.tenure.spi.LeaseRecord;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be done about an event; carried out by the shell, in order.
 */
public sealed interface Effect {

    /**
     * Ask the store.
     */
    record Send(Call call) implements Effect {}

    /**
     * A term begins: make its handle, tell listeners.
     */
    record Begin(Term term, long deadline) implements Effect {}

    record StartWork(Term term) implements Effect {}

    /**
     * The deadline moves, unless somebody found it passed; then {@link Event.Sealed} follows.
     */
    record Extend(Term term, long deadline) implements Effect {}

    /**
     * Begin nothing new: the handle turns not held, listeners are told.
     *
     * @param over whether the grant itself is over, so that nothing remains of the lease
     * @param deadline of the term when it ended
     */
    record Lose(Term term, LossReason reason, boolean over, long deadline) implements Effect {

        /**
         * How long the term lasted: what ran out ended then, however late that is found.
         */
        Duration held(long now) {
            return Duration.ofNanos(Math.max(0, Math.min(now, deadline) - term.beganAt()));
        }
    }

    /**
     * The grant is over, or about to be given back: nothing remains of the lease.
     */
    record Seal(Term term) implements Effect {}

    /**
     * Stop everything.
     */
    record Lapse(Term term) implements Effect {}

    record Interrupt(Term term) implements Effect {}

    record AskHealth(Term term) implements Effect {}

    /**
     * Whoever asked for an end is answered.
     *
     * @param term none if nothing led
     */
    record Settle(@Nullable Term term, ReleaseOutcome outcome, long drained) implements Effect {}

    /**
     * A single acquisition is over without a term: empty if another holds, otherwise why there is no answer.
     */
    record GiveUp(Optional<Throwable> error) implements Effect {}

    /**
     * The candidate stands.
     */
    record Standing() implements Effect {}

    /**
     * The candidate stands no longer.
     */
    record Stopped() implements Effect {}

    /**
     * What the store has under the key.
     */
    record Seen(LeaseRecord present) implements Effect {}

    record AcquireFinished(Outcome outcome, Call call) implements Effect {}

    record RenewFinished(Term term, Outcome outcome, Call call, long slack) implements Effect {}

    record StoreFailing(Throwable error) implements Effect {}

    record StoreRecovered(long outage) implements Effect {}

    record TokenRegressed(long granted, long highest) implements Effect {}

    /**
     * A health check failed for its grace.
     */
    record Unhealthy(Term term) implements Effect {}
}
