package dev.tenure.jdbc;

import dev.tenure.spi.LeaseStore;
import dev.tenure.test.LeaseStoreContract;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The contract on PostgreSQL, and what only a look into the table can do.
 */
@Execution(ExecutionMode.CONCURRENT)
class PostgresContractTest extends LeaseStoreContract {
    static final String TABLE = PostgresServer.freshName("contract");

    /**
     * Longer than by default: the tests wait side by side.
     */
    @Override
    protected Duration lease() {
        return Duration.ofSeconds(3);
    }

    @Override
    protected LeaseStore open() {
        return JdbcLeaseStore.connect(PostgresServer.url(), options());
    }

    Map<String, String> options() {
        return Map.of("table", TABLE, "namespace", "contract_%:");
    }

    @Override
    protected Optional<Runnable> unknownVersion(String key) {
        return Optional.of(() -> PostgresServer.execute("INSERT INTO " + TABLE
                + " (lease_key, v, name, incarnation, metadata, token, highest, accepted, acquired_at, ends_at, released)"
                + " VALUES ('contract_%:" + key + "', 2, 'later', 'x', '', 7, 7, 0, 0, 0, ' ')"
                + " ON CONFLICT (lease_key) DO UPDATE SET v = 2"));
    }

    @Override
    protected Optional<AutoCloseable> block(String key) {
        try {
            Connection connection = PostgresServer.connect();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1 FROM " + TABLE + " WHERE lease_key = 'contract_%:" + key + "' FOR UPDATE");
            }
            return Optional.of(() -> {
                connection.rollback(); // a server notices that a connection was closed a little later
                connection.close();
            });
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }
}
