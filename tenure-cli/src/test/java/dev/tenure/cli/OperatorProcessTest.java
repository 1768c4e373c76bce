package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Looking at elections and repairing them, while a real process leads.
 */
@Timeout(600)
class OperatorProcessTest {
    @TempDir
    Path folder;

    private final List<TenureProcess> started = new ArrayList<>();
    private Map<String, String> environment = Map.of();

    @BeforeEach
    void place() throws IOException {
        Files.createFile(folder.resolve("t.db"));
        environment = Map.of(StoreOptions.VARIABLE, "jdbc:sqlite:" + folder.resolve("t.db"));
    }

    @AfterEach
    void endAll() {
        started.forEach(process -> process.signal("TERM"));
        started.forEach(TenureProcess::exitCode);
        started.forEach(
                process -> assertThat(process.err()).doesNotContain("\tat ").doesNotContain("Exception"));
    }

    private TenureProcess tenure(String... args) {
        TenureProcess process = TenureProcess.start(folder, environment, args);
        started.add(process);
        return process;
    }

    private TenureProcess leader(String role, String... more) {
        List<String> args = new ArrayList<>(
                List.of("run", "--role", role, "--name", "web-1", "--lease", "60s", "--events", "EVENTS"));
        args.addAll(List.of(more));
        args.addAll(List.of("--", "sleep", "500"));
        TenureProcess process = tenure(args.toArray(String[]::new));
        process.awaitEvent("command_started");
        return process;
    }

    @Test
    void statusShowsWhoLeads() {
        TenureProcess empty = tenure("status");
        assertThat(empty.exitCode()).isZero();
        assertThat(empty.out().strip()).isEqualTo("nobody leads anything");
        String token = leader("nightly").awaitEvent("elected").getOrDefault("token", "");
        TenureProcess table = tenure("status");
        assertThat(table.exitCode()).isZero();
        assertThat(table.out().lines().toList().get(0).split(" {2,}"))
                .containsExactly("ROLE", "HOLDER", "TOKEN", "HELD FOR", "EXPIRES IN", "METADATA");
        assertThat(table.out().lines().toList().get(1)).startsWith("nightly  web-1   " + token + "  ");
        TenureProcess json = tenure("status", "nightly", "other", "--json");
        assertThat(json.exitCode()).isZero();
        String[] objects = json.out().strip().substring(1).split("(?<=\\}),(?=\\{\"role)", 2);
        Map<String, String> nightly = Json.readFlat(objects[0]);
        assertThat(nightly)
                .containsEntry("role", "nightly")
                .containsEntry("holder", "web-1")
                .containsEntry("token", token)
                .containsEntry("revoked", "false");
        assertThat(Long.parseLong(nightly.get("expires_in_ms"))).isBetween(0L, 60_000L);
        assertThat(Json.readFlat(objects[1])).containsEntry("role", "other").doesNotContainKey("holder");
    }

    @Test
    void K159_namespacesAreApart() {
        leader("nightly", "--namespace", "one");
        leader("nightly", "--namespace", "two");
        TenureProcess one = tenure("status", "--namespace", "one");
        TenureProcess three = tenure("status", "--namespace", "three");
        assertThat(one.exitCode()).isZero();
        assertThat(one.out().lines()).hasSize(2).last().asString().startsWith("nightly  web-1");
        assertThat(three.exitCode()).isZero();
        assertThat(three.out().strip()).isEqualTo("nobody leads anything");
    }

    @Test
    void withoutATerminalNothingIsDoneUnasked() {
        TenureProcess holder = leader("nightly");
        for (String[] args : new String[][] {
            {"evict", "nightly"}, {"evict", "nightly", "--force"}, {"fence", "accept", "nightly", "5"}
        }) {
            TenureProcess refused = tenure(args);
            assertThat(refused.exitCode()).isEqualTo(2);
            assertThat(refused.err().strip())
                    .isEqualTo("tenure: --yes must be given where there is no terminal to ask on");
        }
        TenureProcess nothing = tenure("evict", "other", "--yes");
        assertThat(nothing.exitCode()).isZero();
        assertThat(nothing.out().strip()).isEqualTo("nobody holds other: nothing to do");
        assertThat(holder.leads()).isTrue();
    }

    @Test
    void anAcceptedTokenIsBelowTheNext() {
        TenureProcess first = tenure("run", "--role", "r", "--", "sh", "-c", "echo $TENURE_FENCING_TOKEN");
        assertThat(first.exitCode()).isZero();
        long ahead = Long.parseLong(first.out().strip()) + 3_600_000_000L;
        TenureProcess missing = tenure("fence", "accept", "r", "--yes");
        assertThat(missing.exitCode()).isEqualTo(2);
        assertThat(missing.err()).contains("TOKEN must be given");
        TenureProcess accept = tenure("fence", "accept", "r", Long.toString(ahead), "--yes");
        assertThat(accept.exitCode()).isZero();
        assertThat(accept.out()).contains("accepted: the next token of r is above " + ahead);
        TenureProcess second = tenure("run", "--role", "r", "--", "sh", "-c", "echo $TENURE_FENCING_TOKEN");
        assertThat(second.exitCode()).isZero();
        assertThat(Long.parseLong(second.out().strip())).isGreaterThan(ahead);
    }

    @Test
    void watchTellsEveryChange() {
        TenureProcess watch = tenure("watch", "nightly", "--json");
        awaitLines(watch, 1);
        TenureProcess holder = leader("nightly");
        awaitLines(watch, 2);
        holder.signal("TERM");
        assertThat(holder.exitCode()).isEqualTo(143);
        awaitLines(watch, 3);
        List<Map<String, String>> lines =
                watch.out().lines().map(Json::readFlat).toList();
        assertThat(lines).extracting(line -> line.get("holder")).containsExactly(null, "web-1", null);
        assertThat(lines.get(1)).containsKeys("t", "token", "expires_in_ms").containsEntry("role", "nightly");
    }

    private static void awaitLines(TenureProcess watch, int count) {
        assertThat(Waits.until(TenureProcess.PATIENCE, () -> watch.out().lines().count() >= count))
                .as(watch.out() + watch.err())
                .isTrue();
    }

    @Test
    void watchEndsQuietlyWithItsReader() throws IOException, InterruptedException {
        leader("nightly");
        List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" | head -1", "sh"));
        command.addAll(OwnProgram.command());
        command.addAll(List.of("watch", "nightly"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process pipeline = builder.start();
        try (BufferedReader lines = pipeline.inputReader()) {
            assertThat(lines.lines()).singleElement().asString().contains("nightly: web-1 leads, token ");
        }
        assertThat(pipeline.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(pipeline.exitValue()).isZero();
    }
}
