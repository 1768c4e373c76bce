package dev.tenure.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The table definitions that come with this module, as files beside the classes.
 */
final class Ddl {
    private Ddl() {}

    /**
     * One statement, with {@code {table}} for the table's name.
     */
    static String read(String file) {
        try (InputStream text = Ddl.class.getResourceAsStream(file)) {
            if (text == null) {
                throw new IllegalStateException("file is missing in the jar: " + file);
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
