package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tenure demo} as a reader runs it.
 */
@Timeout(600)
class DemoProcessTest {
    @TempDir
    Path folder;

    private TenureProcess demo() {
        return TenureProcess.start(
                folder, Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + folder), "demo", "--quick");
    }

    private static List<ProcessHandle> nodes(TenureProcess demo) {
        return ProcessHandle.of(demo.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .toList();
    }

    private void assertNothingIsLeft(List<ProcessHandle> nodes) throws IOException {
        assertThat(Waits.until(Duration.ofMinutes(1), () -> nodes.stream().noneMatch(ProcessHandle::isAlive)))
                .isTrue();
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> file.getFileName().toString().startsWith("tenure-demo")))
                    .isEmpty();
        }
    }

    @Test
    void theQuickDemoShowsAStaleWriteRefused() throws IOException {
        try (TenureProcess demo = demo()) {
            assertThat(Waits.until(TenureProcess.PATIENCE, () -> demo.out().contains("leads, token")))
                    .as(demo.err())
                    .isTrue();
            List<ProcessHandle> nodes = nodes(demo);
            assertThat(nodes).hasSizeGreaterThanOrEqualTo(3);
            assertThat(Waits.until(Duration.ofMinutes(4), () -> !demo.isAlive()))
                    .isTrue();
            assertThat(demo.exitCode()).as(demo.out() + demo.err()).isZero();
            assertThat(demo.out()).contains("[6/6]").contains("fenced=refused unfenced=accepted held=false");
            assertThat(demo.out().lines().reduce("", (first, second) -> second))
                    .matches("demo: terms=\\d+ stale_tried=1 stale_accepted=0 unfenced_corrupted=1"
                            + " longest_takeover_ms=\\d{3,5}");
            assertThat(demo.err().replaceAll("Picked up JAVA_TOOL_OPTIONS.*\\s", ""))
                    .isEmpty();
            assertNothingIsLeft(nodes);
        }
    }

    @Test
    void anInterruptedDemoLeavesNothing() throws IOException {
        try (TenureProcess demo = demo()) {
            assertThat(Waits.until(TenureProcess.PATIENCE, () -> demo.out().contains("leads, token")))
                    .isTrue();
            List<ProcessHandle> nodes = nodes(demo);
            demo.signal("INT");
            assertThat(demo.exitCode()).isEqualTo(130);
            assertThat(demo.err()).doesNotContain("tenure:");
            assertNothingIsLeft(nodes);
        }
    }

    @Test
    void aKilledDemoLeavesNoProcess() {
        try (TenureProcess demo = demo()) {
            assertThat(Waits.until(TenureProcess.PATIENCE, () -> demo.out().contains("is up")))
                    .isTrue();
            List<ProcessHandle> nodes = nodes(demo);
            demo.signal("KILL");
            assertThat(Waits.until(Duration.ofMinutes(1), () -> nodes.stream().noneMatch(ProcessHandle::isAlive)))
                    .isTrue();
        }
    }
}
