package dev.tenure.spring;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * Real servers on 127.0.0.1, which a shell ends when this JVM does, however it ends. Programs are looked for in the folder
 * that a variable names, on the {@code PATH}, and where {@code build/servers.sh} puts them. Where there is none, tests are
 * skipped; in CI they fail.
 */
final class ServerPrograms {
    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private ServerPrograms() {}

    /**
     * A process, and where it listens.
     */
    record Running(String address, Process shell) implements AutoCloseable {
        /**
         * Ends it at once, as a crash would.
         */
        @Override
        public void close() {
            try {
                shell.getOutputStream().close();
                shell.waitFor();
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    static Running redis(Path folder) {
        int port = freePort();
        Path program = program("redis", "TENURE_REDIS_BIN", "redis-server", "valkey-server");
        Running server = run(folder, port, program, "--port", "" + port, "--bind", "127.0.0.1", "--save", "");
        Settled.until("redis listens", () -> ended(server) || listens(port));
        return server;
    }

    static Running consul(Path folder) {
        int port = freePort();
        Path program = program("consul", "TENURE_CONSUL_BIN", "consul");
        List<String> arguments = new ArrayList<>(List.of("agent", "-dev", "-bind", "127.0.0.1"));
        arguments.addAll(List.of("-client", "127.0.0.1", "-http-port", "" + port, "-dns-port", "-1"));
        arguments.addAll(List.of("-grpc-port", "-1", "-server-port", "" + freePort(), "-log-level", "warn"));
        arguments.addAll(List.of("-serf-lan-port", "" + freePort(), "-serf-wan-port", "" + freePort()));
        Running server = run(folder, port, program, arguments.toArray(String[]::new));
        Settled.until("consul makes sessions", () -> ended(server) || makesSessions(port));
        return server;
    }

    static EmbeddedPostgres postgres() {
        try {
            return EmbeddedPostgres.builder()
                    .setPort(freePort())
                    .setPGStartupWait(Duration.ofMinutes(3))
                    .setServerConfig("fsync", "off")
                    .start();
        } catch (IOException | RuntimeException failed) {
            if (isCi()) {
                throw new AssertionError("PostgreSQL could not be started", failed);
            }
            return Assumptions.abort("no PostgreSQL: " + failed);
        }
    }

    private static Running run(Path folder, int port, Path program, String... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" & read -r end; kill -9 $!", "sh"));
        command.add(program.toString());
        command.addAll(List.of(arguments));
        try {
            return new Running(
                    "127.0.0.1:" + port,
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(
                                    folder.resolve("server-" + port + ".log").toFile())
                            .start());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static boolean ended(Running server) {
        if (!server.shell().isAlive()) {
            throw new AssertionError("ended at once: " + server);
        }
        return false;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static boolean makesSessions(int port) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/session/create"))
                .timeout(Duration.ofSeconds(5))
                .PUT(BodyPublishers.ofString("{\"TTL\":\"10s\"}"))
                .build();
        try {
            return HttpClient.newHttpClient()
                            .send(request, BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /**
     * Below those that the system gives to outgoing connections; each given once.
     */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(12_000, 32_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                if (GIVEN.add(probe.getLocalPort())) {
                    return port;
                }
            } catch (IOException taken) {
                // another one
            }
        }
    }

    private static Path program(String what, String variable, String... names) {
        String named = System.getenv().getOrDefault(variable, "");
        Stream<Path> folders = named.isEmpty()
                ? Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                                .filter(folder -> !folder.isEmpty())
                                .map(Path::of),
                        Stream.of(Path.of("../.servers/" + what + "/bin").toAbsolutePath()))
                : Stream.of(Path.of(named));
        return folders.flatMap(folder -> Stream.of(names).map(folder::resolve))
                .filter(file -> Files.isExecutable(file) && Files.isRegularFile(file))
                .findFirst()
                .orElseGet(() -> none("no " + what + ": run build/servers.sh " + what));
    }

    private static Path none(String why) {
        if (isCi()) {
            throw new AssertionError(why);
        }
        return Assumptions.abort(why);
    }

    private static boolean isCi() {
        return Boolean.getBoolean("tenure.ci") || "true".equals(System.getenv("CI"));
    }
}
