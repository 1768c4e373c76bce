package dev.tenure.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The command in a JVM of its own, its output in files.
 */
final class TenureProcess implements AutoCloseable {
    /**
     * How long anything that must happen may take on a busy machine.
     */
    static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final AtomicInteger COUNTER = new AtomicInteger();

    private final Process process;
    private final Path out;
    private final Path err;
    private final Path events;

    private TenureProcess(Process process, Path out, Path err, Path events) {
        this.process = process;
        this.out = out;
        this.err = err;
        this.events = events;
    }

    static TenureProcess start(Path folder, String... args) {
        return start(folder, Map.of(), args);
    }

    /**
     * Starts it with {@code EVENTS} among the arguments replaced by a file of its own.
     */
    static TenureProcess start(Path folder, Map<String, String> environment, String... args) {
        int number = COUNTER.incrementAndGet();
        Path events = folder.resolve("events-" + number);
        List<String> command = OwnProgram.command();
        Arrays.stream(args)
                .map(arg -> arg.equals("EVENTS") ? events.toString() : arg)
                .forEach(command::add);
        Path out = folder.resolve("out-" + number);
        Path err = folder.resolve("err-" + number);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().remove(StoreOptions.VARIABLE);
        builder.environment().putAll(environment);
        try {
            return new TenureProcess(builder.start(), out, err, events);
        } catch (IOException cannot) {
            throw new UncheckedIOException(cannot);
        }
    }

    long pid() {
        return process.pid();
    }

    void signal(String name) {
        signal(pid(), name);
    }

    static void signal(long pid, String name) {
        try {
            new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .inheritIO()
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    int exitCode() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new AssertionError("did not end: " + process.info() + "\n" + err());
            }
            return process.exitValue();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String out() {
        return read(out);
    }

    String err() {
        return read(err);
    }

    static String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * All whole lines of the event file.
     */
    List<Map<String, String>> events() {
        String text = read(events);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(Json::readFlat)
                .toList();
    }

    List<String> eventNames() {
        return events().stream().map(event -> event.getOrDefault("event", "")).toList();
    }

    Optional<Map<String, String>> lastEvent(String name) {
        return events().stream()
                .filter(event -> name.equals(event.get("event")))
                .reduce((first, second) -> second);
    }

    Map<String, String> awaitEvent(String name) {
        return awaitEvent(name, event -> true);
    }

    Map<String, String> awaitEvent(String name, Predicate<Map<String, String>> wanted) {
        boolean came = Waits.until(
                PATIENCE,
                () -> events().stream().anyMatch(event -> name.equals(event.get("event")) && wanted.test(event)));
        if (!came) {
            throw new AssertionError("no event " + name + " but " + eventNames() + "\n" + err());
        }
        return events().stream()
                .filter(event -> name.equals(event.get("event")) && wanted.test(event))
                .findFirst()
                .orElseThrow();
    }

    /**
     * Whether it leads, by its events.
     */
    boolean leads() {
        List<String> names = eventNames();
        return names.lastIndexOf("elected") > names.lastIndexOf("lost");
    }

    @Override
    public void close() {
        signal("CONT");
        process.destroyForcibly();
    }
}
