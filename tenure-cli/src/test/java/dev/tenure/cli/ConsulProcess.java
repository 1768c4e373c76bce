package dev.tenure.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real agent in development mode on 127.0.0.1, which keeps nothing, and which a shell ends when this JVM does, however
 * it ends. Where no program is found, in the folder that {@code TENURE_CONSUL_BIN} names, on the {@code PATH} or fetched
 * by {@code build/servers.sh}, tests are skipped; in CI they fail.
 */
final class ConsulProcess implements AutoCloseable {
    private static final String NONE = "no consul: run build/servers.sh consul";
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final Path folder;
    private final int port;
    private final List<String> options;
    private Process shell;

    private ConsulProcess(Path folder, List<String> options) {
        this.folder = folder;
        this.options = options;
        port = Ports.free();
        shell = run();
    }

    /**
     * @param options of the agent's command line
     */
    static ConsulProcess start(Path folder, String... options) {
        return new ConsulProcess(folder, List.of(options));
    }

    private Process run() {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" & read -r end; kill -9 $!", "sh"));
        command.addAll(List.of(program().toString(), "agent", "-dev", "-bind", "127.0.0.1", "-client", "127.0.0.1"));
        command.addAll(List.of("-http-port", Integer.toString(port), "-dns-port", "-1", "-grpc-port", "-1"));
        command.addAll(List.of("-server-port", Integer.toString(Ports.free())));
        command.addAll(List.of("-serf-lan-port", Integer.toString(Ports.free())));
        command.addAll(List.of("-serf-wan-port", Integer.toString(Ports.free()), "-log-level", "warn"));
        command.addAll(options);
        try {
            Process started = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("consul-" + port + ".log").toFile())
                    .start();
            if (!Waits.until(TenureProcess.PATIENCE, () -> !started.isAlive() || isLed())) {
                end(started);
                throw new AssertionError("has no leader: " + command);
            }
            return started;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private boolean isLed() {
        try {
            return ask("GET", "/v1/catalog/nodes", "", Duration.ofSeconds(5)).contains("\"Node\"");
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * The body of Consul's own answer.
     */
    String ask(String method, String path, String body) throws IOException {
        return ask(method, path, body, Duration.ofMinutes(1));
    }

    private String ask(String method, String path, String body, Duration limit) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address() + path))
                .timeout(limit)
                .method(method, BodyPublishers.ofString(body))
                .build();
        try {
            return HTTP.send(request, BodyHandlers.ofString()).body();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        }
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    String url() {
        return "consul://" + address();
    }

    /**
     * To the agent itself.
     */
    void signal(String name) {
        shell.toHandle().children().forEach(agent -> TenureProcess.signal(agent.pid(), name));
    }

    /**
     * A new one in its place, that knows nothing.
     */
    void replace() {
        end(shell);
        shell = run();
    }

    private static Path program() {
        String named = System.getenv().getOrDefault("TENURE_CONSUL_BIN", "");
        Stream<Path> folders = named.isEmpty()
                ? Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                                .filter(folder -> !folder.isEmpty())
                                .map(Path::of),
                        Stream.of(Path.of("../.servers/consul/bin").toAbsolutePath()))
                : Stream.of(Path.of(named));
        return folders.map(folder -> folder.resolve("consul"))
                .filter(file -> Files.isExecutable(file) && Files.isRegularFile(file))
                .findFirst()
                .orElseGet(ConsulProcess::none);
    }

    private static Path none() {
        if (Boolean.getBoolean("tenure.ci") || "true".equals(System.getenv("CI"))) {
            throw new AssertionError(NONE);
        }
        return Assumptions.abort(NONE);
    }

    private static void end(Process shell) {
        try {
            List<ProcessHandle> agents = shell.toHandle().children().toList();
            shell.getOutputStream().close();
            shell.waitFor();
            Waits.until(TenureProcess.PATIENCE, () -> agents.stream().noneMatch(ProcessHandle::isAlive));
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        end(shell);
    }
}
