package dev.tenure.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A connection in one call's hands. Each statement is a transaction of its own, at READ COMMITTED.
 */
final class Session {

    /**
     * Reads one row.
     */
    @FunctionalInterface
    interface Reader<T> {
        T read(ResultSet row) throws SQLException;
    }

    /**
     * What is done within a transaction.
     */
    @FunctionalInterface
    interface Steps<T> {
        T run() throws SQLException;
    }

    private final Dialect dialect;
    private final Connection connection;
    private final Borrowed borrowed;
    private boolean used;
    private long lockMillis;

    Session(Dialect dialect, Borrowed borrowed) {
        this.dialect = dialect;
        this.borrowed = borrowed;
        this.connection = borrowed.connection();
    }

    Connection connection() {
        return connection;
    }

    /**
     * Whether an earlier call used it: then it may have died since.
     */
    boolean isUsed() {
        return used;
    }

    /**
     * Begins a call: the server is to give up waiting for a lock before the driver gives up waiting for the server.
     */
    Session begin(Deadline deadline) throws SQLException {
        lockMillis = Math.max(1, deadline.limit().toMillis() * 9 / 10);
        dialect.setTimeout(connection, deadline.millisLeft());
        return this;
    }

    /**
     * Ends a call.
     */
    void end(boolean sound) {
        used = true;
        if (!sound) {
            borrowed.throwAway();
        }
    }

    void giveBack() {
        borrowed.giveBack();
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /**
     * Several statements as one.
     *
     * @param begin as the database says it
     */
    <T> T inTransaction(String begin, Steps<T> steps) throws SQLException {
        execute(begin);
        try {
            T answer = steps.run();
            execute("COMMIT");
            return answer;
        } catch (SQLException failed) {
            try {
                execute("ROLLBACK");
            } catch (SQLException gone) { // with the transaction, which some errors end by themselves
                failed.addSuppressed(gone);
            }
            throw failed;
        }
    }

    /**
     * All rows, to the end: some drivers commit there.
     */
    <T> List<T> query(String sql, Reader<T> reader, Object... arguments) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement(sql.replace("{lock}", Long.toString(lockMillis)))) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            List<T> all = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    all.add(reader.read(rows));
                }
            }
            return all;
        }
    }

    /**
     * Whether the statement changed a row.
     */
    boolean changes(String sql, Object... arguments) throws SQLException {
        return !query(sql, row -> true, arguments).isEmpty();
    }

    Row read(Statements sql, String key) throws SQLException {
        return query(sql.read, row -> Row.from(row, key), key).get(0);
    }
}
