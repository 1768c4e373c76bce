package dev.tenure;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads for calls that block; none is kept for long when idle. A call is interrupted at its limit, which counts
 * from when it was handed in, and then counts as unanswered whatever it does.
 */
final class BlockingThreads {
    private static final Logger LOG = LoggerFactory.getLogger(BlockingThreads.class);

    private final String name;
    private final ThreadPoolExecutor pool;

    BlockingThreads(String name, int most) {
        this.name = name;
        this.pool = new ThreadPoolExecutor(most, most, 5, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread thread = new Thread(task, "tenure-store");
            thread.setDaemon(true);
            return thread;
        });
        pool.allowCoreThreadTimeOut(true);
    }

    /**
     * A call and what it is to answer.
     */
    private static final class Call<T> extends FutureTask<Void> {
        private final CompletableFuture<T> answer;

        Call(Callable<T> call, CompletableFuture<T> answer) {
            super(() -> run(call, answer), null);
            this.answer = answer;
        }

        private static <T> void run(Callable<T> call, CompletableFuture<T> answer) {
            try {
                answer.complete(call.call());
            } catch (Throwable unknown) { // an Error too: the engine must get an answer
                answer.completeExceptionally(unknown);
            }
        }
    }

    <T> CompletableFuture<T> call(Duration limit, Callable<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Call<T> running = new Call<>(call, answer);
        try {
            pool.execute(running);
        } catch (RejectedExecutionException closed) {
            answer.completeExceptionally(new StoreUnavailableException(name + " is closed", closed));
            return answer;
        } catch (OutOfMemoryError noThread) {
            answer.completeExceptionally(new StoreUnavailableException("no thread to be had for " + name, noThread));
            return answer;
        }
        CompletableFuture<Void> timer = new CompletableFuture<Void>()
                .completeOnTimeout(null, Math.max(1, limit.toNanos()), TimeUnit.NANOSECONDS);
        timer.thenRun(() -> {
            StoreUnavailableException late =
                    new StoreUnavailableException(name + " gave no answer within " + OptionRules.text(limit), null);
            if (answer.completeExceptionally(late)) {
                running.cancel(true);
                pool.remove(running); // one that never began
            }
        });
        return answer.whenComplete((value, error) -> timer.cancel(false));
    }

    void logCloseFailure(RuntimeException failure) {
        LogLine.of(LOG, CoreEvent.STORE_CLOSE_FAILED)
                .with("store", name)
                .cause(failure)
                .write();
    }

    /**
     * Interrupts what runs, and fails what waits.
     */
    void close() {
        for (Runnable waiting : pool.shutdownNow()) {
            if (waiting instanceof Call<?> call) {
                call.answer.completeExceptionally(new StoreUnavailableException(name + " is closed", null));
            }
        }
    }
}
