package dev.tenure.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts a program as the leader of a new session, and so of a new process group, in its own process: Java cannot.
 */
final class SessionLauncher {
    private static final String PERL = "use POSIX; POSIX::setsid() != -1 or die \"setsid: $!\\n\";"
            + " exec { $ARGV[0] } @ARGV or die \"$ARGV[0]: $!\\n\"";

    private SessionLauncher() {}

    /**
     * The words to put before a command.
     *
     * @throws CommandFailure if this system has nothing to do it with
     */
    static List<String> prefix(Map<String, String> environment) {
        Optional<Path> setsid = find("setsid", environment);
        if (setsid.isPresent()) {
            return List.of(setsid.get().toString());
        }
        return find("perl", environment)
                .map(perl -> List.of(perl.toString(), "-e", PERL))
                .orElseThrow(() -> CommandFailure.unusable(
                        "a process group of its own needs setsid (util-linux, busybox) or perl on the PATH"));
    }

    /**
     * An executable by its name or path, as a shell finds it.
     */
    static Optional<Path> find(String program, Map<String, String> environment) {
        if (program.indexOf('/') >= 0) {
            return executable(program);
        }
        String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
        for (String folder : path.split(File.pathSeparator, -1)) {
            Optional<Path> found = executable((folder.isEmpty() ? "." : folder) + "/" + program);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private static Optional<Path> executable(String name) {
        try {
            return Optional.of(Path.of(name)).filter(Files::isRegularFile).filter(Files::isExecutable);
        } catch (InvalidPathException impossible) {
            return Optional.empty();
        }
    }
}
