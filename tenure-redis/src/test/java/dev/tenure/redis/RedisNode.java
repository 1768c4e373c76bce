package dev.tenure.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One server process on 127.0.0.1 with a port and a folder of its own, which stay the same when it is started again.
 */
final class RedisNode implements AutoCloseable {
    private final int port = Ports.free();
    private final Path folder;
    private final String password;
    private final List<String> commandLine;
    private volatile Process process;
    private volatile boolean paused;

    /**
     * @param config lines of {@code redis.conf} beyond port, address and folder
     */
    RedisNode(String... config) {
        this(
                List.of(),
                Stream.concat(
                                Stream.of("save \"\"", "shutdown-timeout 0", "enable-debug-command yes"),
                                Stream.of(config))
                        .toList());
    }

    private RedisNode(List<String> options, List<String> config) {
        List<String> lines = new ArrayList<>();
        commandLine = new ArrayList<>();
        try {
            folder = Undertaker.folder(port);
            lines.addAll(List.of("port " + port, "bind 127.0.0.1", "dir " + folder));
            lines.addAll(config);
            Path file = Files.write(folder.resolve("redis.conf"), lines);
            commandLine.addAll(List.of(RedisBinaries.server().toString(), file.toString()));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        commandLine.addAll(options);
        password = config.stream()
                .filter(line -> line.startsWith("requirepass "))
                .map(line -> line.substring("requirepass ".length()))
                .findFirst()
                .orElse("");
    }

    /**
     * A process of Sentinel, not a server.
     */
    static RedisNode sentinel(String... config) {
        return new RedisNode(List.of("--sentinel"), List.of(config));
    }

    int port() {
        return port;
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    String url() {
        return "redis://" + (password.isEmpty() ? "" : ":" + password + "@") + address();
    }

    /**
     * Starts the process and waits until it answers; nothing if it runs.
     */
    RedisNode start() {
        if (!alive()) {
            launch();
        }
        Eventually.becomes("answer of " + this, () -> !alive() || "PONG".equals(command("PING")));
        if (!alive()) {
            throw new AssertionError(this + " ended at once:\n" + log());
        }
        return this;
    }

    /**
     * Starts the process and does not wait for it.
     */
    void launch() {
        try {
            process = new ProcessBuilder(commandLine)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(folder.resolve("log").toFile()))
                    .start();
            paused = false;
            Undertaker.watch(process, port);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    boolean alive() {
        return process != null && process.isAlive();
    }

    /**
     * Alive and not paused.
     */
    boolean serving() {
        return alive() && !paused;
    }

    /**
     * Asks it to end and waits.
     */
    void stop() {
        if (alive()) {
            resume();
            process.destroy();
            awaitEnd();
        }
    }

    void kill() {
        if (alive()) {
            process.destroyForcibly();
            awaitEnd();
        }
    }

    private void awaitEnd() {
        Eventually.becomes("end of " + this, () -> !process.isAlive());
    }

    RedisNode restart() {
        stop();
        return start();
    }

    /**
     * Stops the process where it is: it still has its port and its connections, and does nothing.
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
     * Resumes or starts it, whatever was done to it before.
     */
    void heal() {
        resume();
        start();
    }

    /**
     * The answer as text, see {@link Resp}. Each command has a connection of its own, so WAIT after SET says nothing.
     */
    String command(String... command) {
        try {
            return Resp.ask(port, password, command);
        } catch (IOException failed) {
            throw new UncheckedIOException(this + " " + String.join(" ", command), failed);
        }
    }

    /**
     * The fields of one section of INFO.
     */
    Map<String, String> info(String section) {
        return command("INFO", section)
                .lines()
                .filter(line -> line.contains(":"))
                .collect(Collectors.toMap(
                        line -> line.substring(0, line.indexOf(':')), line -> line.substring(line.indexOf(':') + 1)));
    }

    /**
     * Lets a snapshot fail, after which it may refuse writes.
     */
    void failToSave() {
        try {
            Files.createDirectories(folder.resolve("dump.rdb").resolve("in-the-way"));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        Eventually.becomes("a failed snapshot", () -> {
            boolean failed = "err".equals(info("persistence").get("rdb_last_bgsave_status"));
            return failed || command("BGSAVE").isEmpty();
        });
    }

    boolean isMaster() {
        return "master".equals(info("replication").get("role"));
    }

    /**
     * Waits until these replicas of this master have all that it has.
     */
    void awaitReplication(List<RedisNode> replicas) {
        // A new replica is "up" up to a second before it gets the stream: only a command that arrives proves it.
        // The first replica ever gives the stream a new id, after which all is to be asked again.
        AtomicReference<Map<String, String>> asked = new AtomicReference<>(Map.of());
        Eventually.becomes(replicas + " in step with " + this, () -> {
            String id = info("replication").get("master_replid");
            if (!id.equals(asked.get().get("master_replid"))) {
                command("DEBUG", "REPLICATE", "PING");
                asked.set(info("replication"));
            }
            long offset = Long.parseLong(asked.get().get("master_repl_offset"));
            return replicas.stream()
                    .map(replica -> replica.info("replication"))
                    .allMatch(info -> "up".equals(info.get("master_link_status"))
                            && id.equals(info.get("master_replid"))
                            && Long.parseLong(info.get("slave_repl_offset")) >= offset);
        });
    }

    String log() {
        try {
            return Files.readString(folder.resolve("log"));
        } catch (IOException failed) {
            return failed.toString();
        }
    }

    /**
     * Ends the process and deletes its folder.
     */
    @Override
    public void close() {
        kill();
        // A process of the server that writes a snapshot or a log goes on for a while.
        Eventually.becomes("the folder of " + this + " is deleted", () -> {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.deleteIfExists(file);
                }
            }
            return true;
        });
    }

    @Override
    public String toString() {
        return "redis " + address();
    }
}
