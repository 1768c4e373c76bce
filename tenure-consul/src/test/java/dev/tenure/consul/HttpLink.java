package dev.tenure.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A way to an agent that can be cut, and that can hold a request back and deliver it when its sender has long given up.
 */
final class HttpLink implements AutoCloseable {
    /**
     * @param at when it came here, as {@code System.nanoTime()}
     * @param path with the query
     */
    record Request(long at, String method, String path, String body) {}

    /**
     * A request that waits here, and its sender for an answer.
     */
    final class Held {
        private final Predicate<Request> which;
        private final CompletableFuture<Request> caught = new CompletableFuture<>();
        private final AtomicBoolean taken = new AtomicBoolean();
        private volatile HttpExchange exchange;

        private Held(Predicate<Request> which) {
            this.which = which;
        }

        void await() {
            Eventually.becomes("a request to hold", caught::isDone);
        }

        /**
         * What Consul answers now.
         */
        HttpResponse<String> deliver() throws Exception {
            return forward(caught.join());
        }

        /**
         * As {@link #deliver()}, and the sender, if it still waits, gets the answer.
         */
        void deliverAndAnswer() throws Exception {
            HttpResponse<String> answer = deliver();
            HttpLink.answer(exchange, answer);
        }
    }

    private final List<ConsulAgent> agents;
    private final AtomicInteger turn = new AtomicInteger();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "http-link");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpServer entrance;
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Held> holds = new CopyOnWriteArrayList<>();
    private volatile boolean cut;

    HttpLink(ConsulAgent agent) {
        this(List.of(agent));
    }

    /**
     * @param agents of one cluster; each request goes to the next one
     */
    HttpLink(List<ConsulAgent> agents) {
        this.agents = agents;
        try {
            entrance = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.free()), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        entrance.setExecutor(threads);
        entrance.createContext("/", this::pass);
        entrance.start();
    }

    String url() {
        return "consul://127.0.0.1:" + entrance.getAddress().getPort();
    }

    /**
     * All that came here, delivered or not.
     */
    List<Request> requests() {
        return requests;
    }

    /**
     * From now on nothing arrives and no answer comes back; nobody is told.
     */
    void cut() {
        cut = true;
    }

    /**
     * Only what is sent from now on arrives.
     */
    void mend() {
        cut = false;
    }

    /**
     * Holds the first request from now on that is such.
     */
    Held hold(Predicate<Request> which) {
        Held held = new Held(which);
        holds.add(held);
        return held;
    }

    private void pass(HttpExchange exchange) throws IOException {
        Request request = new Request(
                System.nanoTime(),
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        requests.add(request);
        for (Held held : holds) {
            if (held.which.test(request) && held.taken.compareAndSet(false, true)) {
                held.exchange = exchange;
                held.caught.complete(request);
                return;
            }
        }
        if (cut) {
            return;
        }
        try {
            HttpResponse<String> answer = forward(request);
            if (!cut) {
                answer(exchange, answer);
            }
        } catch (IOException gone) {
            exchange.close();
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<String> forward(Request request) throws IOException, InterruptedException {
        ConsulAgent agent = agents.get(Math.floorMod(turn.getAndIncrement(), agents.size()));
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + agent.port() + request.path()))
                        .method(request.method(), BodyPublishers.ofString(request.body()))
                        .build(),
                BodyHandlers.ofString());
    }

    private static void answer(HttpExchange exchange, HttpResponse<String> answer) throws IOException {
        answer.headers().map().forEach((name, values) -> {
            if (name.toLowerCase(Locale.ROOT).startsWith("x-consul-")) {
                exchange.getResponseHeaders().add(name, values.get(0));
            }
        });
        byte[] body = answer.body().getBytes(UTF_8);
        exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        entrance.stop(0);
        threads.shutdownNow();
    }
}
