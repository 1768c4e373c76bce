package dev.tenure.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Whether a process stands still: SIGSTOP reaches its threads one by one. Only where there is {@code /proc}.
 */
final class FrozenThreads {
    private FrozenThreads() {}

    static boolean canTell(long pid) {
        return Files.isReadable(threads(pid));
    }

    static boolean areAll(long pid) {
        boolean seen = false;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(threads(pid))) {
            for (Path thread : threads) {
                seen = true;
                if (!isStopped(thread)) {
                    return false;
                }
            }
        } catch (IOException | DirectoryIteratorException gone) {
            return false;
        }
        return seen;
    }

    private static Path threads(long pid) {
        return Path.of("/proc", Long.toString(pid), "task");
    }

    /**
     * By {@code stat}: id (name) state, where the name may hold anything.
     */
    private static boolean isStopped(Path thread) throws IOException {
        String stat = Files.readString(thread.resolve("stat"), StandardCharsets.ISO_8859_1);
        return stat.startsWith("T", stat.lastIndexOf(')') + 2);
    }
}
