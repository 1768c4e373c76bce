package dev.tenure.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/**
 * The guard table within one transaction. Nothing here decides by a row that it has not locked.
 */
final class FenceTable {
    /**
     * A row may come, change or go between two statements, but hardly more often than this.
     */
    private static final int MOST_ROUNDS = 5;

    private final Connection transaction;
    private final String table;
    private final Dialect dialect;

    private FenceTable(Connection transaction, String table, Dialect dialect) {
        this.transaction = transaction;
        this.table = table;
        this.dialect = dialect;
    }

    static FenceTable of(Connection transaction, String table) throws SQLException {
        return new FenceTable(
                transaction, table, Dialect.of(transaction.getMetaData().getDatabaseProductName()));
    }

    /**
     * Makes the token the highest unless a higher one is there, and answers the highest. Its row is then locked.
     *
     * <p>The update does not wait for those who share the row at the same token, since it finds nothing to do; it waits
     * for those who share it at a lower one.
     */
    long raise(String resource, long token) throws SQLException {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            if (update("UPDATE {table} SET token = ? WHERE resource = ? AND token < ?", token, resource, token)) {
                return token;
            }
            OptionalLong highest = locked(resource);
            if (highest.isEmpty()) {
                update("INSERT INTO {table} (token, resource) VALUES (?, ?) ON CONFLICT DO NOTHING", token, resource);
                highest = locked(resource);
            }
            if (highest.isPresent() && highest.getAsLong() >= token) {
                return highest.getAsLong();
            }
        }
        throw new SQLException("fence changed while it was read: resource=" + resource, "40001");
    }

    private OptionalLong locked(String resource) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(
                text("SELECT token FROM {table} WHERE resource = ?" + dialect.sharing()))) {
            statement.setString(1, resource);
            try (ResultSet rows = statement.executeQuery()) {
                return rows.next() ? OptionalLong.of(rows.getLong(1)) : OptionalLong.empty();
            }
        }
    }

    void set(String resource, long token) throws SQLException {
        update(
                "INSERT INTO {table} (token, resource) VALUES (?, ?)"
                        + " ON CONFLICT (resource) DO UPDATE SET token = excluded.token",
                token,
                resource);
    }

    /**
     * Whether it was there; else it is created within the transaction, and gone if that rolls back.
     */
    boolean isThereOrCreated() throws SQLException {
        try (Statement statement = transaction.createStatement()) {
            try (ResultSet found = statement.executeQuery(dialect.findsTable(table))) {
                if (found.next()) {
                    return true;
                }
            }
            for (String step : dialect.creating(text(Ddl.read("fence.sql")))) {
                statement.execute(step);
            }
            return false;
        }
    }

    private boolean update(String sql, Object... arguments) throws SQLException {
        try (PreparedStatement statement = transaction.prepareStatement(text(sql))) {
            for (int i = 0; i < arguments.length; i++) {
                statement.setObject(i + 1, arguments[i]);
            }
            return statement.executeUpdate() > 0;
        }
    }

    private String text(String template) {
        return template.replace("{table}", table);
    }
}
