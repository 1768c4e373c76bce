package dev.tenure.jdbc;

import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.LeaseStore;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which database a data source leads to.
 */
final class DataSourceStore {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private DataSourceStore() {}

    private record Found(Dialect dialect, String name) {}

    static LeaseStore open(DataSource dataSource, JdbcOptions options, @Nullable String database) {
        Found found = database == null ? ask(dataSource) : named(Dialect.of(database));
        Connections connections = new Connections(limit -> dataSource.getConnection(), found.dialect());
        return JdbcLeaseStore.open(found.name(), found.dialect(), options, connections);
    }

    private static Found named(Dialect dialect) {
        return new Found(dialect, dialect.name() + " through a data source");
    }

    private static Found ask(DataSource dataSource) {
        DaemonThreads threads = new DaemonThreads("tenure-jdbc-connect", 1);
        CompletableFuture<Found> answer = new CompletableFuture<>();
        threads.run(() -> {
            try {
                answer.complete(askNow(dataSource));
            } catch (Throwable unusable) { // whoever waits must be told
                answer.completeExceptionally(unusable);
            }
        });
        try {
            return answer.get(LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw unreachable("gave no connection within " + LIMIT.toSeconds() + " s");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw unreachable("was not waited for");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof IllegalArgumentException other) {
                throw other;
            }
            throw unreachable("gave no connection: " + Calls.hidden(String.valueOf(failed.getCause())));
        } finally {
            threads.close();
        }
    }

    private static StoreUnavailableException unreachable(String what) {
        return new StoreUnavailableException(
                "data source " + what + "; with the option database=postgresql or sqlite the store opens without one",
                null);
    }

    private static Found askNow(DataSource dataSource) throws SQLException {
        try (Connection connection = dataSource.getConnection()) {
            DatabaseMetaData about = connection.getMetaData();
            Dialect dialect = Dialect.of(about.getDatabaseProductName());
            String url = about.getURL();
            return url == null ? named(dialect) : new Found(dialect, dialect.where(url));
        }
    }
}
