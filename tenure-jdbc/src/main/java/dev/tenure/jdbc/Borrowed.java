package dev.tenure.jdbc;

import dev.tenure.log.LogLine;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that was opened or borrowed, and how it was: what was changed is put back before it goes.
 */
final class Borrowed {
    private static final Logger LOG = LoggerFactory.getLogger(Borrowed.class);

    private final Connection connection;
    private final Dialect dialect;
    private final int timeout;
    private final boolean autoCommit;
    private final boolean readOnly;
    private final int isolation;

    /**
     * @param limit of each step, in ms
     */
    private Borrowed(Connection connection, Dialect dialect, int limit) throws SQLException {
        this.connection = connection;
        this.dialect = dialect;
        this.timeout = dialect.timeout(connection);
        dialect.setTimeout(connection, limit);
        this.autoCommit = connection.getAutoCommit();
        if (!autoCommit) {
            connection.setAutoCommit(true);
        }
        this.readOnly = connection.isReadOnly();
        if (readOnly) {
            connection.setReadOnly(false);
        }
        this.isolation = connection.getTransactionIsolation();
        if (isRelaxed()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        }
    }

    /**
     * Makes each statement a transaction of its own, that may write, at READ COMMITTED where the database has it.
     */
    static Borrowed of(Connection connection, Dialect dialect, Duration limit) throws SQLException {
        try {
            return new Borrowed(connection, dialect, (int) Math.max(1, limit.toMillis()));
        } catch (SQLException | RuntimeException unusable) {
            close(connection);
            throw unusable;
        }
    }

    private boolean isRelaxed() throws SQLException {
        return isolation != Connection.TRANSACTION_READ_COMMITTED
                && connection.getMetaData().supportsTransactionIsolationLevel(Connection.TRANSACTION_READ_COMMITTED);
    }

    Connection connection() {
        return connection;
    }

    void giveBack() {
        try {
            if (isRelaxed()) {
                connection.setTransactionIsolation(isolation);
            }
            if (readOnly) {
                connection.setReadOnly(true);
            }
            if (!autoCommit) {
                connection.setAutoCommit(false);
            }
            dialect.setTimeout(connection, timeout);
        } catch (SQLException | RuntimeException gone) {
            LogLine.of(LOG, JdbcEvent.CONNECTION_NOT_RESTORED).cause(gone).write();
            throwAway();
            return;
        }
        close(connection);
    }

    /**
     * Closes it for good, without waiting for the server; a pool sees that it is dead.
     */
    void throwAway() {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException gone) {
            LogLine.of(LOG, JdbcEvent.CONNECTION_NOT_ABORTED).cause(gone).write();
        }
        close(connection);
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException gone) {
            LogLine.of(LOG, JdbcEvent.CONNECTION_NOT_CLOSED).cause(gone).write();
        }
    }
}
