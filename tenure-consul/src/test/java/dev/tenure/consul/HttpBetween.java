package dev.tenure.consul;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

/**
 * An HTTP server that answers as an agent does, but for what it was told to change.
 */
final class HttpBetween implements AutoCloseable {
    /**
     * An answer on its way.
     *
     * @param headers those of Consul's own
     */
    record Passing(String path, int status, Map<String, String> headers, String body) {
        Passing with(String header, String value) {
            Map<String, String> changed = new LinkedHashMap<>(headers);
            changed.put(header, value);
            return new Passing(path, status, changed, body);
        }

        Passing without(String header) {
            Map<String, String> changed = new LinkedHashMap<>(headers);
            changed.remove(header);
            return new Passing(path, status, changed, body);
        }

        Passing withBody(String other) {
            return new Passing(path, status, headers, other);
        }
    }

    private static final List<String> OWN = List.of("X-Consul-Index", "X-Consul-KnownLeader", "X-Consul-LastContact");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> swallowed = new ArrayList<>();

    private HttpBetween() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(threads);
    }

    /**
     * Answers everything in the same way.
     */
    static HttpBetween answering(int status, String body) {
        HttpBetween between = new HttpBetween();
        between.server.createContext(
                "/", exchange -> between.answer(exchange, new Passing("", status, Map.of(), body)));
        between.server.start();
        return between;
    }

    /**
     * Asks the agent, and changes what it answers.
     */
    static HttpBetween changing(ConsulAgent agent, UnaryOperator<Passing> change) {
        return changing(agent, path -> path, change);
    }

    /**
     * Asks the agent for another path, and changes what it answers.
     */
    static HttpBetween changing(ConsulAgent agent, UnaryOperator<String> request, UnaryOperator<Passing> change) {
        HttpBetween between = new HttpBetween();
        between.server.createContext("/", exchange -> {
            String path = exchange.getRequestURI().toString();
            if (between.isSwallowed(path)) {
                return; // the connection stays, and nothing comes
            }
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            HttpResponse<String> real = agent.ask(exchange.getRequestMethod(), request.apply(path), body);
            Map<String, String> headers = new LinkedHashMap<>();
            for (String name : OWN) {
                real.headers().firstValue(name).ifPresent(value -> headers.put(name, value));
            }
            between.answer(exchange, change.apply(new Passing(path, real.statusCode(), headers, real.body())));
        });
        between.server.start();
        return between;
    }

    /**
     * Requests whose path has this in it are not passed on, and get no answer.
     */
    synchronized HttpBetween swallowing(String part) {
        swallowed.add(part);
        return this;
    }

    private synchronized boolean isSwallowed(String path) {
        return swallowed.stream().anyMatch(path::contains);
    }

    private void answer(HttpExchange exchange, Passing passing) throws IOException {
        byte[] body = passing.body().getBytes(StandardCharsets.UTF_8);
        passing.headers().forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
        exchange.sendResponseHeaders(passing.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    String url() {
        return "consul://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
