package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Holder;
import dev.tenure.test.Asker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes and one file.
 */
class SqliteProcessesTest {
    private static final int PROCESSES = 3;
    private static final int TERMS = 100;

    @TempDir
    Path folder;

    @Test
    void exactlyOneOfThreeProcessesIsInsideAtATime() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            processes.add(start(i));
        }
        for (Process process : processes) {
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).isTrue();
        }
        for (int i = 0; i < PROCESSES; i++) {
            assertThat(processes.get(i).exitValue())
                    .as(Files.readString(folder.resolve("out-" + i)))
                    .isZero();
        }
        List<Long> tokens = Files.readAllLines(folder.resolve("tokens")).stream()
                .map(Long::valueOf)
                .toList();
        assertThat(tokens).hasSize(PROCESSES * TERMS).doesNotHaveDuplicates().isSorted();
    }

    private Process start(int number) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Member.class.getName(),
                        folder.toString(),
                        "member-" + number)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out-" + number).toFile())
                .start();
    }

    /**
     * One process: leads, looks whether it is alone, and writes down its token.
     */
    static final class Member {
        private Member() {}

        public static void main(String[] arguments) throws IOException {
            Path folder = Path.of(arguments[0]);
            Path inside = folder.resolve("inside");
            try (Asker asker = Asker.at("jdbc:sqlite:" + folder.resolve("lease.db"))) {
                int terms = 0;
                while (terms < TERMS) {
                    Holder holder = Asker.holder(arguments[1]);
                    AcquireResult answer = asker.ask("role", holder);
                    if (answer instanceof Granted granted) {
                        Files.createFile(inside); // throws if somebody else is inside
                        Files.writeString(
                                folder.resolve("tokens"),
                                granted.token() + "\n",
                                java.nio.file.StandardOpenOption.CREATE,
                                java.nio.file.StandardOpenOption.APPEND);
                        Files.delete(inside);
                        if (!asker.release(asker.claim("role", holder, granted.token()))) {
                            throw new IllegalStateException("release was refused");
                        }
                        terms++;
                    }
                }
            }
        }
    }
}
