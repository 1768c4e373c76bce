package dev.tenure.spi;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import dev.tenure.schedule.SlotOutcome;
import java.time.Duration;
import java.time.Instant;

/**
 * Measures the elections of one Tenure. Called in order per candidate, on callback threads; candidates are told of side
 * by side, those of one role too. What it throws is logged. Methods may be added, all with an empty default.
 */
public interface ElectionMonitor {

    /**
     * How an attempt came out.
     */
    enum Outcome {
        SUCCEEDED,
        /**
         * Denied or refused by the store.
         */
        REFUSED,
        /**
         * No answer.
         */
        FAILED
    }

    /**
     * A candidate begins to stand.
     */
    default void standing(String role) {}

    default void acquireFinished(String role, Outcome outcome, Duration took) {}

    default void elected(Lease lease) {}

    /**
     * The term of {@code lease} follows one of another holder, whom the store named to this candidate. Follows
     * {@link #elected}.
     *
     * @param vacant how long the role can have been without a holder: the time since a wake-up said that the record had
     *     changed, or else since the record was last seen, which then is an upper bound
     */
    default void tookOver(Lease lease, Duration vacant) {}

    /**
     * A renewal came out; {@code slack} was left before the deadline when it did.
     */
    default void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {}

    /**
     * Begin nothing new: the term has ended.
     *
     * @param held from its beginning to its end: the deadline if that had passed, however late it is told
     */
    default void lost(Lease lease, LossReason reason, Duration held) {}

    /**
     * The grant itself is over. Follows {@link #lost}; at a loss at once.
     */
    default void lapsed(Lease lease) {}

    default void released(Lease lease, ReleaseOutcome outcome, Duration drained) {}

    /**
     * A candidate stands no longer.
     */
    default void stopped(String role) {}

    /**
     * The store gave the first unusable answer of an outage.
     */
    default void storeFailing(String role, Throwable error) {}

    default void storeRecovered(String role, Duration outage) {}

    default void tokenRegressed(FencingToken granted, FencingToken highest) {}

    /**
     * The wall clock moved against the monotonic one; ends nothing.
     */
    default void wallClockJumped(String role, Duration by) {}

    /**
     * Something else went wrong and was survived: a listener, leader work, the loop.
     */
    default void fault(String role, String where, Throwable error) {}

    /**
     * A channel was made for an elector of the role; may come before {@link #standing}.
     */
    default void channelOpened(String role, String channel) {}

    /**
     * A channel dropped items.
     *
     * @param reason {@code follower}, {@code full} or {@code loss}
     * @param count since it was told last
     */
    default void itemsDropped(String role, String channel, String reason, long count) {}

    /**
     * A task was scheduled for the role; may come before {@link #standing}.
     */
    default void scheduleAdded(String role, String task) {}

    /**
     * A run of a scheduled task has ended.
     *
     * @param slot when it was due
     * @param outcome one that {@linkplain SlotOutcome#isRun() is a run}
     */
    default void scheduleRun(String role, String task, Instant slot, SlotOutcome outcome, Duration took) {}

    /**
     * A slot of a scheduled task passed without a run.
     *
     * @param slot when it was due; the first of them if they are several
     * @param count how many; above 1 only for {@link SlotOutcome#MISSED}
     */
    default void scheduleSkipped(String role, String task, Instant slot, SlotOutcome outcome, long count) {}

    /**
     * The Tenure has closed, and nothing more is told. Called once: when all calls before have returned, or a second
     * after the end if one of them does not.
     */
    default void closed() {}
}
