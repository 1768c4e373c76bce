package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The command in this JVM: what is refused, and what is told.
 */
class CommandLineTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine command = Main.commandLine();
        command.setOut(new PrintWriter(out));
        command.setErr(new PrintWriter(err));
        return command.execute(args);
    }

    private static Arguments refused(String line, String... args) {
        return Arguments.of(line, args);
    }

    private static String[] withRun(String... options) {
        List<String> args = new ArrayList<>(List.of("run", "--store", "memory:", "--role", "r"));
        args.addAll(List.of(options));
        args.addAll(List.of("--", "true"));
        return args.toArray(String[]::new);
    }

    static Stream<Arguments> mistakes() {
        String shared = "--store must be a store that other processes share: it lives and ends with one process:"
                + " --store=memory:";
        String schemes =
                "--store must begin with one of consul+https:, consul:, jdbc:postgresql:, jdbc:sqlite:, memory:, redis-cluster:,"
                        + " redis-sentinel:, redis:, rediss-cluster:, rediss-sentinel:, rediss: but is ";
        return Stream.of(
                refused("--lease must be above zero: --lease=0s (see tenure run --help)", withRun("--lease", "0s")),
                refused("--lease must be above zero: --lease=-5s (see tenure run --help)", withRun("--lease", "-5s")),
                refused("--grace must be above zero: --grace=0s (see tenure run --help)", withRun("--grace", "0s")),
                refused("--wait must be above zero: --wait=-1s (see tenure run --help)", withRun("--wait", "-1s")),
                refused("--margin must be zero or more: --margin=-1s (see tenure run --help)", withRun("--margin=-1s")),
                refused(
                        "--renew must be a duration such as 15s, 500ms, 2m, 1h or PT15S: --renew=soon (see tenure run"
                                + " --help)",
                        withRun("--renew", "soon")),
                refused(
                        "--renew must be at most (--lease - --margin) / 2 = 6.75s, --lease=15s: --renew=8s",
                        withRun("--renew", "8s")),
                refused(
                        "--margin must be below --lease=10s: --margin=11s",
                        withRun("--lease", "10s", "--margin", "11s")),
                refused("--lease must be at least 0.001s: --lease=0.000001s", withRun("--lease", "1us")),
                refused("--name must be without control characters: --name=a\\u000ab", withRun("--name", "a\nb")),
                refused("--name must be 1 to 256 characters, has 0: --name=", withRun("--name", "")),
                refused(
                        "--role must be without white space and control characters: --role=a\\u001bb",
                        "run",
                        "--store=memory:",
                        "--role=a\u001bb",
                        "--",
                        "true"),
                refused(
                        "--role must be 1 to 128 characters, has 0: --role=",
                        "run",
                        "--store=memory:",
                        "--role=",
                        "--",
                        "true"),
                refused("Missing required option: '--role=R' (see tenure run --help)", "run", "--", "true"),
                refused("Missing required parameter: 'CMD' (see tenure run --help)", "run", "--role=r"),
                refused(
                        "Unknown option: '--leese=3s' (see tenure run --help)",
                        "run",
                        "--role=r",
                        "--leese=3s",
                        "true"),
                refused(
                        "--events must be a file that can be written: --events=/no/such/folder/e",
                        withRun("--events", "/no/such/folder/e")),
                refused(schemes + "mysql:…", "status", "--store=mysql://root:hunter2@db/x"),
                refused(schemes + "/tmp/x.db", "status", "--store=/tmp/x.db"),
                refused(
                        "--store must give user and password as its parameters user and password, not before the host:"
                                + " --store=jdbc:postgresql://***",
                        "status",
                        "--store=jdbc:postgresql://app:hunter2@db/x"),
                refused(
                        "--store must have a port of 1 to 65535 after the colon, and user and password as its"
                                + " parameters user and password: port=99999",
                        "status",
                        "--store=jdbc:postgresql://db:99999/x"),
                refused(
                        "--store: port must be 1 to 65535; user and password stand before an @, percent-encoded:"
                                + " port=***",
                        "doctor",
                        "--store=redis://db:hunter2"),
                refused(
                        "--store: master must be named with Sentinel: redis-sentinel://host:26379#master",
                        "doctor",
                        "--store=redis-sentinel://:hunter2@db"),
                refused("no such database: /no/such.db", "doctor", "--store=jdbc:sqlite:/no/such.db"),
                refused(shared, "doctor", "--store=memory:"),
                refused(
                        "Unmatched argument at index 1: 'nightly' (see tenure doctor --help)",
                        "doctor",
                        "nightly",
                        "--store=redis://db"),
                refused("no such database: /no/such.db", "evict", "r", "--store=jdbc:sqlite:/no/such.db"),
                refused(
                        "TOKEN must be a whole number from 1 to 9007199254740991: TOKEN=abc (see tenure fence accept"
                                + " --help)",
                        "fence",
                        "accept",
                        "r",
                        "abc"),
                refused(shared, "status", "--store=memory:"),
                refused(shared, "watch", "r", "--store=memory:"),
                refused(shared, "evict", "r", "--store=memory:"),
                refused(shared, "fence", "accept", "r", "1", "--store=memory:"),
                refused(shared, "demo", "--store=memory:"),
                refused("TOKEN must be 1 to 9007199254740991: TOKEN=0", "fence", "accept", "r", "0", "--yes"),
                refused("fence what? accept ROLE [TOKEN] (see tenure fence --help)", "fence"),
                refused("Missing required parameter: 'ROLE' (see tenure watch --help)", "watch"),
                refused("Unmatched argument at index 0: 'lead' (see tenure --help)", "lead"),
                refused("which command? one of run, status, watch, evict, fence, doctor, demo (see tenure --help)"));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void K157_aMistakeIsOneLineAndCode2(String line, String[] args) {
        assertThat(run(args)).isEqualTo(2);
        assertThat(err.toString()).isEqualTo("tenure: " + line + System.lineSeparator());
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aFolderThatIsMissingIsOneLineAndCode2(@TempDir Path folder) {
        assertThat(run("status", "--store=jdbc:sqlite:" + folder + "/no/such.db"))
                .isEqualTo(2);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .isEqualTo("tenure: no such database: " + folder + "/no/such.db");
    }

    @Test
    void aStateFolderThatCannotBeMadeIsOneLine(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> StateFolder.storeUrl(Map.of("XDG_STATE_HOME", file.toString()))))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining(file + "/tenure");
    }

    @Test
    void doctorTellsHowSoonAnyStoreAnswers(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("t.db"));
        assertThat(run("doctor", "--store=jdbc:sqlite:" + file)).isZero();
        assertThat(out.toString().lines())
                .hasSize(4)
                .satisfies(lines -> assertThat(lines.get(0)).contains("t.db"))
                .satisfies(lines -> assertThat(lines.get(1))
                        .matches("ok       read: answered in \\d+\\.\\d ms, the first in \\d+\\.\\d ms"))
                .endsWith("", "doctor: problems=0 advice=0 unknown=0");
    }

    @Test
    void doctorTellsAnUnreachableServerAsOtherCommandsDo() {
        assertThat(run("doctor", "--store=redis://:hunter2@127.0.0.1:1")).isEqualTo(1);
        assertThat(err.toString()).startsWith("tenure: store: redis at 127.0.0.1:1: Connection refused");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aTokenThatTheStoreWouldRefuseIsRefused() {
        assertThat(run("fence", "accept", "r", "9000000000000000", "--yes")).isEqualTo(2);
        assertThat(err.toString().strip())
                .matches("tenure: TOKEN must be at most \\d{16}, a day above the time in µs: TOKEN=9000000000000000");
    }

    @Test
    void theStateFolderIsBelowHome(@TempDir Path folder) {
        assertThat(StateFolder.storeUrl(Map.of("HOME", folder.toString())))
                .isEqualTo("jdbc:sqlite:" + folder + "/.local/state/tenure/tenure.db");
    }

    @Test
    void theDefaultStoreLiesInTheStateFolder(@TempDir Path folder) {
        assertThat(StateFolder.storeUrl(Map.of("XDG_STATE_HOME", folder.toString())))
                .isEqualTo("jdbc:sqlite:" + folder + "/tenure/tenure.db");
        assertThat(folder.resolve("tenure")).isDirectory();
    }

    @Test
    void aCommandThatIsNotFoundIsCode127() {
        assertThat(run("run", "--store=memory:", "--role=r", "--", "no-such-command"))
                .isEqualTo(127);
        assertThat(err.toString().lines())
                .containsExactly("tenure: CMD must be an executable file or on the PATH: CMD=no-such-command");
    }

    @Test
    void everyCommandHasHelpWithExamples() {
        assertHelp(Main.commandLine());
    }

    private void assertHelp(CommandLine command) {
        String name = command.getCommandSpec().qualifiedName();
        boolean own = !name.endsWith(" help")
                && !command.getCommandSpec().usageMessage().hidden();
        if (own) {
            assertThat(command.getUsageMessage())
                    .as(name)
                    .contains("Usage: " + name)
                    .contains("Examples:");
            assertThat(command.getUsageMessage().lines()).as(name).allMatch(line -> line.length() <= 100);
        }
        command.getSubcommands().values().forEach(this::assertHelp);
    }

    @Test
    void helpSaysWhatIsNotPromised() {
        assertThat(run("run", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("A frozen tenure (SIGSTOP, a suspended machine) does not stop its command");
    }

    @Test
    void versionIsTheBuilds() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString().lines().findFirst().orElse("")).matches("tenure \\d+\\.\\d+\\.\\d+.*");
    }

    @Test
    void optionsAfterTheCommandBelongToIt() {
        CommandLine command = Main.commandLine();
        command.parseArgs("run", "--role", "r", "sh", "--verbose", "-c", "x");
        RunCommand run = (RunCommand) command.getSubcommands().get("run").getCommand();
        assertThat(run.command).containsExactly("sh", "--verbose", "-c", "x");
    }

    @Test
    void completionIsAScriptThatBashReads(@TempDir Path folder) throws IOException, InterruptedException {
        assertThat(run("completion")).isZero();
        assertThat(out.toString()).contains("tenure").contains("--role").doesNotContain("demo-node");
        Path script = Files.writeString(folder.resolve("completion"), out.toString());
        Process bash =
                new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
        assertThat(bash.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).isZero();
    }
}
