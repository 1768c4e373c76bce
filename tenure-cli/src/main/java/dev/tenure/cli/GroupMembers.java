package dev.tenure.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells the living members of a process group from zombies, which take signals without end where nobody reaps them: in
 * a container whose first process is no init. Where there is no {@code /proc}, all count as living.
 */
final class GroupMembers {
    private static final Path PROCESSES = Path.of("/proc");

    private GroupMembers() {}

    static boolean anyLiving(long group) {
        boolean seen = false;
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (Path process : processes) {
                seen = true;
                if (isLivingMember(process, group)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException none) {
            return true;
        }
        return !seen;
    }

    /**
     * By {@code /proc/PID/stat}: pid (name) state parent group, where the name may hold anything.
     */
    private static boolean isLivingMember(Path process, long group) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 4);
            return fields[2].equals(Long.toString(group)) && !fields[0].equals("Z") && !fields[0].equals("X");
        } catch (IOException | IndexOutOfBoundsException gone) {
            return false;
        }
    }
}
