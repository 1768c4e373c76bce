package dev.tenure.consul;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/**
 * Answers as no agent does of itself.
 */
final class FakeConsul implements AutoCloseable {
    /**
     * @param index of the header; empty for none
     */
    record Answer(int status, String index, String body) {}

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final HttpServer server;

    /**
     * @param answers by the path with its query, on several threads
     */
    FakeConsul(Function<String, Answer> answers) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                String path = exchange.getRequestURI().toString();
                paths.add(path);
                Answer answer = answers.apply(path);
                byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
                if (!answer.index().isEmpty()) {
                    exchange.getResponseHeaders().add("X-Consul-Index", answer.index());
                }
                exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    /**
     * One key as the KV store tells it.
     */
    static String entry(String key, String session, long index) {
        return "[{\"Key\":\"" + key + "\",\"Value\":\"\",\"Session\":\"" + session + "\",\"ModifyIndex\":" + index
                + "}]";
    }

    String url() {
        return "consul://127.0.0.1:" + server.getAddress().getPort();
    }

    List<String> paths() {
        return List.copyOf(paths);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
