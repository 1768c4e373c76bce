package dev.tenure.cli;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A command in a process group of its own, which ends when this JVM does: a supervisor, in another session, holds a
 * pipe from the JVM, carries signals to the group, and ends the group at end of file. The command begins only once the
 * supervisor stands by. Thread-safe.
 */
final class ProcessGroup implements AutoCloseable {
    /**
     * What the command reads.
     */
    enum Input {
        /**
         * Nothing.
         */
        NULL,
        /**
         * {@link #leader()}'s pipe.
         */
        PIPE
    }

    private static final String SHELL = "/bin/sh";
    private static final String GATE = script("gate.sh");
    private static final String SUPERVISOR = script("supervisor.sh");

    private final Process leader;
    private final Process supervisor;
    private final BufferedWriter requests;
    private final BufferedReader answers;

    private ProcessGroup(Process leader, Process supervisor) {
        this.leader = leader;
        this.supervisor = supervisor;
        this.requests = supervisor.outputWriter(StandardCharsets.US_ASCII);
        this.answers = supervisor.inputReader(StandardCharsets.US_ASCII);
    }

    /**
     * Starts the command, its output inherited unless its input is piped.
     *
     * @param more added to this JVM's environment
     * @param graceAtEof between SIGTERM and SIGKILL when this JVM is gone
     * @throws IOException if a process could not be started
     */
    static ProcessGroup start(List<String> command, Map<String, String> more, Input input, Duration graceAtEof)
            throws IOException {
        List<String> prefix = SessionLauncher.prefix(System.getenv());
        List<String> gated = new ArrayList<>(prefix);
        gated.addAll(List.of(SHELL, "-c", GATE, "tenure", input == Input.NULL ? "null" : "keep"));
        gated.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(gated).redirectError(ProcessBuilder.Redirect.INHERIT);
        if (input == Input.NULL) {
            builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
        }
        builder.environment().putAll(more);
        Process leader = builder.start();
        try {
            ProcessGroup group = new ProcessGroup(leader, supervise(prefix, leader.pid(), graceAtEof));
            group.open(input);
            return group;
        } catch (IOException | RuntimeException failed) {
            leader.destroyForcibly();
            throw failed;
        }
    }

    private static Process supervise(List<String> prefix, long group, Duration graceAtEof) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        long tenths = Math.max(1, graceAtEof.toMillis() / 100);
        command.addAll(List.of(SHELL, "-c", SUPERVISOR, "tenure", Long.toString(group), Long.toString(tenths)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void open(Input input) throws IOException {
        if (!"ready".equals(answers.readLine())) {
            supervisor.destroyForcibly();
            throw new IOException("the supervisor of the command did not start");
        }
        BufferedWriter go = leader.outputWriter(StandardCharsets.UTF_8);
        go.write("go\n");
        go.flush();
        if (input == Input.NULL) {
            go.close();
        }
    }

    /**
     * The command itself.
     */
    Process leader() {
        return leader;
    }

    /**
     * Sends a signal to all members, by its name without SIG.
     *
     * @return whether the group has members
     */
    synchronized boolean signal(String name) {
        try {
            requests.write(name + "\n");
            requests.flush();
            String answer = answers.readLine();
            if (answer != null) {
                return answer.equals("alive");
            }
        } catch (IOException supervisorIsGone) {
            // below
        }
        return signalWithoutSupervisor(name);
    }

    /**
     * Whether any member lives.
     */
    boolean hasMembers() {
        return signal("0") && (leader.isAlive() || GroupMembers.anyLiving(leader.pid()));
    }

    private boolean signalWithoutSupervisor(String name) {
        try {
            Process kill = new ProcessBuilder(
                            SHELL, "-c", "kill -s \"$1\" -- \"-$2\"", "tenure", name, "" + leader.pid())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return Waits.exitCode(kill) == 0;
        } catch (IOException cannot) {
            return leader.isAlive();
        }
    }

    /**
     * Ends the group: SIGTERM, and SIGKILL to what is left after the grace. Returns when the command has ended and no
     * member lives; of what SIGKILL did not end at once, a member that hangs in the kernel, only the command itself is
     * waited for. Interrupts are kept for later.
     *
     * @return whether SIGKILL was needed
     */
    boolean end(Duration grace) {
        boolean killed = false;
        if (hasMembers()) {
            signal("TERM");
            signal("CONT");
            if (!Waits.until(grace, () -> !hasMembers())) {
                killed = true;
                signal("KILL");
                Waits.until(Duration.ofSeconds(2), () -> !hasMembers());
            }
        }
        Waits.exitCode(leader);
        return killed;
    }

    /**
     * Lets the supervisor end whatever is left.
     */
    @Override
    public synchronized void close() {
        try {
            requests.close();
        } catch (IOException gone) {
            // so it has ended already
        }
    }

    private static String script(String name) {
        try (InputStream in = ProcessGroup.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing in the jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#")) // ps shows the rest
                    .collect(Collectors.joining("\n"));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
