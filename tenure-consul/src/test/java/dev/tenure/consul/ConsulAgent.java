package dev.tenure.consul;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One agent in development mode on 127.0.0.1: a server of its own, that keeps nothing over a restart.
 */
final class ConsulAgent implements AutoCloseable {
    /**
     * Where what gives no answer is asked again.
     */
    private static final Duration SOON = Duration.ofSeconds(5);

    private static final Duration AT_LAST = Duration.ofMinutes(1);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(SOON)
            .build();
    private static ConsulAgent shared;

    private final int port;
    private final Path folder;
    private final List<String> commandLine = new ArrayList<>();
    private final String token;
    private volatile Process process;
    private volatile boolean paused;

    ConsulAgent() {
        this("", "");
    }

    /**
     * @param config HCL beyond addresses and ports; may be empty
     * @param token with which this fixture asks; may be empty
     */
    ConsulAgent(String config, String token) {
        this(Ports.free(), List.of("-dev", "-bind", "127.0.0.1"), config, token);
        commandLine.addAll(List.of("-server-port", Integer.toString(Ports.free())));
        commandLine.addAll(List.of("-serf-lan-port", Integer.toString(Ports.free())));
        commandLine.addAll(List.of("-serf-wan-port", Integer.toString(Ports.free())));
    }

    /**
     * @param port of HTTP
     * @param arguments that say which kind of agent it is
     */
    ConsulAgent(int port, List<String> arguments, String config, String token) {
        this.port = port;
        this.token = token;
        try {
            folder = Undertaker.folder(port);
            Files.writeString(folder.resolve("more.hcl"), config + "\n");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        commandLine.addAll(List.of(ConsulBinaries.consul().toString(), "agent"));
        commandLine.addAll(arguments);
        commandLine.addAll(List.of("-client", "127.0.0.1", "-http-port", Integer.toString(port)));
        commandLine.addAll(List.of("-dns-port", "-1", "-grpc-port", "-1", "-log-level", "warn"));
        commandLine.addAll(List.of("-hcl", "limits { http_max_conns_per_client = 1000 }"));
        commandLine.addAll(List.of("-config-file", folder.resolve("more.hcl").toString()));
    }

    /**
     * One that all tests of a JVM share; it runs, whatever was done to it before.
     */
    static synchronized ConsulAgent shared() {
        if (shared == null) {
            shared = new ConsulAgent();
        }
        shared.resume();
        return shared.start();
    }

    int port() {
        return port;
    }

    String url() {
        return "consul://127.0.0.1:" + port;
    }

    ConsulAgent start() {
        launch();
        Eventually.becomes("leader of " + this, () -> !process.isAlive() || isLed());
        if (!process.isAlive()) {
            throw new AssertionError(this + " ended at once:\n" + log());
        }
        return this;
    }

    /**
     * As {@link #start}, without waiting.
     */
    void launch() {
        if (!isRunning()) {
            try {
                process = new ProcessBuilder(commandLine)
                        .redirectErrorStream(true)
                        .redirectOutput(Redirect.appendTo(folder.resolve("log").toFile()))
                        .start();
                Undertaker.watch(process, port);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    boolean isRunning() {
        return process != null && process.isAlive();
    }

    boolean isPaused() {
        return paused;
    }

    /**
     * Shortly after there is a leader, the agent's own node is not registered yet, and sessions are refused.
     */
    boolean isLed() throws IOException {
        HttpResponse<String> made = askSoon("PUT", "/v1/session/create", "{\"TTL\":\"10s\"}");
        if (made.statusCode() == 200) {
            destroy(Json.text(Json.parse(made.body()), "ID"));
        }
        return made.statusCode() == 200;
    }

    void kill() {
        if (isRunning()) {
            paused = false;
            process.destroyForcibly();
            Eventually.becomes("end of " + this, () -> !process.isAlive());
        }
    }

    ConsulAgent restart() {
        kill();
        return start();
    }

    /**
     * It still has its port and its connections, and does nothing.
     */
    void pause() {
        signal("STOP");
        paused = true;
    }

    void resume() {
        if (paused) {
            signal("CONT");
            paused = false;
        }
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start();
            Eventually.becomes("signal " + name, () -> !kill.isAlive());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Consul's own API, past the store.
     */
    HttpResponse<String> ask(String method, String path, String body) throws IOException {
        return ask(method, path, body, AT_LAST);
    }

    /**
     * For at most five seconds.
     */
    HttpResponse<String> askSoon(String method, String path, String body) throws IOException {
        return ask(method, path, body, SOON);
    }

    private HttpResponse<String> ask(String method, String path, String body, Duration limit) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(limit)
                .method(method, BodyPublishers.ofString(body));
        if (!token.isEmpty()) {
            request.header("X-Consul-Token", token);
        }
        try {
            return HTTP.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    /**
     * The body as JSON, of an answer that is 200.
     */
    Object json(String method, String path, String body) {
        try {
            HttpResponse<String> answer = ask(method, path, body);
            if (answer.statusCode() != 200) {
                throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
            }
            return Json.parse(answer.body());
        } catch (IOException failed) {
            throw new UncheckedIOException(path, failed);
        }
    }

    /**
     * For what is answered without a body.
     */
    void does(String method, String path, String body) {
        try {
            HttpResponse<String> answer = ask(method, path, body);
            if (answer.statusCode() != 200) {
                throw new AssertionError(path + ": " + answer.statusCode() + " " + answer.body());
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(path, failed);
        }
    }

    /**
     * The key as it is; fails if there is none.
     */
    Entry entry(String key) {
        return Entry.of(
                Json.list(json("GET", "/v1/kv/" + key + "?consistent", "")).get(0));
    }

    void delete(String key) {
        json("DELETE", "/v1/kv/" + key, "");
    }

    void destroy(String session) {
        json("PUT", "/v1/session/destroy/" + session, "");
    }

    /**
     * How many sessions of the store there are for this key.
     */
    long sessions(String key) {
        return Json.list(json("GET", "/v1/session/list", "")).stream()
                .filter(session -> Json.text(session, "Name").equals("tenure " + key))
                .count();
    }

    /**
     * A session of somebody else's takes the key from whoever has it, and writes this.
     */
    void seize(String key, String value) {
        Object made = json("PUT", "/v1/session/create", "{\"TTL\":\"60s\",\"NodeChecks\":[],\"Checks\":[]}");
        String session = Json.text(made, "ID");
        delete(key);
        if (!Boolean.TRUE.equals(json("PUT", "/v1/kv/" + key + "?acquire=" + session, value))) {
            throw new AssertionError("not taken: " + key);
        }
    }

    String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException failed) {
            return failed.toString();
        }
    }

    @Override
    public void close() {
        resume();
        kill();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public String toString() {
        return "consul 127.0.0.1:" + port;
    }
}
