package dev.tenure.schedule;

import dev.tenure.LeaderWork;
import dev.tenure.Leadership;
import dev.tenure.Registration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs tasks on the leader only.
 *
 * <p>Not promised:
 * <ul>
 * <li>That a slot runs exactly once. {@link AfterHandOver} is the choice between at most once and at least once around a
 * change of the leader, and both suppose that each run gives its token to whatever it writes to: a leader that was
 * frozen in a run goes on with it when it wakes up, beside its successor.
 * <li>That a slot runs at all: nobody may lead, or the run before may still go on. What became of each slot is counted.
 * <li>Punctuality. A slot begins when a thread is there, and wall clocks of two instances differ.
 * </ul>
 *
 * <p>A run starts while the lease is held. It is user code of the term: on a loss its thread is interrupted at once; at a
 * voluntary end it may finish, while the lease is still renewed, is interrupted after {@code interruptAfter}, and the
 * lease is released when it has returned; one that outlasts {@code drainTimeout} keeps this instance from standing again
 * until it returns. Returning does not end the term. What it throws is logged, told to the monitors and counted, and the
 * next slot is tried again; only a {@link dev.tenure.FencedOutException} ends the term, as
 * {@link dev.tenure.LossReason#TAKEN_OVER}. One task never overlaps itself: a slot that comes due during a run is
 * skipped, not queued. Tasks do not delay each other, and those due at once run at once, each on a callback thread of the
 * Tenure; its {@code executor} can limit that.
 *
 * <p>A slot is decided once, at the time when it is due by the wall clock of this instance; a follower records a skip. A
 * slot that is seen later than a newer one was due is {@link SlotOutcome#MISSED}, and the newer one stands for it. A
 * clock that is set back brings no slot again that was decided; a clock that is set is noticed within half a minute, by an
 * elector that stands within a second.
 *
 * <p>It has no thread of its own, and none is used between slots. Any number may be on one leadership, which may stand or
 * not, and may be stopped and started again. It stays in use until it, or the Tenure of its elector, is closed. A
 * {@link Leadership} that is not Tenure's own, such as a mock or one that wraps another, is followed by timers and the
 * common pool of the JDK: its voluntary ends do not wait for runs.
 *
 * <p>Thread-safe. Implemented by Tenure only; methods may be added.
 */
public interface LeaderScheduler extends AutoCloseable {

    /**
     * A scheduler without tasks.
     *
     * @param leadership an elector, for instance; it may stand or not
     * @throws IllegalStateException if it is an elector whose Tenure is closed
     */
    static LeaderScheduler on(Leadership leadership) {
        return TenureScheduler.on(leadership);
    }

    /**
     * Runs a task whenever it is due, with the lease of the term.
     *
     * @param task a name, unique in this scheduler, for logs and monitors
     * @param run is not called again before it has returned; returning ends nothing
     * @return ends this task: no run of it begins any more, one under way goes on. Its name is free at once, but a task
     *     that takes it begins no run before that one has ended: a slot meanwhile is {@link SlotOutcome#STILL_RUNNING}.
     * @throws dev.tenure.InvalidOptionsException naming every option that cannot work
     * @throws IllegalStateException if there is such a task, or this or the Tenure of its elector is closed
     */
    default Registration schedule(String task, Schedule schedule, LeaderWork run) {
        return schedule(task, schedule, options -> {}, run);
    }

    /**
     * As {@link #schedule(String, Schedule, LeaderWork)}, with options.
     */
    Registration schedule(String task, Schedule schedule, Consumer<TaskOptions> options, LeaderWork run);

    /**
     * As {@link #schedule(String, Schedule, LeaderWork)}, for a task that is told its slot.
     */
    default Registration schedule(String task, Schedule schedule, SlotWork run) {
        return schedule(task, schedule, options -> {}, run);
    }

    /**
     * As {@link #schedule(String, Schedule, SlotWork)}, with options.
     */
    Registration schedule(String task, Schedule schedule, Consumer<TaskOptions> options, SlotWork run);

    /**
     * The tasks as they are now, by name.
     */
    List<TaskStatus> tasks();

    /**
     * Begins no further run and waits for those under way, of removed tasks as well, at most for the elector's
     * {@code drainTimeout}; ends none.
     * Does not wait for the run that it is called from, nor for one that is in this call itself. An interrupt ends the
     * waiting. Idempotent.
     */
    @Override
    void close();
}
