package dev.tenure.verification.bench;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server of a benchmark's own, and what it counts. It ends with this JVM at the latest.
 */
final class RedisServer implements AutoCloseable {
    /** Ends the server when the input ends, which only this JVM holds open. */
    private static final String UNTIL_INPUT_ENDS = "\"$@\" & read -r end; kill -9 $!; wait";

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final int port;
    private final Process process;
    private final RedisClient client;
    private final RedisCommands<String, String> control;

    private RedisServer(Path program) throws IOException {
        port = freePort();
        List<String> command = List.of(
                "sh",
                "-c",
                UNTIL_INPUT_ENDS,
                "sh",
                program.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--slowlog-log-slower-than",
                "1000",
                "--slowlog-max-len",
                "10000",
                "--latency-tracking-info-percentiles",
                "50 99 100");
        process = new ProcessBuilder(command)
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
        client = RedisClient.create(url());
        control = connect().sync();
    }

    /**
     * Null if no server program is found where the tests of {@code tenure-redis} look for one.
     */
    static @Nullable RedisServer start() throws IOException {
        for (Path folder : folders()) {
            for (String name : List.of("redis-server", "valkey-server")) {
                Path program = folder.resolve(name);
                if (Files.isExecutable(program)) {
                    return new RedisServer(program);
                }
            }
        }
        return null;
    }

    private static List<Path> folders() {
        String named = System.getenv("TENURE_REDIS_BIN");
        if (named != null && !named.isEmpty()) {
            return List.of(Path.of(named));
        }
        List<Path> folders = new ArrayList<>();
        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of)
                .forEach(folders::add);
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            folders.add(folder.resolve(".servers/redis/bin"));
        }
        return folders;
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }

    private StatefulRedisConnection<String, String> connect() {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return client.connect();
            } catch (RedisException notYet) {
                if (!process.isAlive() || System.nanoTime() - end > 0) {
                    throw notYet;
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }
    }

    String url() {
        return "redis://127.0.0.1:" + port;
    }

    /**
     * For questions about the server; the only one that is not the measured client's.
     */
    RedisCommands<String, String> control() {
        return control;
    }

    /**
     * How often scripts were asked for, by digest or by text.
     */
    long scripts() {
        String stats = control.info("commandstats");
        return number(stats, "cmdstat_evalsha:calls=") + number(stats, "cmdstat_eval:calls=");
    }

    /**
     * How often the server read from a connection: one at a time, that is the requests. This one is among them.
     */
    long reads() {
        return number(control.info("stats"), "total_reads_processed:");
    }

    /**
     * Since {@link #forget()}.
     */
    long connectionsMade() {
        return number(control.info("stats"), "total_connections_received:");
    }

    /**
     * Of others than this.
     */
    long connections() {
        return control.clientList().lines().count() - 1;
    }

    void forget() {
        control.slowlogReset();
        control.configResetstat();
    }

    /**
     * How many scripts took more than a millisecond since {@link #forget()}.
     */
    long slowScripts() {
        return control.slowlogGet(10_000).stream()
                .filter(entry -> String.valueOf(entry).contains("EVAL"))
                .count();
    }

    /**
     * Of the time in µs that a script took by its digest since {@link #forget()}: {@code p50}, {@code p99}, {@code p100}.
     */
    double scriptMicros(String percentile) {
        return control.info("latencystats")
                .lines()
                .filter(line -> line.startsWith("latency_percentiles_usec_evalsha:"))
                .flatMap(line -> Stream.of(line.substring(line.indexOf(':') + 1).split(",")))
                .filter(pair -> pair.startsWith(percentile + "="))
                .mapToDouble(pair -> Double.parseDouble(pair.substring(pair.indexOf('=') + 1)))
                .findFirst()
                .orElse(-1);
    }

    private static long number(String info, String before) {
        int at = info.indexOf(before);
        if (at < 0) {
            return 0;
        }
        int begin = at + before.length();
        int end = begin;
        while (end < info.length() && Character.isDigit(info.charAt(end))) {
            end++;
        }
        return Long.parseLong(info.substring(begin, end));
    }

    @Override
    public void close() {
        client.shutdown();
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
