package dev.tenure.verification.bench;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a benchmark's own, in development mode. It ends with this JVM at the latest.
 */
final class ConsulAgent implements AutoCloseable {
    /** Ends the agent when the input ends, which only this JVM holds open. */
    private static final String UNTIL_INPUT_ENDS = "\"$@\" & read -r end; kill -9 $!; wait";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Pattern SESSION = Pattern.compile("\"Session\": *\"([0-9a-f-]+)\"");

    private final int port;
    private final Process process;
    private final HttpClient http = HttpClient.newHttpClient();

    private ConsulAgent(Path program) throws IOException, InterruptedException {
        port = freePort();
        List<String> command = new ArrayList<>(List.of("sh", "-c", UNTIL_INPUT_ENDS, "sh", program.toString()));
        command.addAll(List.of("agent", "-dev", "-bind", "127.0.0.1", "-client", "127.0.0.1", "-log-level", "err"));
        command.addAll(List.of("-http-port", Integer.toString(port), "-dns-port", "-1", "-grpc-port", "-1"));
        command.addAll(List.of("-server-port", Integer.toString(freePort())));
        command.addAll(List.of("-serf-lan-port", Integer.toString(freePort())));
        command.addAll(List.of("-serf-wan-port", Integer.toString(freePort())));
        process = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!serves()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new IOException("no agent at 127.0.0.1:" + port);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    /**
     * Null if no program is found where the tests of {@code tenure-consul} look for one.
     */
    static @Nullable ConsulAgent start() throws IOException, InterruptedException {
        for (Path folder : folders()) {
            Path program = folder.resolve("consul");
            if (Files.isRegularFile(program) && Files.isExecutable(program)) {
                return new ConsulAgent(program);
            }
        }
        return null;
    }

    private static List<Path> folders() {
        String named = System.getenv("TENURE_CONSUL_BIN");
        if (named != null && !named.isEmpty()) {
            return List.of(Path.of(named));
        }
        List<Path> folders = new ArrayList<>();
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .forEach(folders::add);
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            folders.add(folder.resolve(".servers/consul/bin"));
        }
        return folders;
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    int port() {
        return port;
    }

    String url() {
        return url(port);
    }

    static String url(int port) {
        return "consul://127.0.0.1:" + port;
    }

    private boolean serves() throws InterruptedException {
        try {
            return ask("PUT", "/v1/session/create").statusCode() == 200;
        } catch (IOException starting) {
            return false;
        }
    }

    /**
     * Of who has locked the key of this role.
     */
    String session(String role) throws IOException, InterruptedException {
        String entry = ask("GET", "/v1/kv/service/" + role + "/leader").body();
        Matcher session = SESSION.matcher(entry);
        if (!session.find()) {
            throw new IOException("nobody leads: " + entry);
        }
        return session.group(1);
    }

    boolean isGone(String session) throws IOException, InterruptedException {
        return ask("GET", "/v1/session/info/" + session).body().strip().equals("[]");
    }

    private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, BodyPublishers.noBody())
                .timeout(PATIENCE)
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
            process.waitFor();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
