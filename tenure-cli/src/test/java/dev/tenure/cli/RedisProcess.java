package dev.tenure.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A real server on 127.0.0.1, which a shell ends when this JVM does, however it ends. Where no program is found, in the
 * folder that {@code TENURE_REDIS_BIN} names, on the {@code PATH} or fetched by {@code build/servers.sh}, tests are
 * skipped; in CI they fail.
 */
final class RedisProcess implements AutoCloseable {
    private static final String NONE = "no redis-server: run build/servers.sh redis";

    private final int port;
    private final Process shell;

    private RedisProcess(int port, Process shell) {
        this.port = port;
        this.shell = shell;
    }

    /**
     * @param options of the server's command line
     */
    static RedisProcess start(Path folder, String... options) {
        try {
            int port = Ports.free();
            List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" & read -r end; kill -9 $!", "sh"));
            command.addAll(List.of(program().toString(), "--port", Integer.toString(port), "--bind", "127.0.0.1"));
            command.addAll(List.of("--dir", folder.toString()));
            command.addAll(List.of(options));
            Process shell = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("redis-" + port + ".log").toFile())
                    .start();
            RedisProcess server = new RedisProcess(port, shell);
            if (!Waits.until(TenureProcess.PATIENCE, server::listens)) {
                server.close();
                throw new AssertionError("does not listen: " + command);
            }
            return server;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    private static Path program() {
        String named = System.getenv().getOrDefault("TENURE_REDIS_BIN", "");
        Stream<Path> folders = named.isEmpty()
                ? Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                                .filter(folder -> !folder.isEmpty())
                                .map(Path::of),
                        Stream.of(Path.of("../.servers/redis/bin").toAbsolutePath()))
                : Stream.of(Path.of(named));
        return folders.flatMap(
                        folder -> Stream.of("redis-server", "valkey-server").map(folder::resolve))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseGet(RedisProcess::none);
    }

    private static Path none() {
        if (Boolean.getBoolean("tenure.ci") || "true".equals(System.getenv("CI"))) {
            throw new AssertionError(NONE);
        }
        return Assumptions.abort(NONE);
    }

    String address() {
        return "127.0.0.1:" + port;
    }

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
