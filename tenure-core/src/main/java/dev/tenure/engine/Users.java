package dev.tenure.engine;

import java.util.concurrent.Executor;
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
    private volatile boolean refusing;

    /**
     * @param spare takes what the executor refuses
     */
    Users(Executor executor, Executor spare) {
        this.executor = executor;
        this.spare = spare;
    }

    /**
     * Runs it once; what it throws is logged.
     *
     * @param code counts it as user code of a term; none if it belongs to no term
     */
    void run(String what, @Nullable TermCode code, Runnable body) {
        run(code, body, thrown -> LOG.warn("{} threw", what, thrown));
    }

    UserTask run(@Nullable TermCode code, Runnable body, UserTask.OnThrown onThrown) {
        UserTask task = new UserTask(code, body, onThrown);
        execute(task);
        return task;
    }

    void execute(Runnable task) {
        try {
            executor.execute(task);
            refusing = false;
        } catch (RuntimeException | Error refused) {
            if (!refusing) {
                refusing = true;
                LOG.warn("the executor refuses user code; it runs on threads of Tenure until it does not", refused);
            }
            spare.execute(task);
        }
    }
}
