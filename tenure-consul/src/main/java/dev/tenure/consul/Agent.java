package dev.tenure.consul;

import dev.tenure.StoreException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.log.LogLine;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Speaks HTTP to one agent, over about eight connections at most. Up to six of them may be held by blocking queries;
 * other requests share what is left, two at least, and wait for their turn.
 */
final class Agent {
    private static final Logger LOG = LoggerFactory.getLogger(Agent.class);
    /**
     * One less than there may be: a request may be sent before the connection of the last one can be used again.
     */
    private static final int MOST_CONNECTIONS = 7;

    private static final int LEAST_TURNS = 2;
    /**
     * The client's own limit covers the beginning of an answer only; this one covers all of it.
     */
    private static final Duration SLACK = Duration.ofMillis(50);

    private static final Duration CONNECT = Duration.ofSeconds(3);

    /**
     * An answer that is no error of the agent's: 200, 404 and 409 mean something to the asker.
     *
     * @param index of a blocking query; 0 if none
     */
    record Answer(int status, String body, long index) {}

    private final ConsulOptions options;
    private final ScheduledThreadPoolExecutor threads;
    private volatile @Nullable HttpClient http;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Map<Long, CompletableFuture<?>> underWay = new ConcurrentHashMap<>();
    private final AtomicLong sent = new AtomicLong();
    private int running;
    private int held;
    private volatile boolean closed;

    Agent(ConsulOptions options, @Nullable SSLContext tls) {
        this.options = options;
        AtomicInteger count = new AtomicInteger();
        threads = new ScheduledThreadPoolExecutor(2, task -> {
            Thread thread =
                    new Thread(task, "tenure-consul-" + options.agent().getPort() + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.setRemoveOnCancelPolicy(true);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(CONNECT)
                .executor(threads);
        http = (tls == null ? builder : builder.sslContext(tls)).build();
    }

    String where() {
        return options.toString();
    }

    ConsulOptions options() {
        return options;
    }

    /**
     * When it is this request's turn.
     *
     * @param path with the query
     * @param limit from now on
     * @param rule of an ACL policy, that it needs
     */
    CompletableFuture<Answer> call(String method, String path, String body, Duration limit, String rule) {
        return call(method, path, body, limit, Duration.ZERO, rule);
    }

    /**
     * Waits longer for an answer that somebody must have, without keeping others from their turn.
     *
     * @param longer beyond the limit
     */
    CompletableFuture<Answer> call(
            String method, String path, String body, Duration limit, Duration longer, String rule) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        long began = System.nanoTime();
        enqueue(() -> {
            Duration left = limit.minusNanos(System.nanoTime() - began);
            if (left.isNegative() || left.isZero()) {
                answer.completeExceptionally(unavailable("no turn in time"));
                next();
                return;
            }
            AtomicBoolean turn = new AtomicBoolean(true);
            if (!longer.isZero()) {
                later(left, () -> end(turn));
            }
            send(method, path, body, left.plus(longer), rule).whenComplete((value, failed) -> {
                end(turn);
                if (failed == null) {
                    answer.complete(value);
                } else {
                    answer.completeExceptionally(Trouble.rootOf(failed));
                }
            });
        });
        return answer;
    }

    /**
     * At once, for a query that the agent holds until something changes. Cancelling it ends the exchange.
     */
    CompletableFuture<HttpResponse<String>> hold(String path, Duration limit) {
        synchronized (waiting) {
            held++;
        }
        CompletableFuture<HttpResponse<String>> exchange = raw("GET", path, "", limit);
        exchange.whenComplete((response, failed) -> {
            synchronized (waiting) {
                held--;
            }
            proceed();
        });
        return exchange;
    }

    Answer answerOf(HttpResponse<String> response, String rule) {
        int status = response.statusCode();
        if (status != 200 && status != 404 && status != 409) {
            throw Trouble.answered(where(), status, response.body(), rule, options.token());
        }
        String index = response.headers().firstValue("X-Consul-Index").orElse("0");
        try {
            return new Answer(status, response.body(), Long.parseUnsignedLong(index));
        } catch (NumberFormatException unsound) {
            return new Answer(status, response.body(), 0);
        }
    }

    private CompletableFuture<Answer> send(String method, String path, String body, Duration limit, String rule) {
        return raw(method, path, body, limit).handle((response, failed) -> {
            if (failed != null) {
                throw Trouble.unanswered(where(), failed);
            }
            return answerOf(response, rule);
        });
    }

    private CompletableFuture<HttpResponse<String>> raw(String method, String path, String body, Duration limit) {
        if (closed) {
            return CompletableFuture.failedFuture(unavailable("the store is closed"));
        }
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(options.agent() + options.place().in(path)))
                    .timeout(limit)
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
            String token = options.token().now(where());
            if (!token.isEmpty()) {
                request.header("X-Consul-Token", token);
            }
            HttpClient client = http;
            if (client == null) {
                throw unavailable("the store is closed");
            }
            CompletableFuture<HttpResponse<String>> exchange =
                    client.sendAsync(request.build(), BodyHandlers.ofString());
            long number = sent.incrementAndGet();
            underWay.put(number, exchange);
            Future<?> late = after(limit.plus(SLACK), () -> exchange.cancel(true)); // which closes the connection
            exchange.whenComplete((response, failed) -> {
                underWay.remove(number);
                late.cancel(false);
            });
            if (closed) {
                exchange.cancel(true);
            }
            return exchange;
        } catch (RuntimeException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private void enqueue(Runnable request) {
        synchronized (waiting) {
            waiting.add(request);
        }
        proceed();
    }

    private void end(AtomicBoolean turn) {
        if (turn.getAndSet(false)) {
            next();
        }
    }

    private void next() {
        synchronized (waiting) {
            running--;
        }
        proceed();
    }

    /**
     * Sends what has its turn now.
     */
    private void proceed() {
        while (true) {
            Runnable request;
            synchronized (waiting) {
                if (running + held >= MOST_CONNECTIONS && running >= LEAST_TURNS) {
                    return;
                }
                request = waiting.poll();
                if (request == null) {
                    return;
                }
                running++;
            }
            try {
                threads.execute(request); // neither on the asker's thread nor deeper and deeper
            } catch (RejectedExecutionException closedMeanwhile) {
                request.run(); // nothing is sent any more
            }
        }
    }

    void later(Duration delay, Runnable task) {
        Future<?> unused = after(delay, task);
    }

    private Future<?> after(Duration delay, Runnable task) {
        try {
            return threads.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closedMeanwhile) {
            return CompletableFuture.completedFuture(null);
        }
    }

    StoreException unavailable(String why) {
        return new StoreUnavailableException(where() + ": " + why, null);
    }

    boolean isClosed() {
        return closed;
    }

    /**
     * Gives up what is under way.
     */
    void close() {
        closed = true;
        underWay.values().forEach(exchange -> exchange.cancel(true));
        threads.shutdown();
        HttpClient client = http;
        http = null;
        if ((Object) client
                instanceof AutoCloseable) { // from Java 21 on; before, its thread ends once it is unreachable
            try {
                HttpClient.class.getMethod("shutdownNow").invoke(client);
            } catch (ReflectiveOperationException | RuntimeException unreachable) {
                LogLine.of(LOG, ConsulEvent.CLIENT_LEFT)
                        .with("where", where())
                        .cause(unreachable)
                        .write();
            }
        }
    }
}
