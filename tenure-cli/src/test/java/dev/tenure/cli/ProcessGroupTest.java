package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ProcessGroupTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(300);

    @TempDir
    Path folder;

    private ProcessGroup start(String script) throws IOException {
        return ProcessGroup.start(
                List.of("sh", "-c", script, "sh", folder.toString()),
                Map.of("GIVEN", "value"),
                ProcessGroup.Input.NULL,
                LONG);
    }

    private void awaitFile(String name) {
        assertThat(Waits.until(LONG, () -> Files.exists(folder.resolve(name)))).isTrue();
    }

    @Test
    void theCommandHasItsEnvironmentNoInputAndItsOwnCode() throws IOException {
        try (ProcessGroup group = start("cat > $1/input; echo $GIVEN > $1/given; exit 7")) {
            assertThat(Waits.exitCode(group.leader())).isEqualTo(7);
            assertThat(folder.resolve("input")).isEmptyFile();
            assertThat(folder.resolve("given")).hasContent("value");
            assertThat(group.hasMembers()).isFalse();
            assertThat(group.end(LONG)).isFalse();
        }
    }

    @Test
    void itLeadsASessionOfItsOwn() throws IOException {
        try (ProcessGroup group = start("sleep 100")) {
            String stat = Files.readString(Path.of("/proc/" + group.leader().pid() + "/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 5);
            assertThat(List.of(fields[2], fields[3]))
                    .containsOnly(Long.toString(group.leader().pid()));
            assertThat(group.end(LONG)).isFalse();
            assertThat(group.leader().exitValue()).isEqualTo(128 + 15);
        }
    }

    @Test
    void sigtermReachesTheWholeGroup() throws IOException {
        try (ProcessGroup group =
                start("(trap 'touch $1/child; exit' TERM; touch $1/ready; while :; do sleep 0.1; done) & wait")) {
            awaitFile("ready");
            assertThat(group.end(LONG)).as("killed").isFalse();
            assertThat(folder.resolve("child")).exists();
            assertThat(group.hasMembers()).isFalse();
        }
    }

    @Test
    void whatIgnoresSigtermIsKilledAfterTheGrace() throws IOException {
        try (ProcessGroup group = start("trap '' TERM; touch $1/ready; sleep 100; sleep 100")) {
            awaitFile("ready");
            assertThat(group.end(SHORT)).isTrue();
            assertThat(group.leader().exitValue()).isEqualTo(128 + 9);
        }
    }

    @Test
    void aStoppedGroupEndsToo() throws IOException {
        try (ProcessGroup group = start("sleep 100")) {
            group.signal("STOP");
            assertThat(group.end(LONG)).isFalse();
        }
    }

    @Test
    void whatTheCommandLeavesBehindIsEnded() throws IOException {
        try (ProcessGroup group = start("sleep 100 & exit 3")) {
            assertThat(Waits.exitCode(group.leader())).isEqualTo(3);
            assertThat(group.hasMembers()).isTrue();
            assertThat(group.end(LONG)).isFalse();
            assertThat(group.hasMembers()).isFalse();
        }
    }

    @Test
    void withoutItsPipeTheSupervisorEndsTheGroup() throws IOException {
        ProcessGroup group = ProcessGroup.start(
                List.of(
                        "sh",
                        "-c",
                        "trap '' TERM; sleep 100 & touch $1/ready; sleep 100; sleep 100",
                        "sh",
                        folder.toString()),
                Map.of(),
                ProcessGroup.Input.NULL,
                SHORT);
        awaitFile("ready");
        group.close();
        assertThat(Waits.exitCode(group.leader())).isEqualTo(128 + 9);
        assertThat(Waits.until(
                        LONG, () -> !GroupMembers.anyLiving(group.leader().pid())))
                .isTrue();
    }

    @Test
    void signalsAreSentWithoutASupervisorToo() throws IOException {
        try (ProcessGroup group = start("sleep 100")) {
            group.close();
            group.signal("KILL");
            assertThat(Waits.exitCode(group.leader())).isGreaterThan(128);
        }
    }

    @Test
    void aPipedCommandReadsWhatFollowsTheGate() throws IOException {
        try (ProcessGroup group = ProcessGroup.start(List.of("cat"), Map.of(), ProcessGroup.Input.PIPE, LONG)) {
            try (var in = group.leader().outputWriter()) {
                in.write("one\ntwo\n");
            }
            assertThat(group.leader().inputReader().lines()).containsExactly("one", "two");
        }
    }

    @Test
    void interruptsAreKeptForLater() throws IOException {
        try (ProcessGroup group = start("trap '' TERM; touch $1/ready; sleep 100; sleep 100")) {
            awaitFile("ready");
            Thread.currentThread().interrupt();
            assertThat(group.end(SHORT)).isTrue();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void perlStandsInForSetsid() throws IOException, InterruptedException {
        Path perl = SessionLauncher.find("perl", System.getenv()).orElseThrow();
        Path own = Files.writeString(folder.resolve("perl"), "#!/bin/sh\nexec " + perl + " \"$@\"\n");
        assertThat(own.toFile().setExecutable(true)).isTrue();
        List<String> prefix = SessionLauncher.prefix(Map.of("PATH", folder.toString()));
        assertThat(prefix.get(0)).isEqualTo(folder.resolve("perl").toString());
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                "sh", "-c", "cut -d' ' -f5 /proc/$$/stat > $1/group; echo $$ > $1/pid", "sh", folder.toString()));
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
        assertThat(Files.readString(folder.resolve("group"))).isEqualTo(Files.readString(folder.resolve("pid")));
    }

    @Test
    void withoutSetsidAndPerlItSaysWhatIsMissing() {
        assertThatThrownBy(() -> SessionLauncher.prefix(Map.of("PATH", folder.toString())))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("a process group of its own needs setsid (util-linux, busybox) or perl on the PATH");
    }
}
