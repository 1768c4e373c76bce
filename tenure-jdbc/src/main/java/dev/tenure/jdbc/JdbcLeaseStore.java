package dev.tenure.jdbc;

import dev.tenure.LeaseStores;
import dev.tenure.spi.LeaseStore;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Leases in a table of a database, SQLite or PostgreSQL. The table is created on first use.
 *
 * <p>Who leads is decided by the database's wall clock: if it steps forward by more than the safety margin, a second
 * leader can come in. SQLite coordinates the processes of one host and must lie on a local disk, not on a network file
 * system; PostgreSQL coordinates all that reach one primary.
 *
 * <p>Each statement is a transaction of its own on a connection of the store: never part of the application's
 * transaction. At most four connections are used at once, two are kept, and one more listens for wake-ups.
 */
public final class JdbcLeaseStore {
    private JdbcLeaseStore() {}

    /**
     * At a {@code jdbc:sqlite:} or {@code jdbc:postgresql:} URL, with the default options.
     *
     * @throws IllegalArgumentException as {@link #connect(String, Map)}
     */
    public static LeaseStore connect(String jdbcUrl) {
        return connect(jdbcUrl, Map.of());
    }

    /**
     * At a {@code jdbc:sqlite:} or {@code jdbc:postgresql:} URL. Does not wait for a server to be reachable.
     *
     * <p>Options: {@code namespace} begins every key; {@code table}, by default {@code tenure_lease}, optionally
     * {@code schema.table}; {@code tokens}, {@code formula} (the default) or {@code counter}, which must be the same for
     * all; {@code user} and {@code password} for a server.
     *
     * @throws IllegalArgumentException if an option is wrong or unknown, the driver is missing, or a SQLite file cannot
     *     be made or written, or would be in memory; never with a password
     */
    public static LeaseStore connect(String jdbcUrl, Map<String, String> options) {
        JdbcOptions checked = JdbcOptions.of(options, Set.of("namespace", "table", "tokens", "user", "password"));
        Dialect dialect = dialectOf(jdbcUrl);
        Properties own = new Properties();
        for (String name : new String[] {"user", "password"}) {
            if (options.containsKey(name)) {
                own.setProperty(name, options.get(name));
            }
        }
        ConnectionSource source = ConnectionSource.of(jdbcUrl, own, dialect);
        return open(dialect.where(jdbcUrl), dialect, checked, new Connections(source, dialect));
    }

    private static Dialect dialectOf(String jdbcUrl) {
        String[] parts = jdbcUrl.split(":", 3);
        if (parts.length < 3 || !parts[0].equals("jdbc")) {
            throw new IllegalArgumentException("store must begin with jdbc:postgresql: or jdbc:sqlite:");
        }
        Dialect dialect = Dialect.of(parts[1]);
        dialect.check(jdbcUrl);
        return dialect;
    }

    /**
     * Over the application's data source, which stays open, with the default options.
     *
     * @throws IllegalArgumentException as {@link #using(DataSource, Map)}
     * @throws dev.tenure.StoreException as {@link #using(DataSource, Map)}
     */
    public static LeaseStore using(DataSource dataSource) {
        return using(dataSource, Map.of());
    }

    /**
     * Over the application's data source, which stays open. What the store borrows it keeps, so that a pool which is
     * exhausted later stops no renewal: it needs three connections more than the application.
     *
     * <p>Options: {@code namespace}, {@code table} and {@code tokens} as in {@link #connect(String, Map)}, and
     * {@code database}, {@code postgresql} or {@code sqlite}. Without the last one this connects, for at most ten
     * seconds, to see which it is.
     *
     * @throws IllegalArgumentException if an option is wrong or unknown, or the database is another one
     * @throws dev.tenure.StoreException if it had to connect and could not
     */
    public static LeaseStore using(DataSource dataSource, Map<String, String> options) {
        JdbcOptions checked = JdbcOptions.of(options, Set.of("namespace", "table", "tokens", "database"));
        return DataSourceStore.open(dataSource, checked, options.get("database"));
    }

    static LeaseStore open(String name, Dialect dialect, JdbcOptions options, Connections connections) {
        WakeUps wakeUps = dialect.wakeUps(connections, options.table());
        return LeaseStores.blocking(new JdbcStore(name, dialect, options, connections, wakeUps));
    }
}
