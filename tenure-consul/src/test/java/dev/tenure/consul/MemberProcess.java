package dev.tenure.consul;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/**
 * A {@link Member} in a JVM of its own, and what it has told. It ends with this JVM at the latest.
 */
final class MemberProcess implements AutoCloseable {
    private static final int SHOWN = 15;

    private final String name;
    private final Path errors;
    private final Process process;
    private final Thread reader;
    private final List<Entry> entries = new CopyOnWriteArrayList<>();

    /**
     * @param at as {@code System.nanoTime()} tells it, which is one clock for all processes of a host
     * @param token of the term in which it happened
     */
    record Entry(MemberProcess member, long at, String what, long token, String detail) {
        private static Entry of(MemberProcess member, String line) {
            String[] words = line.split(" ", 4);
            return new Entry(member, Long.parseLong(words[0]), words[1], Long.parseLong(words[2]), words[3]);
        }

        boolean is(String wanted) {
            return what.equals(wanted);
        }
    }

    private MemberProcess(String name, Path errors, Process process) {
        this.name = name;
        this.errors = errors;
        this.process = process;
        reader = new Thread(
                () -> process.inputReader(UTF_8).lines().forEach(line -> entries.add(Entry.of(this, line))), name);
        reader.setDaemon(true);
    }

    /**
     * Does not wait until it stands.
     */
    static MemberProcess start(String name, ConsulAgent agent, String registers, Path folder) {
        Path errors = folder.resolve(name + ".err");
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-Dorg.slf4j.simpleLogger.log.dev.tenure=off",
                "-cp",
                System.getProperty("java.class.path"),
                Member.class.getName(),
                agent.url(),
                registers,
                name);
        try {
            Process process =
                    new ProcessBuilder(command).redirectError(errors.toFile()).start();
            Undertaker.watch(process, agent.port()); // a stopped process would not see its input end
            MemberProcess member = new MemberProcess(name, errors, process);
            member.reader.start();
            return member;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    List<Entry> entries() {
        return entries;
    }

    /**
     * The last one of this kind, in this term.
     */
    Optional<Entry> last(String what, long token) {
        return entries.stream()
                .filter(entry -> entry.is(what) && entry.token() == token)
                .max(Comparator.comparingLong(Entry::at));
    }

    void order(String order) {
        try {
            process.getOutputStream().write((order + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        } catch (IOException gone) {
            throw new UncheckedIOException(this + "\n" + errors(), gone);
        }
    }

    void freeze() {
        signal("STOP");
    }

    void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
            Eventually.becomes("signal " + signal, () -> !kill.isAlive());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * Its exit code, once it has ended and all that it told has been read.
     */
    int awaitEnd() {
        Eventually.becomes("end of " + this, () -> !process.isAlive() && !reader.isAlive());
        return process.exitValue();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException failed) {
            return failed.toString();
        }
    }

    /**
     * What it told last, for a failure.
     */
    String story() {
        int told = entries.size();
        return entries.subList(Math.max(0, told - SHOWN), told).stream()
                .map(entry -> entry.at() + " " + entry.what() + " " + entry.token() + " " + entry.detail() + "\n")
                .collect(Collectors.joining("", name + (isAlive() ? "" : " (ended)") + "\n", errors()));
    }

    /**
     * Kills it, frozen or not.
     */
    @Override
    public void close() {
        process.destroyForcibly();
        awaitEnd();
    }

    @Override
    public String toString() {
        return name;
    }
}
