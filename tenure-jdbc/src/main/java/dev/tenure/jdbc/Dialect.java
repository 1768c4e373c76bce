package dev.tenure.jdbc;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.BlockingLeaseStore.Renewal;
import dev.tenure.spi.Claim;
import dev.tenure.spi.StoreTraits;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;

/**
 * How one kind of database says it.
 */
interface Dialect {

    /**
     * The dialect of a database product, as its driver names it.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Dialect of(String product) {
        for (Dialect dialect : List.of(new PostgresDialect(), new SqliteDialect())) {
            if (dialect.name().equalsIgnoreCase(product)) {
                return dialect;
            }
        }
        throw new IllegalArgumentException("database must be postgresql or sqlite: database=" + product);
    }

    /**
     * Of the product, in lower case.
     */
    String name();

    StoreTraits.Scope scope();

    /**
     * Which database a JDBC URL names, for people: without user and password.
     */
    String where(String url);

    /**
     * Looks at a URL before anything is opened.
     *
     * @throws IllegalArgumentException if it can already be seen to be of no use
     */
    void check(String url);

    /**
     * What to tell the driver for a connection that must be there within the limit.
     */
    Properties connectionProperties(Duration limit);

    /**
     * Makes a connection ready that was opened for this store.
     */
    default void prepare(Connection connection) throws SQLException {}

    /**
     * How long a connection waits for the server, or for a lock that the driver waits for, in ms.
     */
    int timeout(Connection connection) throws SQLException;

    void setTimeout(Connection connection, int millis) throws SQLException;

    Trouble trouble(SQLException error);

    /**
     * Statements that create a table within a transaction, although others do the same.
     */
    List<String> creating(String ddl);

    /**
     * A query that has a row if the table is there.
     */
    String findsTable(String table);

    default WakeUps wakeUps(Connections connections, String table) {
        return WakeUps.NONE;
    }

    // words

    /**
     * What begins a transaction that writes.
     */
    String begin();

    /**
     * The clock when it is read, in µs since the epoch.
     */
    String now();

    /**
     * The larger of two or more.
     */
    String max();

    /**
     * Where a text contains another, from 1; 0 if it does not.
     */
    String position();

    /**
     * Locks the rows of a query against changes, not against others who do the same, until the transaction ends.
     */
    String sharing();

    /**
     * What puts the limit of waiting for locks into a statement.
     */
    String limits();

    // statements

    String acquiring(String granting);

    /**
     * A change that nobody waits for.
     */
    String quiet(String change);

    /**
     * A change that others want to know of.
     */
    String changing(String change);

    /**
     * A lease in µs, rounded up so that it lasts at least as long by {@link #now()}.
     */
    long micros(Duration lease);

    // operations

    Attempt acquire(Session session, Statements sql, String key, AcquireRequest request) throws SQLException;

    /**
     * Whether it was renewed. Waits for a lock.
     */
    boolean renew(Session session, Statements sql, Claim claim) throws SQLException;

    /**
     * One answer for each claim; their keys have the namespace already.
     */
    List<Renewal> renewAll(Session session, Statements sql, List<Claim> claims) throws SQLException;
}
