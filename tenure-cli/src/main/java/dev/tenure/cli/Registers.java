package dev.tenure.cli;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * Two things that a leader writes to, in a database: one compares the token, the other takes whatever comes. Both keep
 * the history of what they accepted, in the order of acceptance. Not thread-safe.
 */
final class Registers implements AutoCloseable {
    static final String FENCED = "fenced";
    static final String UNFENCED = "unfenced";

    /**
     * What a register has accepted.
     *
     * @param stale writes whose token was below one accepted before
     */
    record Accepted(long writes, long stale) {}

    private final Connection connection;
    private final String prefix;
    private final JdbcFence fence;

    private Registers(Connection connection, String prefix) {
        this.connection = connection;
        this.prefix = prefix;
        this.fence = JdbcFence.guardTable(prefix + "guard");
    }

    static Registers open(String url, String prefix) throws SQLException {
        boolean sqlite = url.startsWith("jdbc:sqlite:");
        return new Registers(
                DriverManager.getConnection(sqlite ? url + "?transaction_mode=IMMEDIATE&busy_timeout=10000" : url),
                prefix);
    }

    void create() throws SQLException {
        String product = connection.getMetaData().getDatabaseProductName().toLowerCase(Locale.ROOT);
        String counter = product.contains("sqlite")
                ? "integer primary key autoincrement"
                : "bigint generated always as identity primary key";
        execute(
                "create table " + prefix + "register (name varchar(20) primary key, content bigint not null,"
                        + " token bigint not null, writer varchar(40) not null)",
                "create table " + prefix + "write (seq " + counter + ", register varchar(20) not null,"
                        + " token bigint not null, writer varchar(40) not null)",
                "insert into " + prefix + "register values ('" + FENCED + "', 0, 0, 'nobody')",
                "insert into " + prefix + "register values ('" + UNFENCED + "', 0, 0, 'nobody')");
    }

    void drop() throws SQLException {
        execute(
                "drop table if exists " + prefix + "register",
                "drop table if exists " + prefix + "write",
                "drop table if exists " + prefix + "guard");
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /**
     * Writes if no later leader has.
     *
     * @throws FencedOutException if one has
     */
    void writeFenced(FencingToken token, String writer) throws SQLException {
        inTransaction(() -> {
            fence.check(connection, token);
            write(FENCED, token, writer);
        });
    }

    void writeUnfenced(FencingToken token, String writer) throws SQLException {
        inTransaction(() -> write(UNFENCED, token, writer));
    }

    private interface Body {
        void run() throws SQLException;
    }

    /**
     * Begins late and ends at once: SQLite's driver takes the lock at the beginning, and again after each commit.
     */
    private void inTransaction(Body body) throws SQLException {
        connection.setAutoCommit(false);
        try {
            body.run();
            connection.commit();
        } catch (FencedOutException | SQLException failed) {
            connection.rollback();
            throw failed;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private void write(String name, FencingToken token, String writer) throws SQLException {
        String update = "update " + prefix + "register set content = content + 1, token = ?, writer = ? where name = ?";
        try (PreparedStatement statement = connection.prepareStatement(update)) {
            statement.setLong(1, token.value());
            statement.setString(2, writer);
            statement.setString(3, name);
            statement.executeUpdate(); // and locks the row: the history is in the order of these
        }
        String insert = "insert into " + prefix + "write (register, token, writer) values (?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(insert)) {
            statement.setString(1, name);
            statement.setLong(2, token.value());
            statement.setString(3, writer);
            statement.executeUpdate();
        }
    }

    /**
     * Reads the history of a register.
     */
    Accepted accepted(String name) throws SQLException {
        long writes = 0;
        long stale = 0;
        long highest = 0;
        String query = "select token from " + prefix + "write where register = ? order by seq";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    long token = rows.getLong(1);
                    writes++;
                    stale += token < highest ? 1 : 0;
                    highest = Math.max(highest, token);
                }
            }
        }
        return new Accepted(writes, stale);
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
