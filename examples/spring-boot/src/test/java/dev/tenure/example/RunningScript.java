package dev.tenure.example;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * {@code ./run --step}, whose steps the test takes. It ends with its standard input, and so with this JVM.
 */
final class RunningScript implements AutoCloseable {
    /** It finds what hangs, and measures nothing. */
    private static final Duration PATIENCE = Duration.ofMinutes(8);

    private final Process process;
    private final Writer enter;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader = new Thread(this::read, "output of ./run");

    private RunningScript(Process process) {
        this.process = process;
        this.enter = process.outputWriter();
        reader.setDaemon(true);
        reader.start();
    }

    static RunningScript start() throws IOException {
        ProcessBuilder script =
                new ProcessBuilder("bash", Path.of("run").toAbsolutePath().toString(), "--step");
        script.environment().put("TENURE_NO_BUILD", "1");
        script.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return new RunningScript(script.redirectErrorStream(true).start());
    }

    private void read() {
        try (BufferedReader output = process.inputReader()) {
            output.lines().forEach(lines::add);
        } catch (IOException ended) {
            lines.add(ended.toString());
        }
    }

    /** Until it is about to do this. */
    void comesTo(String step) {
        becomes("press Enter: " + step, () -> said().contains("press Enter: " + step));
    }

    void goesOn() throws IOException {
        enter.write("\n");
        enter.flush();
    }

    /** The last line that matches. */
    MatchResult line(String pattern) {
        return Pattern.compile("(?m)^" + pattern + "$")
                .matcher(said())
                .results()
                .reduce((before, last) -> last)
                .orElseThrow(() -> new AssertionError("no line " + pattern + " in\n" + said()));
    }

    List<MatchResult> allLines(String pattern) {
        return Pattern.compile("(?m)^" + pattern + "$")
                .matcher(said())
                .results()
                .toList();
    }

    void becomes(String what, BooleanSupplier condition) {
        long until = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0 || (!process.isAlive() && !condition.getAsBoolean())) {
                throw new AssertionError("never: " + what + "\n" + said());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    int exitCode() throws InterruptedException {
        reader.join(PATIENCE.toMillis());
        return process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    String said() {
        return String.join("\n", lines);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        process.destroy(); // its trap ends all that it started
        enter.close();
        process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
}
