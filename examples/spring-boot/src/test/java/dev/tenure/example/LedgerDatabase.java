package dev.tenure.example;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.time.Duration;

/**
 * A PostgreSQL of its own, for a machine without one: says its URL, and ends when standard input does.
 */
final class LedgerDatabase {
    private LedgerDatabase() {}

    /**
     * @param arguments an empty folder and a port
     */
    public static void main(String[] arguments) throws IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(new File(arguments[0]))
                .setPort(Integer.parseInt(arguments[1]))
                .setPGStartupWait(Duration.ofMinutes(2))
                .setServerConfig("fsync", "off")
                .start()) {
            System.out.println(server.getJdbcUrl("postgres", "postgres"));
            while (System.in.read() >= 0) {
                // nothing is said to it
            }
        }
    }
}
