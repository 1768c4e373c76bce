package dev.tenure.engine;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where user code runs: never on the loop, never under a lock, and whatever it throws ends nothing but itself.
 */
final class Users {
    private static final Logger LOG = LoggerFactory.getLogger(Users.class);

    private final Executor executor;
    private final Executor spare;
    private final BooleanSupplier onLoop;
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean refusing;

    /**
     * @param spare takes what the executor refuses, or runs where it was called
     * @param onLoop whether the calling thread is the loop's
     */
    Users(Executor executor, Executor spare, BooleanSupplier onLoop) {
        this.executor = executor;
        this.spare = spare;
        this.onLoop = onLoop;
    }

    /**
     * Runs it once; what it throws is logged.
     *
     * @param what in plain words
     * @param role none if it belongs to no role
     * @param code counts it as user code of a term; none if it belongs to no term
     */
    void run(String what, @Nullable String role, @Nullable TermCode code, Runnable body) {
        run(
                code,
                body,
                thrown -> LogLine.of(LOG, CoreEvent.CALLBACK_FAILED)
                        .with("where", what)
                        .with("role", role)
                        .cause(thrown)
                        .write());
    }

    UserTask run(@Nullable TermCode code, Runnable body, UserTask.OnThrown onThrown) {
        UserTask task = new UserTask(code, body, onThrown);
        execute(task);
        return task;
    }

    /**
     * @param task a {@link UserTask} or {@link Mailbox}, which throw nothing
     */
    void execute(Runnable task) {
        if (!given(executor, task) && !given(spare, task)) {
            waiting.add(task);
        }
    }

    /**
     * Gives out again what no executor took. To be called on the loop, now and then.
     */
    void retry() {
        for (Runnable task = waiting.peek(); task != null && given(spare, task); task = waiting.peek()) {
            waiting.poll();
        }
    }

    private void run(Runnable task) {
        if (onLoop.getAsBoolean()) {
            spare.execute(task); // the executor runs it in its caller
        } else {
            task.run();
        }
    }

    private boolean given(Executor to, Runnable task) {
        try {
            to.execute(to == spare ? task : () -> run(task));
            refusing &= to != executor; // its own success ends its outage
            return true;
        } catch (Throwable refused) { // no thread to be had, for instance
            if (!refusing) {
                refusing = true;
                LogLine.of(LOG, CoreEvent.EXECUTOR_REFUSES).cause(refused).write();
            }
            return false;
        }
    }
}
