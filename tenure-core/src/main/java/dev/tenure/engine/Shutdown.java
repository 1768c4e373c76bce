package dev.tenure.engine;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a Tenure: signals, drains, releases, and leaves nothing behind.
 */
final class Shutdown {
    private static final Logger LOG = LoggerFactory.getLogger(Shutdown.class);
    private static final long LAST_WORDS = TimeUnit.SECONDS.toNanos(1);
    private static final long POLL = TimeUnit.MILLISECONDS.toNanos(20);

    private final Hub hub;
    private final Registry registry;
    private final @Nullable LoopThread driver;
    private final @Nullable CallbackThreads threads;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    Shutdown(Hub hub, Registry registry, @Nullable LoopThread driver, @Nullable CallbackThreads threads) {
        this.hub = hub;
        this.registry = registry;
        this.driver = driver;
        this.threads = threads;
    }

    /**
     * Signals everything; complete when all ends are settled.
     */
    CompletableFuture<Void> begin() {
        registry.close();
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (EngineElector elector : registry.allElectors()) {
            ends.add(elector.stopNow());
        }
        for (Acquisition acquisition : registry.acquisitions()) {
            ends.add(acquisition.cancel());
        }
        List.copyOf(registry.awaited()).forEach(EngineElector::cancelWaiting);
        List.copyOf(registry.watches()).forEach(EngineWatch::close);
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    }

    void close() {
        UserTask.detachCurrent();
        boolean first = registry.close();
        boolean interrupted = Thread.interrupted();
        try {
            if (first) {
                interrupted |= await(begin(), longestDrain());
                interrupted |= awaitOrphans();
                end();
                interrupted |= driver != null && await(lastWords(), LAST_WORDS);
                hub.monitors().forEach(MonitorFeed::giveUp);
                if (threads != null) {
                    threads.shutdown();
                }
            } else {
                interrupted |= await(done, longestDrain());
            }
        } catch (RuntimeException | Error survived) {
            LogLine.of(LOG, CoreEvent.CLOSE_FAULTED).cause(survived).write();
        } finally {
            if (first) {
                done.complete(null);
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private CompletableFuture<Void> lastWords() {
        List<CompletableFuture<Void>> all = new ArrayList<>(List.of(hub.log().written()));
        hub.monitors().forEach(monitor -> all.add(monitor.over()));
        return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
    }

    private long longestDrain() {
        return hub.participants().stream()
                .mapToLong(each -> each.timing().drain() + 2 * each.timing().call())
                .max()
                .orElse(0);
    }

    /**
     * True if interrupted, which ends the waiting only.
     */
    private static boolean await(CompletableFuture<?> ends, long limit) {
        try {
            ends.get(limit, TimeUnit.NANOSECONDS);
            return false;
        } catch (InterruptedException stop) {
            return true;
        } catch (ExecutionException | TimeoutException late) {
            LogLine.of(LOG, CoreEvent.CLOSE_LATE).cause(late).write();
            return false;
        }
    }

    /**
     * Claims that were abandoned are released meanwhile; what does not answer is left to expire.
     */
    private boolean awaitOrphans() {
        long limit = hub.participants().stream()
                .mapToLong(each -> each.timing().call())
                .max()
                .orElse(0);
        long until = hub.time().now() + limit;
        boolean interrupted = false;
        while (hub.time().now() < until
                && !interrupted
                && hub.participants().stream()
                        .anyMatch(each -> each.election().orphans().stream()
                                .anyMatch(orphan ->
                                        orphan.pause() <= 2 * each.timing().retry()))) {
            CompletableFuture<Void> pause = new CompletableFuture<>();
            interrupted = await(pause, POLL);
        }
        return interrupted;
    }

    private void end() {
        hub.participants().forEach(participant -> participant.post(new Event.Closed()));
        if (driver != null) {
            driver.close();
            hub.loop().end();
            hub.users().retry();
            hub.monitors().forEach(MonitorFeed::end);
        } else {
            hub.loop().post(() -> hub.monitors().forEach(MonitorFeed::end)); // after the events above
        }
        try {
            hub.store().close();
        } catch (RuntimeException | Error survived) {
            LogLine.of(LOG, CoreEvent.STORE_CLOSE_FAILED)
                    .with("store", hub.store().traits().name())
                    .cause(survived)
                    .write();
        }
    }
}
