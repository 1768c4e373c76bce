package dev.tenure.consul;

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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;

/**
 * Stands between a store and an agent, understands HTTP, and does to each request what a test wants.
 */
final class FaultProxy implements AutoCloseable {
    /**
     * What happens to a request.
     */
    enum Fate {
        /** It is carried out and answered. */
        PASSES,
        /** It is answered with 500, and not carried out. */
        FAILS,
        /** It is carried out, and half of the answer is sent. */
        CUT,
        /** It is carried out, and half of the answer is sent; the connection stays. */
        STALLED,
        /** It is carried out, and never answered. */
        UNANSWERED,
        /** It is not carried out, and never answered. */
        DROPPED
    }

    /**
     * @param path with the query
     * @param at as {@link System#nanoTime()}
     */
    record Request(String method, String path, long at) {
        /**
         * Whether Consul holds it until something changes.
         */
        boolean isHeld() {
            return path.contains("index=");
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final List<Request> held = new CopyOnWriteArrayList<>();
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final CountDownLatch end = new CountDownLatch(1);
    private final HttpServer server;
    private final int target;
    private volatile BiFunction<String, String, Fate> fate = (method, path) -> Fate.PASSES;

    FaultProxy(ConsulAgent agent) {
        target = agent.port();
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "consul://127.0.0.1:" + server.getAddress().getPort();
    }

    /**
     * From now on, by method and path with the query.
     */
    void on(BiFunction<String, String, Fate> decision) {
        fate = decision;
    }

    void all(Fate each) {
        fate = (method, path) -> each;
    }

    /**
     * All so far, in the order of their arrival.
     */
    List<Request> requests() {
        return List.copyOf(requests);
    }

    /**
     * How many queries Consul holds now.
     */
    int held() {
        return held.size();
    }

    /**
     * How many requests were under way at once, at most.
     */
    int most() {
        return most.get();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString();
        Request request = new Request(exchange.getRequestMethod(), path, System.nanoTime());
        requests.add(request);
        most.accumulateAndGet(present.incrementAndGet(), Math::max);
        try (exchange) {
            Fate now = fate.apply(request.method(), path);
            if (now == Fate.FAILS) {
                byte[] words = "rpc error making call: scripted".getBytes(java.nio.charset.StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(500, words.length);
                exchange.getResponseBody().write(words);
                return;
            }
            if (now == Fate.DROPPED) {
                end.await();
                return;
            }
            answer(exchange, forward(exchange, request), now);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } finally {
            present.decrementAndGet();
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, Request request)
            throws IOException, InterruptedException {
        HttpRequest.Builder copy = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target + request.path()))
                .timeout(Duration.ofMinutes(6))
                .method(
                        request.method(),
                        BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
        String token = exchange.getRequestHeaders().getFirst("X-Consul-Token");
        if (token != null) {
            copy.header("X-Consul-Token", token);
        }
        if (request.isHeld()) {
            held.add(request);
        }
        try {
            return client.send(copy.build(), BodyHandlers.ofByteArray());
        } finally {
            held.remove(request);
        }
    }

    private void answer(HttpExchange exchange, HttpResponse<byte[]> answer, Fate now)
            throws IOException, InterruptedException {
        if (now == Fate.UNANSWERED) {
            end.await();
            return;
        }
        answer.headers()
                .firstValue("X-Consul-Index")
                .ifPresent(index -> exchange.getResponseHeaders().add("X-Consul-Index", index));
        byte[] body = answer.body();
        exchange.sendResponseHeaders(answer.statusCode(), body.length == 0 ? -1 : body.length);
        boolean half = now == Fate.CUT || now == Fate.STALLED;
        exchange.getResponseBody().write(body, 0, half ? body.length / 2 : body.length);
        if (now == Fate.STALLED) {
            exchange.getResponseBody().flush();
            end.await();
        }
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
