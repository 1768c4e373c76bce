package dev.tenure.test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Threads that begin their calls at the same instant.
 */
final class Together implements AutoCloseable {
    private final ExecutorService threads;
    private final Duration patience;

    /**
     * @param count how many calls run at once
     * @param patience how long all may take together
     */
    Together(int count, Duration patience) {
        this.patience = patience;
        this.threads = Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, "contract");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * The answers, each at the index of its call. What one throws is thrown.
     */
    <T> List<T> run(List<? extends Callable<? extends T>> calls) {
        CyclicBarrier start = new CyclicBarrier(calls.size());
        List<CompletableFuture<T>> running = new ArrayList<>();
        for (Callable<? extends T> call : calls) {
            running.add(CompletableFuture.supplyAsync(
                    () -> {
                        try {
                            start.await();
                            return call.call();
                        } catch (Exception failed) {
                            throw new CompletionException(failed);
                        }
                    },
                    threads));
        }
        return running.stream().map(answer -> Answers.within(patience, answer)).toList();
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
