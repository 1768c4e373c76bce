package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.RenewResult;

/**
 * What can happen to an election.
 */
public sealed interface Event {

    /**
     * The application wants to lead.
     *
     * @param highest the highest token that this process has seen for the key
     * @param mark the operator's mark that was heeded last
     */
    record Stand(long highest, long mark) implements Event {}

    /**
     * The application ends the present term: {@code RESIGNED}, {@code RELEASED}, or {@code STOPPED}, which ends the
     * candidacy as well.
     *
     * @param term which it means; 0 for the present one
     */
    record End(LossReason reason, long term) implements Event {}

    /**
     * Time has passed.
     *
     * @param everAnswered whether the store has ever answered this process
     */
    record Tick(boolean everAnswered) implements Event {}

    /**
     * Renewals of other elections go out: one that is due soon joins them.
     */
    record Batch() implements Event {}

    record Acquired(Call call, AcquireResult result) implements Event {}

    record Renewed(Call call, RenewResult result) implements Event {}

    /**
     * The answer to a release.
     *
     * @param freed false if the claim was not the present one
     */
    record Released(Call call, boolean freed) implements Event {}

    /**
     * No answer: unknown.
     *
     * @param everAnswered whether the store has ever answered this process
     */
    record Failed(Call call, Throwable error, boolean everAnswered) implements Event {}

    /**
     * A hint that something changed at the store.
     */
    record Woken() implements Event {}

    /**
     * The leader work returned while its term ran.
     */
    record WorkReturned(long term) implements Event {}

    /**
     * Leader work or an {@code elected} listener threw.
     */
    record UserCodeFailed(long term, Throwable error) implements Event {}

    /**
     * After the end of a term, all of its user code has returned.
     */
    record UserCodeEnded(long term) implements Event {}

    /**
     * Somebody who looked at the lease found the deadline passed.
     */
    record Sealed(long term) implements Event {}

    /**
     * The machine was suspended for longer than the margin.
     */
    record Suspended() implements Event {}

    record WallClockJumped() implements Event {}

    /**
     * Nobody looks at the time any more: whatever is left to tell is told now.
     */
    record Closed() implements Event {}

    record HealthAnswered(long term, boolean healthy) implements Event {}
}
