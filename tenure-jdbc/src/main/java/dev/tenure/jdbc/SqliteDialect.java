package dev.tenure.jdbc;

import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.BlockingLeaseStore.Renewal;
import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * SQLite in a file. A statement that writes has the only write lock of the file from its start, and reads the clock
 * once, when it has the lock.
 */
final class SqliteDialect implements Dialect {
    private static final int BUSY = 5;
    private static final int LOCKED = 6;
    private static final int PROTOCOL = 15;

    @Override
    public String name() {
        return "sqlite";
    }

    @Override
    public StoreTraits.Scope scope() {
        return StoreTraits.Scope.HOST;
    }

    @Override
    public String where(String url) {
        return "sqlite at " + SqliteFile.of(url);
    }

    @Override
    public void check(String url) {
        SqliteFile.checked(url);
    }

    @Override
    public Properties connectionProperties(Duration limit) {
        Properties properties = new Properties();
        properties.setProperty("busy_timeout", Long.toString(Math.max(1, limit.toMillis())));
        return properties;
    }

    /**
     * The write-ahead log lets denied candidates read while others write. Each commit is on disk before it is answered.
     */
    @Override
    public void prepare(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA synchronous = FULL");
            statement.execute("PRAGMA journal_mode = WAL");
        } catch (SQLException inUse) {
            if (trouble(inUse) != Trouble.BUSY) {
                throw inUse;
            }
            // Somebody else is in the file in the old mode: as right, but slower. The next connection tries again.
        }
    }

    @Override
    public int timeout(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA busy_timeout")) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    @Override
    public void setTimeout(Connection connection, int millis) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = " + millis);
        }
    }

    @Override
    public Trouble trouble(SQLException error) {
        String message = String.valueOf(error.getMessage());
        return switch (error.getErrorCode() & 0xff) {
            case BUSY, LOCKED, PROTOCOL -> Trouble.BUSY;
            case 1 -> // SQLITE_ERROR
                message.contains("no such table") ? Trouble.NO_TABLE : Trouble.REJECTED;
            case 3, 8, 14, 20, 23, 25, 26 -> // permission, read-only, cannot open, mismatch, auth, range, no database
                Trouble.REJECTED;
            default -> Trouble.BROKEN;
        };
    }

    @Override
    public List<String> creating(String ddl) {
        return List.of(ddl);
    }

    @Override
    public String findsTable(String table) {
        String name = table.substring(table.indexOf('.') + 1);
        return "SELECT 1 FROM pragma_table_info('" + name + "')";
    }

    @Override
    public String begin() {
        return "BEGIN IMMEDIATE";
    }

    @Override
    public String now() {
        return "(CAST(round(unixepoch('now', 'subsec') * 1000) AS INTEGER) * 1000)";
    }

    @Override
    public String max() {
        return "max";
    }

    @Override
    public String position() {
        return "instr";
    }

    /**
     * Nothing to add: the transaction has the file's write lock, since it has begun with a write.
     */
    @Override
    public String sharing() {
        return "";
    }

    @Override
    public String limits() {
        return "";
    }

    @Override
    public String acquiring(String granting) {
        return "WITH ask(lease_key, name, incarnation, metadata, lease, floor, now) AS (SELECT ?, ?, ?, ?, ?, ?, {now}) "
                + granting.replace("{unlessHeld}", "");
    }

    @Override
    public String quiet(String change) {
        return change;
    }

    @Override
    public String changing(String change) {
        return change;
    }

    /**
     * A millisecond more, since the clock was cut to milliseconds.
     */
    @Override
    public long micros(Duration lease) {
        return lease.plusNanos(1_999_999).toMillis() * 1_000;
    }

    /**
     * Looks first, without the write lock: most who ask are denied.
     */
    @Override
    public Attempt acquire(Session session, Statements sql, String key, AcquireRequest request) throws SQLException {
        Row before = session.read(sql, key);
        if (before.isHeldByOther(request.holder().incarnation())) {
            return Attempt.failed(before);
        }
        List<Attempt> granted = session.query(
                sql.acquire,
                row -> new Attempt(row.getLong("token"), row.getLong("accepted"), before),
                key,
                request.holder().name(),
                request.holder().incarnation(),
                Metadata.encode(request.holder().metadata()),
                micros(request.lease()),
                request.tokenFloor());
        return granted.isEmpty() ? Attempt.failed(session.read(sql, key)) : granted.get(0);
    }

    /**
     * In one transaction: one wait for the file's lock, one write to disk.
     */
    @Override
    public List<Renewal> renewAll(Session session, Statements sql, List<Claim> claims) throws SQLException {
        return session.inTransaction(begin(), () -> {
            List<Renewal> answers = new ArrayList<>(claims.size());
            for (Claim claim : claims) {
                boolean renewed = renew(session, sql, claim);
                answers.add(new Renewal.Answered(renewed ? RenewResult.RENEWED : RenewResult.NOT_HOLDER));
            }
            return answers;
        });
    }

    @Override
    public boolean renew(Session session, Statements sql, Claim claim) throws SQLException {
        return session.changes(
                sql.renew,
                micros(claim.lease()),
                claim.key(),
                claim.holder().incarnation(),
                claim.token(),
                claim.token());
    }
}
