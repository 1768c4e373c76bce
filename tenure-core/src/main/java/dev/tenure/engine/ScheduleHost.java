package dev.tenure.engine;

import dev.tenure.FencedOutException;
import dev.tenure.Lease;
import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.SlotOutcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What schedules take from the leadership that they follow, beyond the API: clocks, alarms, and a place for user code.
 * Whatever it calls back (alarms, begins of terms) returns soon, runs no user code on the calling thread unless
 * {@link #run} or {@link #call} of this host does, and may call this host from within.
 */
public interface ScheduleHost {

    /**
     * A leadership that has a host for schedules.
     */
    interface Owner {
        ScheduleHost scheduleHost();
    }

    /**
     * Rings once each time it is set. Thread-safe.
     */
    interface Alarm {
        /**
         * Instead of the time set before.
         *
         * @param at on {@link Time#now()}; soon if that is past, {@link Time#NEVER} for not at all. It may ring earlier.
         */
        void set(long at);

        /**
         * Never rings again.
         */
        void cancel();
    }

    /**
     * One piece of user code.
     */
    interface Run {
        /**
         * To be called at most once, on a thread that may be interrupted meanwhile.
         */
        void begin() throws Exception;

        /**
         * To be called once, after {@link #begin()} or instead of it, when no interrupt can come any more. Throws nothing.
         *
         * @param begun whether {@link #begin()} was called
         * @param interrupted whether the host interrupted it, for its term had ended
         * @param thrown by {@link #begin()}, or what kept the host from calling it
         */
        void ended(boolean begun, boolean interrupted, @Nullable Throwable thrown);
    }

    String role();

    /**
     * Refuses what is to be scheduled on a leadership that can never be held again.
     *
     * @throws IllegalStateException if it is closed, so that nothing would ever run
     */
    default void ensureOpen() {}

    Time time();

    /**
     * The lease while it is held, judged by the clock now.
     */
    @Nullable
    Lease held();

    /**
     * The most that is ever left of a lease; null if that is not known.
     */
    default @Nullable Duration longestRemaining() {
        return null;
    }

    /**
     * How long closing waits for runs.
     */
    default Duration drainTimeout() {
        return Duration.ofSeconds(10);
    }

    /**
     * Calls back at the begin of each term, when {@link #held()} gives its lease; soon if one runs already.
     */
    Registration terms(Runnable begun);

    /**
     * One that is not set yet.
     */
    Alarm alarm(Runnable due);

    /**
     * Runs what leads to user code that belongs to no term.
     */
    void call(String what, Runnable task);

    /**
     * Runs user code of a term: a voluntary end waits for it, and it is interrupted when leader work is. If the lease is
     * not held any more, it is ended without having begun.
     */
    void run(Lease lease, Run run);

    /**
     * A run of this term learned that a later leader has written: the term is over.
     */
    void fencedOut(Lease lease, FencedOutException thrown);

    /**
     * Something went wrong and was survived.
     *
     * @param event as which it is logged
     * @param log false if the same was logged a short while ago: then only the monitors are told
     */
    void fault(CoreEvent event, String where, Throwable error, boolean log);

    /**
     * Tells the monitors.
     */
    default void scheduleRun(String task, Instant slot, SlotOutcome outcome, Duration took) {}

    /**
     * Tells the monitors.
     */
    default void scheduleSkipped(String task, Instant slot, SlotOutcome outcome, long count) {}

    /**
     * Tells the monitors of a new task.
     */
    void added(String task);
}
