package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tenure run} in real processes on one SQLite file.
 */
@Timeout(600)
class RunProcessTest {
    private static final Duration LEASE = Duration.ofSeconds(6);

    /**
     * Writes who runs with which token, and has a child that must not live on either.
     */
    private static final String WORK = "echo $TENURE_NAME $TENURE_FENCING_TOKEN $$ >> $0; sleep 500 & sleep 500";

    @TempDir
    Path folder;

    private final List<TenureProcess> started = new ArrayList<>();
    private String store = "";
    private Path runs = Path.of("");

    @BeforeEach
    void place() {
        store = "jdbc:sqlite:" + folder.resolve("t.db");
        runs = folder.resolve("runs");
    }

    @AfterEach
    void endAll() {
        started.forEach(process -> {
            process.signal("CONT");
            process.signal("TERM");
        });
        started.forEach(process -> Waits.until(Duration.ofMinutes(1), () -> !process.isAlive()));
        started.forEach(TenureProcess::close);
        started.forEach(process -> {
            assertThat(process.err()).doesNotContain("\tat ").doesNotContain("Exception");
        });
    }

    private TenureProcess tenure(String... args) {
        TenureProcess process = TenureProcess.start(folder, Map.of(StoreOptions.VARIABLE, store), args);
        started.add(process);
        return process;
    }

    private TenureProcess candidate(String name, String... more) {
        List<String> args = new ArrayList<>(
                List.of("run", "--role", "r", "--name", name, "--lease", "6s", "--grace", "2s", "--events", "EVENTS"));
        args.addAll(List.of(more));
        args.addAll(List.of("--", "sh", "-c", WORK, runs.toString()));
        return tenure(args.toArray(String[]::new));
    }

    private TenureProcess awaitLeader(List<TenureProcess> candidates) {
        assertThat(Waits.until(
                        TenureProcess.PATIENCE,
                        () -> candidates.stream()
                                .anyMatch(one -> one.leads()
                                        && one.lastEvent("command_started").isPresent())))
                .isTrue();
        return candidates.stream().filter(TenureProcess::leads).findFirst().orElseThrow();
    }

    private static long token(Map<String, String> event) {
        return Long.parseLong(event.getOrDefault("token", "0"));
    }

    private static long nanos(Map<String, String> event) {
        return Long.parseLong(event.getOrDefault("mono_ns", "0"));
    }

    private static long group(TenureProcess leader) {
        String reason = leader.lastEvent("command_started").orElseThrow().getOrDefault("reason", "");
        return Long.parseLong(reason.replace("pid ", ""));
    }

    private static void assertGroupEnds(long group) {
        assertThat(Waits.until(Duration.ofMinutes(1), () -> !GroupMembers.anyLiving(group)))
                .as("group " + group + " has ended")
                .isTrue();
    }

    @Test
    void aKilledLeaderTakesItsCommandAlongAndIsFollowed() {
        List<TenureProcess> all = List.of(candidate("a"), candidate("b"), candidate("c"));
        TenureProcess leader = awaitLeader(all);
        long group = group(leader);
        assertThat(GroupMembers.anyLiving(group)).isTrue();
        Map<String, String> elected = leader.awaitEvent("elected");
        long killed = System.nanoTime();
        leader.signal("KILL");
        assertGroupEnds(group);
        List<TenureProcess> others = all.stream().filter(one -> one != leader).toList();
        TenureProcess next = awaitLeader(others);
        Map<String, String> successor = next.awaitEvent("elected");
        assertThat(token(successor)).isGreaterThan(token(elected));
        assertThat(Duration.ofNanos(nanos(successor) - killed))
                .as("by the lease and a second, on an idle machine")
                .isLessThan(LEASE.plusSeconds(60));
        assertThat(others).filteredOn(TenureProcess::leads).hasSize(1);
    }

