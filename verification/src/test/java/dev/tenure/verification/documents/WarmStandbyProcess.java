package dev.tenure.verification.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The program of the guide in a JVM of its own, beside a shell that kills it should this JVM end first: a frozen process
 * ends by nothing else.
 */
final class WarmStandbyProcess implements AutoCloseable {
    private final String instance;
    private final Process process;
    private final Process undertaker;
    private final Path out;

    private WarmStandbyProcess(String instance, Process process, Process undertaker, Path out) {
        this.instance = instance;
        this.process = process;
        this.undertaker = undertaker;
        this.out = out;
    }

    static WarmStandbyProcess start(String instance, Path folder) {
        Path out = folder.resolve(instance + ".out");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Dorg.slf4j.simpleLogger.log.dev.tenure=info",
                "-cp",
                System.getProperty("java.class.path"),
                WarmStandby.class.getName(),
                instance);
        try {
            Process process = new ProcessBuilder(command)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            String pid = Long.toString(process.pid());
            Process undertaker = new ProcessBuilder("sh", "-c", "read end; kill -KILL $0", pid)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return new WarmStandbyProcess(instance, process, undertaker, out);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    String instance() {
        return instance;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String said() {
        return Guide.read(out);
    }

    /**
     * Whether it was elected with a token above this one.
     */
    boolean hasLedAfter(long token) {
        return said().lines()
                .filter(line -> line.startsWith(instance + " leads with token "))
                .anyMatch(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)) > token);
    }

    void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .inheritIO()
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new AssertionError("no signal " + name + " to " + this);
            }
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    int exitCode() {
        return process.exitValue();
    }

    /**
     * Kills it, frozen or not.
     */
    @Override
    public void close() {
        undertaker.destroyForcibly(); // first, so that it never kills another that got the number
        process.destroyForcibly();
        process.onExit().join();
    }

    @Override
    public String toString() {
        return instance + (isAlive() ? "" : " (ended)") + "\n" + said();
    }
}
