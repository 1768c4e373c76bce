package dev.tenure.jdbc;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Refuses database writes of a leader whose term is over, inside the transaction that writes. Works on PostgreSQL and
 * SQLite. Thread-safe.
 *
 * <p>Does not stop a leader that is frozen inside an open transaction, whose lock delays its successor's first write:
 * let {@code lock_timeout} bound that wait, and {@code idle_in_transaction_session_timeout} the open transaction.
 *
 * <p>The table is created by the first transaction that checks, as part of it: others then wait until that one ends.
 * Where that is not wanted, or not permitted, create it beforehand: the definition is in the documents.
 */
public final class JdbcFence {
    private static final String DEFAULT_TABLE = "tenure_fence";

    private final String table;
    private volatile boolean present;

    private JdbcFence(String table) {
        this.table = JdbcOptions.checkedTable(table);
    }

    /**
     * With the table {@code tenure_fence}, one row a resource.
     */
    public static JdbcFence guardTable() {
        return guardTable(DEFAULT_TABLE);
    }

    /**
     * With a table of another name, optionally {@code schema.table}.
     *
     * @throws IllegalArgumentException if the name has other characters than letters, digits and {@code _}
     */
    public static JdbcFence guardTable(String table) {
        return new JdbcFence(table);
    }

    /**
     * Compares the token for the resource named like its role and keeps the guard row locked until the transaction
     * ends: shared if the token is equal, exclusively if it is higher. Right at every isolation level; under a snapshot
     * (REPEATABLE READ, SERIALIZABLE) a stale leader may get a serialization failure, SQLState 40001, which means to
     * roll back and try again.
     *
     * @throws FencedOutException if the resource has accepted a higher one; roll back
     * @throws IllegalStateException on auto-commit, where the lock would end before the write
     * @throws SQLException if the database failed; roll back
     */
    public void check(Connection transaction, FencingToken token) throws SQLException {
        check(transaction, token.role(), token);
    }

    /**
     * As {@link #check(Connection, FencingToken)} for one of several resources of a role.
     *
     * @throws FencedOutException if the resource has accepted a higher one; roll back
     * @throws IllegalStateException on auto-commit, where the lock would end before the write
     * @throws SQLException if the database failed; roll back
     */
    public void check(Connection transaction, String resource, FencingToken token) throws SQLException {
        if (transaction.getAutoCommit()) {
            throw new IllegalStateException("fence needs a transaction: auto-commit is on, resource=" + resource);
        }
        long highest;
        try {
            highest = in(transaction).raise(resource, token.value());
        } catch (SQLException failed) {
            present = false; // for one reason of many: the table is gone
            throw failed;
        }
        if (highest > token.value()) {
            throw new FencedOutException(token, highest);
        }
    }

    /**
     * Sets the highest accepted token by hand: the documented step after a restore or a change of store. On auto-commit
     * it is a transaction of its own.
     *
     * @throws SQLException if the database failed
     */
    public void reset(Connection transaction, String resource, long token) throws SQLException {
        if (!transaction.getAutoCommit()) {
            in(transaction).set(resource, token);
            return;
        }
        transaction.setAutoCommit(false);
        try {
            in(transaction).set(resource, token);
            transaction.commit();
        } catch (SQLException failed) {
            transaction.rollback();
            throw failed;
        } finally {
            transaction.setAutoCommit(true);
        }
    }

    private FenceTable in(Connection transaction) throws SQLException {
        FenceTable in = FenceTable.of(transaction, table);
        if (!present) {
            present = in.isThereOrCreated();
        }
        return in;
    }

    /**
     * For a token column of one's own, {@code UPDATE … SET token = ? WHERE id = ? AND token <= ?}, on a row that is
     * known to exist.
     *
     * @throws FencedOutException if {@code rows} is 0
     */
    public static void requireWritten(int rows, FencingToken token) {
        if (rows == 0) {
            throw new FencedOutException(token, 0);
        }
    }
}
