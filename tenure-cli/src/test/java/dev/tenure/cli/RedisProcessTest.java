package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands on a real Redis.
 */
@Timeout(600)
class RedisProcessTest {
    @TempDir
    Path folder;

    private TenureProcess tenure(String store, String... args) {
        return TenureProcess.start(folder, Map.of(StoreOptions.VARIABLE, store), args);
    }

    @Test
    void doctorFindsNothingOnAServerThatIsSetWell() {
        try (RedisProcess server = RedisProcess.start(folder, "--appendonly", "yes", "--appendfsync", "always")) {
            TenureProcess doctor = tenure("redis://" + server.address(), "doctor");
            assertThat(doctor.exitCode()).as(doctor.out() + doctor.err()).isZero();
            assertThat(doctor.out().lines())
                    .startsWith("redis at " + server.address())
                    .noneMatch(line ->
                            line.startsWith("advice") && !line.startsWith("advice   latency: ")) // a busy machine
                    .last()
                    .asString()
                    .matches("doctor: problems=0 advice=[01] unknown=0");
            assertThat(doctor.out().lines())
                    .contains(
                            "ok       permissions: user default lacks none",
                            "ok       wake-ups: the release was heard of");
            assertThat(doctor.err()).isEmpty();
        }
    }

    @Test
    void doctorTellsProblemsWithWhatToDoAndNoPassword() {
        try (RedisProcess server = RedisProcess.start(
                folder,
                "--maxmemory",
                "100mb",
                "--maxmemory-policy",
                "allkeys-lru",
                "--save",
                "",
                "--user",
                "app",
                "on",
                ">hunter2",
                "~*",
                "&*",
                "+@all",
                "-pexpire")) {
            String store = "redis://app:hunter2@" + server.address();
            TenureProcess doctor = tenure(store, "doctor", "--verbose");
            assertThat(doctor.exitCode()).isEqualTo(1);
            assertThat(doctor.out())
                    .contains("PROBLEM  maxmemory-policy: allkeys-lru, maxmemory 100.0 MB")
                    .contains("\n         may happen: when memory is full, a leader's record is evicted")
                    .contains("\n         to do: CONFIG SET maxmemory-policy noeviction")
                    .contains("advice   persistence: appendonly no, save \"\"")
                    .contains("PROBLEM  permissions: user app lacks +pexpire")
                    .contains("to do: ACL SETUSER app +pexpire;")
                    .containsPattern("doctor: problems=2 advice=[12] unknown=0\\R$");
            TenureProcess json = tenure(store, "doctor", "--json");
            assertThat(json.exitCode()).isEqualTo(1);
            assertThat(json.out().lines())
                    .singleElement()
                    .asString()
                    .contains("{\"severity\":\"problem\",\"subject\":");
            assertThat(Json.readFlat(json.out())).containsEntry("store", "redis at " + server.address());
            assertThat(doctor.out() + doctor.err() + json.out() + json.err()).doesNotContain("hunter2");
        }
    }

    @Test
    void aLeaderOnRedisIsSeenAndEndsAtOnce() {
        try (RedisProcess server = RedisProcess.start(folder, "--requirepass", "hunter2")) {
            String store = "redis://:hunter2@" + server.address();
            TenureProcess leader = tenure(
                    store, "run", "--role", "nightly", "--name", "web-1", "--events", "EVENTS", "--", "sleep", "500");
            leader.awaitEvent("command_started");
            TenureProcess status = tenure(store, "status");
            assertThat(status.exitCode()).isZero();
            assertThat(status.out().lines()).hasSize(2).last().asString().startsWith("nightly  web-1");
            leader.signal("TERM");
            assertThat(leader.exitCode()).isEqualTo(143);
            TenureProcess free = tenure(store, "status");
            assertThat(free.exitCode()).isZero();
            assertThat(free.out().strip()).isEqualTo("nobody leads anything");
            assertThat(leader.err() + status.err() + free.err()).isEmpty();
        }
    }

    @Test
    void anInterruptedWatchEndsAtOnce() {
        try (RedisProcess server = RedisProcess.start(folder)) {
            TenureProcess watch = tenure("redis://" + server.address(), "watch", "nightly");
            assertThat(Waits.until(TenureProcess.PATIENCE, () -> watch.out().contains("nobody leads")))
                    .isTrue();
            watch.signal("TERM");
            assertThat(Waits.until(Duration.ofMinutes(1), () -> !watch.isAlive()))
                    .isTrue();
            assertThat(watch.exitCode()).isEqualTo(143);
            assertThat(watch.err()).isEmpty();
        }
    }

    @Test
    void theRegistersOfADemoOnRedisAreAFile() {
        StoreOptions store = new StoreOptions();
        store.given = "redis://127.0.0.1:1";
        try (DemoPlace place = DemoPlace.make(store)) {
            assertThat(place.leaseUrl()).isEqualTo(store.given);
            assertThat(place.registerUrl()).startsWith("jdbc:sqlite:" + place.folder());
        }
    }
}
