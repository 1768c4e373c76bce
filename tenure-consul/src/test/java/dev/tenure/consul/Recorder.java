package dev.tenure.consul;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before an agent, writes down what is asked, and passes it on, as Consul Enterprise would take it: without
 * namespace and partition.
 */
final class Recorder implements AutoCloseable {
    /**
     * One request.
     *
     * @param kind method and path, an id or key at its end left out
     * @param body as JSON; empty if it is none
     * @param at {@link System#nanoTime()} when it came
     * @param status of the answer, 0 before it comes
     */
    record Request(
            String kind,
            String path,
            String query,
            Optional<String> token,
            Optional<Object> body,
            long at,
            AtomicInteger status) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final int agent;
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    Recorder(ConsulAgent agent) {
        this.agent = agent.port();
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    String url() {
        return "consul://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Request> requests() {
        return List.copyOf(requests);
    }

    List<Request> of(String kind) {
        return requests.stream().filter(request -> request.kind().equals(kind)).toList();
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Request request = request(exchange, body);
            requests.add(request);
            HttpResponse<String> answer = ask(exchange, request, body);
            request.status().set(answer.statusCode());
            answer.headers()
                    .firstValue("X-Consul-Index")
                    .ifPresent(index -> exchange.getResponseHeaders().add("X-Consul-Index", index));
            byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(answer.statusCode(), bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static Request request(HttpExchange exchange, String body) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String kind = path.replaceFirst("^(/v1/session/[a-z]+|/v1/kv)/.*", "$1");
        return new Request(
                exchange.getRequestMethod() + " " + kind,
                path,
                String.valueOf(exchange.getRequestURI().getQuery()),
                Optional.ofNullable(exchange.getRequestHeaders().getFirst("X-Consul-Token")),
                body.isEmpty() ? Optional.empty() : Optional.ofNullable(Json.parse(body)),
                System.nanoTime(),
                new AtomicInteger());
    }

    private HttpResponse<String> ask(HttpExchange exchange, Request request, String body)
            throws IOException, InterruptedException {
        String uri = exchange.getRequestURI().toString().replaceAll("(?<=[?&])(ns|partition)=[^&]*&?", "");
        String plain = request.kind().endsWith("/txn") ? withoutPlace(body) : body;
        HttpRequest.Builder passed = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + agent + uri))
                .method(exchange.getRequestMethod(), BodyPublishers.ofString(plain));
        request.token().ifPresent(token -> passed.header("X-Consul-Token", token));
        return http.send(passed.build(), BodyHandlers.ofString());
    }

    private static String withoutPlace(String body) throws IOException {
        Object operations = Json.parse(body);
        for (Object operation : Json.list(operations)) {
            Map<?, ?> fields = (Map<?, ?>) Json.field(operation, "KV");
            fields.keySet().removeAll(List.of("Namespace", "Partition"));
        }
        return Json.write(operations);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
