package dev.tenure.redis;

import dev.tenure.StoreUnavailableException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The one connection for commands: made when it is needed, and made anew when it is closed, silent, or leads to a server
 * that takes no writes. A call while there is none waits for one attempt, which all share; it is never queued beyond.
 */
final class Link {
    /**
     * So long one failure answers for all: thousands of elections do not each knock at a closed door.
     */
    private static final long FAILURE_LASTS = Duration.ofMillis(50).toNanos();

    /**
     * A Cluster's client connects to a node when something is first sent to it, and refuses that. Nothing was sent then.
     */
    private static final String NODE_NOT_CONNECTED = "Currently not connected";

    private static final Duration NODE_PAUSE = Duration.ofMillis(10);
    private static final int NODE_TRIES = 40;

    private static final long LONGEST_ATTEMPT = Duration.ofSeconds(10).toNanos();

    private final Connector connector;
    private final Runnable onConnected;
    private final Runnable onGivenUp;
    private final AtomicReference<@Nullable Attempt> current = new AtomicReference<>();
    private volatile boolean closed;

    /**
     * @param onConnected told on any thread when a connection was made
     * @param onGivenUp told on any thread when one was given up that was silent or led elsewhere
     */
    Link(Connector connector, Runnable onConnected, Runnable onGivenUp) {
        this.connector = connector;
        this.onConnected = onConnected;
        this.onGivenUp = onGivenUp;
    }

    /**
     * Sends as soon as there is a connection.
     *
     * @param limit how long the caller waits: later nothing is sent any more, and what was sent is not cancelled
     */
    <T> CompletionStage<T> call(
            Duration limit, Function<RedisClusterAsyncCommands<String, String>, ? extends CompletionStage<T>> command) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        long from = System.nanoTime();
        Attempt attempt = attempt(limit);
        attempt.wire.whenComplete((wire, failed) -> {
            if (failed != null) {
                answer.completeExceptionally(Trouble.asStoreException(connector.where(), failed));
            } else if (System.nanoTime() - from > limit.toNanos()) {
                answer.completeExceptionally(new StoreUnavailableException(
                        connector.where() + ": not connected within the call's limit of " + limit.toMillis() + " ms",
                        null));
            } else {
                send(attempt, wire, command, answer, connector.isCluster() ? NODE_TRIES : 0);
            }
        });
        return answer;
    }

    private <T> void send(
            Attempt over,
            Wire wire,
            Function<RedisClusterAsyncCommands<String, String>, ? extends CompletionStage<T>> command,
            CompletableFuture<T> answer,
            int triesLeft) {
        wire.sent();
        try {
            command.apply(wire.commands()).whenComplete((value, failed) -> {
                wire.heard();
                if (failed == null) {
                    answer.complete(value);
                    return;
                }
                if (triesLeft > 0
                        && isNotSent(failed)
                        && later(() -> send(over, wire, command, answer, triesLeft - 1))) {
                    return;
                }
                if (Trouble.of(Trouble.rootOf(failed)) == Trouble.ELSEWHERE) {
                    giveUp(over);
                }
                answer.completeExceptionally(Trouble.asStoreException(connector.where(), failed));
            });
        } catch (RuntimeException refused) { // not connected
            wire.heard();
            answer.completeExceptionally(Trouble.asStoreException(connector.where(), refused));
        }
    }

    /**
     * False if the driver is about to end.
     */
    private boolean later(Runnable again) {
        try {
            connector.later(NODE_PAUSE, again);
            return true;
        } catch (RejectedExecutionException ending) {
            return false;
        }
    }

    private static boolean isNotSent(Throwable failed) {
        return String.valueOf(Trouble.rootOf(failed).getMessage()).startsWith(NODE_NOT_CONNECTED);
    }

    private Attempt attempt(Duration limit) {
        while (true) {
            Attempt present = current.get();
            if (present != null && (closed || present.isUsable(limit))) {
                return present;
            }
            Attempt next = new Attempt();
            if (closed) {
                next.wire.completeExceptionally(
                        new StoreUnavailableException(connector.where() + ": the store is closed", null));
                return next;
            }
            if (current.compareAndSet(present, next)) {
                next.begin(connector);
                next.wire.thenRun(onConnected);
                if (present != null) {
                    boolean silent = present.wasConnected();
                    present.close();
                    if (silent) {
                        onGivenUp.run();
                    }
                }
                if (closed) {
                    next.close();
                }
                return next;
            }
        }
    }

    private void giveUp(Attempt attempt) {
        if (current.compareAndSet(attempt, null)) {
            attempt.close();
            onGivenUp.run();
        }
    }

    /**
     * Complete when the connection is closed.
     */
    CompletableFuture<Void> close() {
        closed = true;
        Attempt present = current.get();
        return present == null ? CompletableFuture.completedFuture(null) : present.close();
    }

    private static final class Attempt {
        final CompletableFuture<Wire> wire = new CompletableFuture<>();
        private final long beganAt = System.nanoTime();
        private volatile long failedAt;

        void begin(Connector connector) {
            CompletionStage<Wire> made;
            try {
                made = connector.connect().thenApply(Wire::new);
            } catch (RuntimeException failed) {
                made = CompletableFuture.failedStage(failed);
            }
            made.whenComplete((connected, failed) -> {
                if (failed != null) {
                    failedAt = System.nanoTime();
                    wire.completeExceptionally(Trouble.rootOf(failed));
                } else if (!wire.complete(connected)) {
                    connected.close(); // it was given up meanwhile
                }
            });
        }

        boolean isUsable(Duration limit) {
            long now = System.nanoTime();
            if (!wire.isDone()) {
                return now - beganAt < LONGEST_ATTEMPT;
            }
            if (wire.isCompletedExceptionally()) {
                return now - failedAt < FAILURE_LASTS;
            }
            return wire.join().isSound(limit);
        }

        boolean wasConnected() {
            return wire.isDone() && !wire.isCompletedExceptionally();
        }

        CompletableFuture<Void> close() {
            failedAt = System.nanoTime();
            wire.completeExceptionally(new StoreUnavailableException("the connection was given up", null));
            return wire.isCompletedExceptionally()
                    ? CompletableFuture.completedFuture(null)
                    : wire.join().close();
        }
    }
}
