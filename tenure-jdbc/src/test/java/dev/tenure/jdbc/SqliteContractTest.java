package dev.tenure.jdbc;

import dev.tenure.spi.LeaseStore;
import dev.tenure.test.LeaseStoreContract;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on a SQLite file.
 */
@Execution(ExecutionMode.CONCURRENT)
class SqliteContractTest extends LeaseStoreContract {
    @TempDir
    static Path folder;

    private static String url() {
        return "jdbc:sqlite:" + folder.resolve("contract.db");
    }

    /**
     * Longer than by default: the tests wait side by side.
     */
    @Override
    protected Duration lease() {
        return Duration.ofSeconds(3);
    }

    @Override
    protected LeaseStore open() {
        return JdbcLeaseStore.connect(url(), Map.of("namespace", "contract_%:"));
    }

    @Override
    protected Optional<Runnable> unknownVersion(String key) {
        return Optional.of(() -> {
            open().list().toCompletableFuture().join(); // creates the table
            execute("INSERT INTO tenure_lease"
                    + " (lease_key, v, name, incarnation, metadata, token, highest, accepted, acquired_at, ends_at, released)"
                    + " VALUES ('contract_%:" + key + "', 2, 'later', 'x', '', 7, 7, 0, 0, 0, ' ')"
                    + " ON CONFLICT (lease_key) DO UPDATE SET v = 2");
        });
    }

    private static void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 60000");
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new AssertionError(sql, failed);
        }
    }
}
