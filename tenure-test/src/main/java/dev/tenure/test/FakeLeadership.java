package dev.tenure.test;

import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Leadership that a test decides: no store, no threads, its own time. Give it to the code under test as its
 * {@link dev.tenure.Leadership} or {@link LeaderElector}, and say when it leads and when it does not.
 *
 * <pre>{@code
 * FakeLeadership billing = FakeLeadership.of("billing");
 * Heating heating = new Heating(billing);
 * billing.elect();
 * assert heating.isOn();
 * billing.lose(LossReason.TAKEN_OVER);
 * assert !heating.isOn();
 * }</pre>
 *
 * <p>Listeners, callbacks and stages run on the thread that causes what they are told, before that call returns, and
 * never under a lock; each registration in its own order. One that is told from within itself, or by another thread
 * while it runs, is told when it has returned. As with a real elector, what {@code elected} throws ends the term as
 * {@link LossReason#WORK_FAILED} (a {@link dev.tenure.FencedOutException} as {@link LossReason#TAKEN_OVER}), and what
 * {@code lost} throws ends nothing; both are logged and kept in {@link #failures()}.
 *
 * <p>Nothing sleeps, and time passes only in {@link #advance}: {@link Lease#awaitLost} and
 * {@link #awaitLeadership(Duration)} answer at once. Only {@link #awaitLeadership()} waits, for another thread to elect,
 * unless this was stopped: then it throws a {@link java.util.concurrent.CancellationException}.
 *
 * <p>A {@link dev.tenure.channel.LeaderChannel} and a {@link dev.tenure.schedule.LeaderScheduler} work on it, the tasks of
 * the scheduler on the thread that lets time pass.
 *
 * <p>It can be elected without {@link #start()}, for code that is handed a leadership does not start it; but not after
 * {@link #stop()}. It does not stand again by itself. Thread-safe.
 */
public sealed interface FakeLeadership extends LeaderElector permits FakeElector {

    /**
     * With default options.
     *
     * @throws dev.tenure.InvalidOptionsException if there can be no such role
     */
    static FakeLeadership of(String role) {
        return of(role, ElectionOptions.defaults());
    }

    /**
     * With options: those of the lease, of its margin and of draining are followed, {@code whenUncoordinated},
     * {@code startDelay}, back-off and health check are not; all are described.
     *
     * @throws dev.tenure.InvalidOptionsException if there can be no such role or key
     */
    static FakeLeadership of(String role, ElectionOptions options) {
        return new FakeElector(role, options);
    }

    /**
     * Work that belongs to the leader: {@link #elect} runs it once per term, on its own thread, and returns when the
     * work has; {@link #electForChecks} ends work that goes on until its term is over. What it throws is kept in
     * {@link #failures()}, unless it was interrupted or told that the lease is lost.
     */
    FakeLeadership runs(LeaderWork work);

    /**
     * Begins a term with the next token, and tells who listens; no effect while it leads. A term that still drains is
     * released first.
     *
     * @return the lease of the term, which may be over already: a listener threw, or the work has returned
     * @throws IllegalStateException if this was stopped, or if the work of the term before still runs
     */
    Lease elect();

    /**
     * {@link #elect()}, with a token.
     *
     * @throws IllegalArgumentException unless the token is above all of before, those of {@link #follow} included
     * @throws IllegalStateException as {@link #elect()}, or if this leads already
     */
    Lease electWithToken(long token);

    /**
     * {@link #elect()}, for a loop on one thread: the lease is held at the next {@code checks} looks at it, and lost as
     * {@link LossReason#DEADLINE_EXCEEDED} at the one after. Looks are the calls of {@link Lease#isHeld},
     * {@link Lease#ensureHeld()}, {@link Lease#ensureHeld(Duration)} and {@link Lease#awaitLost}, whoever makes them; to
     * ask this leadership is none.
     */
    Lease electForChecks(int checks);

    /**
     * The same, with another end. A voluntary one drains until the work that this {@link #runs} has returned, or, if it
     * runs none, as after {@link #beginEnd}.
     */
    Lease electForChecks(int checks, LossReason end);

    /**
     * Ends the present term, if any, as a real one ends for this reason. After a voluntary one the lease is released as
     * soon as listeners and work have returned; a refusal or a passed deadline also cuts a term that drains.
     */
    void lose(LossReason reason);

    /**
     * Begins a voluntary end as if work were not done yet: the lease is not held, and there is time
     * {@linkplain Lease#remaining() remaining}, until {@link #finishEnd()} or as long as {@link #advance} lets it. No
     * effect unless it leads.
     *
     * @throws IllegalArgumentException if the reason is none that the application decides
     */
    void beginEnd(LossReason reason);

    /**
     * Work is done: releases what drains after {@link #beginEnd}.
     */
    void finishEnd();

    /**
     * Lets time pass without a renewal, and does on this thread what falls due: the lease runs out at its deadline, that
     * is after {@code lease} less {@code safetyMargin}; work is interrupted {@code interruptAfter} after a voluntary end,
     * and the record is left to expire at {@code drainTimeout}.
     *
     * @throws IllegalArgumentException if time is negative
     */
    void advance(Duration time);

    /**
     * The same with renewals in time, as for a leader whose store answers: the term goes on, and what is scheduled on it
     * runs. Goes in steps of {@code renewInterval}, so that a long time takes long: for months give the double a longer
     * lease.
     *
     * @throws IllegalArgumentException if time is negative
     */
    void advanceRenewing(Duration time);

    /**
     * What a clock on the wall shows: the begin of 2026, in UTC, and the time that has passed.
     */
    Instant now();

    /**
     * A renewal is confirmed now: the lease that is held, or drains, has its full time again.
     */
    void renew();

    /**
     * Somebody else leads: ends the present term, if any, as {@link LossReason#TAKEN_OVER}. The next own token is above
     * that of this leader.
     *
     * @throws IllegalArgumentException if it leads another role
     */
    void follow(Leader leader);

    /**
     * Nobody else leads any more.
     */
    void followNobody();

    /**
     * What others see of this instance from its next term on; its name is {@code this}.
     */
    FakeLeadership announce(Map<String, String> metadata);

    /**
     * Whether there are tokens; default true. Holds for {@link #isCoordinated()} at once, for leases from the next term
     * on: one without coordination has no token, and no deadline.
     */
    FakeLeadership setCoordinated(boolean coordinated);

    /**
     * What {@link #health()} and {@link #describe()} say until the next term begins, however things are.
     */
    FakeLeadership setHealth(ElectorHealth health);

    /**
     * Follows who leads as this leadership knows it, for code that needs a watch.
     */
    LeaderWatch watch();

    /**
     * Whether it was started or elected, and not stopped since.
     */
    boolean isStanding();

    /**
     * What happened, one line each: {@code elected billing=1}, {@code lost billing=1 RESIGNED}.
     */
    List<String> history();

    /**
     * How many listeners are registered, here and with watches of this, channels and schedulers that are not closed
     * included: to test for leaks. {@link Lease#onLost} is not counted, since it ends with the term.
     */
    int listeners();

    /**
     * What listeners, callbacks and work threw, in order. {@link LeadershipLeaks} reports what was not asked for.
     */
    List<Throwable> failures();

    @Override
    FakeLeadership start();
}