    @Test
    void R096_aFrozenLeaderIsFollowedAndSaysSoWhenItWakes() throws InterruptedException {
        List<TenureProcess> all = List.of(candidate("a"), candidate("b"));
        TenureProcess leader = awaitLeader(all);
        TenureProcess other = all.get(0) == leader ? all.get(1) : all.get(0);
        Map<String, String> elected = leader.awaitEvent("elected");
        long group = group(leader);
        leader.signal("STOP");
        Map<String, String> successor = other.awaitEvent("elected");
        Thread.sleep(LEASE.toMillis());
        assertThat(GroupMembers.anyLiving(group))
                .as("a stopped tenure stops nothing")
                .isTrue();
        assertThat(leader.leads()).isTrue();
        long woken = System.nanoTime();
        leader.signal("CONT");
        Map<String, String> lost = leader.awaitEvent("lost");
        assertThat(lost).containsEntry("reason", "DEADLINE_EXCEEDED");
        assertThat(token(lost)).isEqualTo(token(elected)).isLessThan(token(successor));
        assertThat(Duration.ofNanos(nanos(lost) - woken)).isLessThan(Duration.ofSeconds(30));
        assertGroupEnds(group);
        leader.awaitEvent("command_exited");
        leader.awaitEvent("lapsed");
        assertThat(leader.eventNames()).containsOnlyOnce("lost", "lapsed").doesNotContain("released");
        assertThat(other.leads()).isTrue();
    }

    @Test
    void sigtermHandsOverInOrder() {
        TenureProcess first = candidate("a");
        awaitLeader(List.of(first));
        TenureProcess second = candidate("b");
        second.awaitEvent("campaigning");
        long group = group(first);
        first.signal("TERM");
        assertThat(first.exitCode()).isEqualTo(128 + 15);
        assertThat(GroupMembers.anyLiving(group)).isFalse();
        assertThat(first.eventNames())
                .containsSubsequence(
                        "campaigning", "elected", "command_started", "lost", "command_exited", "released", "stopped")
                .containsOnlyOnce("elected", "lost");
        assertThat(first.lastEvent("released").orElseThrow()).containsEntry("reason", "RELEASED");
        Map<String, String> elected = second.awaitEvent("elected");
        Map<String, String> lost = first.lastEvent("lost").orElseThrow();
        assertThat(lost).containsEntry("reason", "STOPPED");
        assertThat(nanos(elected))
                .isGreaterThan(nanos(first.lastEvent("command_exited").orElseThrow()));
        assertThat(token(elected)).isGreaterThan(token(lost));
    }

    @Test
    void sigintWhileTheCommandIgnoresSigtermKillsItAfterTheGrace() {
        TenureProcess run = tenure(
                "run",
                "--role",
                "r",
                "--lease",
                "6s",
                "--grace",
                "1s",
                "--events",
                "EVENTS",
                "--",
                "sh",
                "-c",
                "trap '' TERM INT; sleep 500; sleep 500");
        long group = group(awaitLeader(List.of(run)));
        run.signal("INT");
        assertThat(run.exitCode()).isEqualTo(128 + 2);
        assertThat(GroupMembers.anyLiving(group)).isFalse();
        assertThat(run.lastEvent("command_exited").orElseThrow().get("reason"))
                .isEqualTo("exit code 137, killed after the grace");
        assertThat(run.lastEvent("released").orElseThrow()).containsEntry("reason", "RELEASED");
    }

    @Test
    void theCommandsCodeAndEnvironmentAreItsOwn() {
        TenureProcess run = tenure(
                "run",
                "--role",
                "billing/close",
                "--name",
                "web 1",
                "--events",
                "EVENTS",
                "--",
                "sh",
                "-c",
                "echo $TENURE_ROLE,$TENURE_FENCING_TOKEN,$TENURE_TERM,$TENURE_NAME; cat; exit 42");
        assertThat(run.exitCode()).isEqualTo(42);
        Map<String, String> elected = run.awaitEvent("elected");
        assertThat(run.out().strip()).isEqualTo("billing/close," + elected.get("token") + ",1,web 1");
        assertThat(run.eventNames())
                .containsExactly(
                        "campaigning",
                        "elected",
                        "command_started",
                        "command_exited",
                        "lost",
                        "lapsed",
                        "released",
                        "stopped");
        assertThat(run.lastEvent("lost").orElseThrow()).containsEntry("reason", "RELEASED");
        assertThat(run.err()).isEmpty();
        TenureProcess again = tenure("run", "--role", "billing/close", "--wait", "60s", "--", "sh", "-c", "exit 3");
        assertThat(again.exitCode()).as("released, so free at once").isEqualTo(3);
    }

