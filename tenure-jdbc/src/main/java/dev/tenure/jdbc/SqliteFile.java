package dev.tenure.jdbc;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The file that a SQLite URL names.
 */
final class SqliteFile {
    private static final String SCHEME = "jdbc:sqlite:";

    private SqliteFile() {}

    /**
     * @throws IllegalArgumentException if the database would be in memory, where each connection has its own
     */
    static Path of(String url) {
        String rest = url.startsWith(SCHEME) ? url.substring(SCHEME.length()) : url;
        String path = rest.replaceFirst("\\?.*", "").replaceFirst("^file:", "").replaceFirst("^//(localhost)?/", "/");
        String asked = rest.toLowerCase(Locale.ROOT);
        if (path.isEmpty() || asked.contains(":memory:") || asked.contains("mode=memory")) {
            throw new IllegalArgumentException(
                    "sqlite must be in a file: each connection to a database in memory has its own: store=" + SCHEME
                            + path);
        }
        if (path.startsWith(":")) {
            throw new IllegalArgumentException("sqlite must be in a file: store=" + SCHEME + path);
        }
        try {
            return Path.of(path).toAbsolutePath();
        } catch (InvalidPathException bad) {
            throw new IllegalArgumentException("sqlite file has an impossible name: " + path, bad);
        }
    }

    /**
     * Whether the file can be written, or made. Makes nothing.
     *
     * @throws IllegalArgumentException saying why not
     */
    static Path checked(String url) {
        Path file = of(url);
        Path folder = file.getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("sqlite file cannot be made, its folder is missing: file=" + file);
        }
        if (Files.exists(file) && (!Files.isRegularFile(file) || !Files.isReadable(file) || !Files.isWritable(file))) {
            throw new IllegalArgumentException("sqlite file cannot be written: file=" + file);
        }
        if (!Files.isWritable(folder)) { // the write-ahead log lies beside the file
            throw new IllegalArgumentException("sqlite file's folder cannot be written: file=" + file);
        }
        return file;
    }
}
