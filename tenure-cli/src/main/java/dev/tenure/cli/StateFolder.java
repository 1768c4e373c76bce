package dev.tenure.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * Where the state of this user lies.
 */
final class StateFolder {
    private StateFolder() {}

    /**
     * The store where none is named: an SQLite file in the state folder, which is created.
     */
    static String storeUrl(Map<String, String> environment) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        if (!state.startsWith("/")) { // as its specification says
            String home = environment.getOrDefault("HOME", "");
            state = (home.startsWith("/") ? home : System.getProperty("user.home", ".")) + "/.local/state";
        }
        Path folder = Path.of(state, "tenure");
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } catch (IOException | UnsupportedOperationException cannot) {
            throw CommandFailure.usage("the state folder cannot be created, name another store with --store: "
                    + Text.oneLine(folder.toString()) + " (" + cannot.getClass().getSimpleName() + ")");
        }
        return "jdbc:sqlite:" + folder.resolve("tenure.db");
    }
}