    @Test
    void memoryIsForASingleProcess() {
        TenureProcess run = tenure("run", "--store", "memory:", "--role", "r", "--", "sh", "-c", "echo $TENURE_TERM");
        assertThat(run.exitCode()).isZero();
        assertThat(run.out().strip()).isEqualTo("1");
    }

    @Test
    void waitingEndsWithCode75AndALossToo() {
        TenureProcess holder = candidate("a", "--once");
        awaitLeader(List.of(holder));
        TenureProcess waiting =
                tenure("run", "--role", "r", "--wait", "500ms", "--lease", "2s", "--", "touch", folder + "/no");
        assertThat(waiting.exitCode()).isEqualTo(75);
        assertThat(waiting.err().lines()).containsExactly("tenure: did not lead within --wait");
        assertThat(folder.resolve("no")).doesNotExist();
        long group = group(holder);
        TenureProcess evict = tenure("evict", "r", "--yes");
        assertThat(evict.exitCode()).isZero();
        assertThat(evict.out()).contains("a leads").contains("revoked: a stands down at its next renewal");
        assertThat(holder.exitCode()).as("--once").isEqualTo(75);
        assertThat(GroupMembers.anyLiving(group)).isFalse();
        assertThat(holder.lastEvent("lost").orElseThrow()).containsEntry("reason", "TAKEN_OVER");
        assertThat(holder.err().lines()).containsExactly("tenure: no longer leads r: TAKEN_OVER");
    }

    @Test
    void aLostLeaderStandsAgain() {
        TenureProcess only = candidate("a");
        awaitLeader(List.of(only));
        Map<String, String> first = only.awaitEvent("elected");
        assertThat(tenure("evict", "r", "--yes").exitCode()).isZero();
        Map<String, String> second = only.awaitEvent("elected", event -> token(event) > token(first));
        assertThat(second).containsEntry("term", "2");
        assertThat(Waits.until(
                        TenureProcess.PATIENCE,
                        () -> TenureProcess.read(runs).lines().count() == 2))
                .isTrue();
        assertThat(TenureProcess.read(runs).lines().map(line -> line.split(" ", 3)[1]))
                .containsExactly(first.get("token"), second.get("token"));
    }

    @Test
    void aForcedEvictionLetsAnotherInAtOnce() {
        TenureProcess holder = tenure(
                "run",
                "--once",
                "--role",
                "r",
                "--name",
                "old",
                "--lease",
                "60s",
                "--events",
                "EVENTS",
                "--",
                "sleep",
                "500");
        awaitLeader(List.of(holder)); // who stands no second time: it might come before the next one
        TenureProcess evict = tenure("evict", "r", "--force", "--yes");
        assertThat(evict.exitCode()).isZero();
        assertThat(evict.out()).contains("two leaders are possible").contains("freed: anybody may lead r now");
        TenureProcess next =
                tenure("run", "--role", "r", "--wait", "60s", "--", "sh", "-c", "echo $TENURE_FENCING_TOKEN");
        assertThat(next.exitCode()).isZero();
        assertThat(Long.parseLong(next.out().strip())).isGreaterThan(token(holder.awaitEvent("elected")));
    }

    @Test
    void aStoreThatCannotBeReachedIsToldOnceAndItsPasswordNever() throws Exception {
        String password = "hunter2secret";
        TenureProcess run = TenureProcess.start(
                folder,
                Map.of(StoreOptions.VARIABLE, "jdbc:postgresql://127.0.0.1:1/db?user=u&password=" + password),
                "run",
                "--verbose",
                "--role",
                "r",
                "--lease",
                "1s",
                "--wait",
                "4s",
                "--events",
                "EVENTS",
                "--",
                "true");
        assertThat(run.exitCode()).isEqualTo(75);
        assertThat(run.err()
                        .lines()
                        .filter(line -> line.startsWith("tenure: the store gives no usable answer, tries on: ")))
                .hasSize(1);
        assertThat(run.eventNames()).containsOnlyOnce("store_unavailable").doesNotContain("elected");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(Files::isRegularFile).toList())
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(TenureProcess.read(file)).doesNotContain(password));
        }
    }

    @Test
    void eventsOnAFullDiskEndNothing() {
        TenureProcess run = tenure("run", "--role", "r", "--events", "/dev/full", "--", "sh", "-c", "exit 4");
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err().lines()).singleElement().asString().startsWith("tenure: events cannot be written: ");
    }
}
