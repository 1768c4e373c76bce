package dev.tenure;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Daemon threads for calls that block; none is kept for long when idle. A call is interrupted at its limit, and then
 * counts as unanswered whatever it does.
 */
final class BlockingThreads {
    private static final Logger LOG = LoggerFactory.getLogger(BlockingThreads.class);
    private static final int MOST = 64;

    private final String name;
    private final ThreadPoolExecutor pool;

    BlockingThreads(String name) {
        this.name = name;
        this.pool = new ThreadPoolExecutor(0, MOST, 5, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
            Thread thread = new Thread(task, "tenure-store");
            thread.setDaemon(true);
            return thread;
        });
    }

    <T> CompletableFuture<T> call(Duration limit, Callable<T> call) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        Future<?> running;
        try {
            FutureTask<Void> task = new FutureTask<>(() -> run(call, answer), null);
            pool.execute(task);
            running = task;
        } catch (RejectedExecutionException full) {
            answer.completeExceptionally(new StoreUnavailableException(
                    pool.isShutdown() ? name + " is closed" : MOST + " calls of " + name + " hang already", full));
            return answer;
        }
        CompletableFuture<Void> timer = new CompletableFuture<Void>()
                .completeOnTimeout(null, Math.max(1, limit.toNanos()), TimeUnit.NANOSECONDS);
        timer.thenRun(() -> {
            StoreUnavailableException late =
                    new StoreUnavailableException(name + " gave no answer within " + OptionRules.text(limit), null);
            if (answer.completeExceptionally(late)) {
                running.cancel(true);
            }
        });
        return answer.whenComplete((value, error) -> timer.cancel(false));
    }

    private static <T> void run(Callable<T> call, CompletableFuture<T> answer) {
        try {
            answer.complete(call.call());
        } catch (Throwable unknown) { // an Error too: the engine must get an answer
            answer.completeExceptionally(unknown);
        }
    }

    void logCloseFailure(RuntimeException failure) {
        LOG.warn("closing {} failed", name, failure);
    }

    void close() {
        pool.shutdownNow();
    }
}
