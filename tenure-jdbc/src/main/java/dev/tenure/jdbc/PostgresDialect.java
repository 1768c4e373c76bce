package dev.tenure.jdbc;

import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.AcquireRequest;
import dev.tenure.spi.BlockingLeaseStore.Renewal;
import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import java.sql.Array;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Function;

/**
 * PostgreSQL. Every statement stands alone, so that a pooler may send each to another backend; even the limit of its
 * waiting for locks is set within it.
 */
final class PostgresDialect implements Dialect {
    private static final int BATCH = 2_000;

    /**
     * Any constant, the same in every version: it keeps creations apart.
     */
    private static final long CREATION_LOCK = 7_323_501_847_265_401L;

    private static final String LIMITS =
            "WITH limits AS MATERIALIZED (SELECT set_config('lock_timeout', '{lock}', true) AS lock_timeout)";

    private static final String ASK = "WITH ask AS MATERIALIZED (SELECT ?::text AS lease_key, ?::text AS name,"
            + " ?::text AS incarnation, ?::text AS metadata, ?::bigint AS lease, ?::bigint AS floor, {now} AS now,"
            + " set_config('lock_timeout', '{lock}', true) AS lock_timeout),"
            + " seen AS MATERIALIZED (SELECT " + Row.COLUMNS
            + " FROM {table} WHERE lease_key = (SELECT lease_key FROM ask))";

    /**
     * Most who ask are denied: they only read, and wait for nobody.
     */
    private static final String UNLESS_HELD = " AND NOT EXISTS (SELECT 1 FROM seen AS s"
            + " WHERE s.v <> 1 OR s.ends_at > a.now AND s.incarnation <> a.incarnation)";

    /**
     * Locks first: an update by itself reads the clock, and judges, before it waits. Arguments: keys, incarnations,
     * tokens, leases. Answers each claim, in their order, with {@code R}enewed,
     * {@code B}locked or {@code N}ot the holder's. What this statement sees as another's stays so: no incarnation comes
     * back.
     */
    private static final String RENEW = "WITH ask AS MATERIALIZED"
            + " (SELECT a.*, set_config('lock_timeout', '{lock}', true) AS lock_timeout FROM"
            + " unnest(?::text[], ?::text[], ?::bigint[], ?::bigint[]) WITH ORDINALITY"
            + " AS a(lease_key, incarnation, token, lease, n)),"
            + " locked AS MATERIALIZED (SELECT l.lease_key FROM {table} AS l"
            + " WHERE l.lease_key IN (SELECT lease_key FROM ask) ORDER BY l.lease_key FOR NO KEY UPDATE{skip}),"
            + " renewed AS (UPDATE {table} AS l SET ends_at = greatest(l.ends_at, {now} + a.lease) FROM ask AS a, locked AS k"
            + " WHERE l.lease_key = k.lease_key AND a.lease_key = k.lease_key AND l.v = 1"
            + " AND l.incarnation = a.incarnation AND l.token = a.token AND l.ends_at > {now}"
            + " RETURNING l.lease_key, l.incarnation, l.token)"
            + " SELECT CASE WHEN r.lease_key IS NOT NULL THEN 'R'"
            + " WHEN k.lease_key IS NULL AND s.lease_key IS NOT NULL THEN 'B' ELSE 'N' END AS answer FROM ask AS a"
            + " LEFT JOIN renewed AS r ON r.lease_key = a.lease_key AND r.incarnation = a.incarnation AND r.token = a.token"
            + " LEFT JOIN locked AS k ON k.lease_key = a.lease_key"
            + " LEFT JOIN {table} AS s ON s.lease_key = a.lease_key AND s.v = 1 AND s.incarnation = a.incarnation"
            + " AND s.token = a.token AND s.ends_at > {now} ORDER BY a.n";

    @Override
    public String name() {
        return "postgresql";
    }

    @Override
    public StoreTraits.Scope scope() {
        return StoreTraits.Scope.CLUSTER;
    }

    @Override
    public void check(String url) {}

    @Override
    public String where(String url) {
        String rest = url.replaceFirst("^jdbc:[a-z]+:", "").replaceFirst("\\?.*", "");
        return "postgresql at " + rest.replaceFirst("^/+", "").replaceFirst("^[^/]*@", "");
    }

    /**
     * Statements are not prepared on the server, which a pooler between may not bear.
     */
    @Override
    public Properties connectionProperties(Duration limit) {
        String seconds = Long.toString(limit.plusMillis(999).toSeconds());
        Properties properties = new Properties();
        properties.setProperty("ApplicationName", "tenure");
        properties.setProperty("connectTimeout", seconds);
        properties.setProperty("loginTimeout", seconds);
        properties.setProperty("socketTimeout", seconds);
        properties.setProperty("tcpKeepAlive", "true");
        properties.setProperty("prepareThreshold", "0");
        return properties;
    }

    @Override
    public int timeout(Connection connection) throws SQLException {
        return connection.getNetworkTimeout();
    }

    @Override
    public void setTimeout(Connection connection, int millis) throws SQLException {
        connection.setNetworkTimeout(Runnable::run, millis);
    }

    @Override
    public Trouble trouble(SQLException error) {
        String state = String.valueOf(error.getSQLState());
        return switch (state) {
            case "42P01" -> Trouble.NO_TABLE;
            case "55P03", "57014" -> Trouble.BUSY; // a limit of the server's
            case "42P05", "0A000" -> Trouble.BROKEN; // prepared statements that a pooler mixed up, or of an older table
            case "42P07", "42710", "23505" -> Trouble.CONFLICT; // somebody else made the table
            default ->
                switch (state.substring(0, Math.min(2, state.length()))) {
                    case "40" -> Trouble.CONFLICT;
                    case "22", "23", "28", "3D", "3F", "42" -> Trouble.REJECTED;
                    default -> Trouble.BROKEN;
                };
        };
    }

    /**
     * One at a time: IF NOT EXISTS alone still collides.
     */
    @Override
    public List<String> creating(String ddl) {
        return List.of("SELECT pg_advisory_xact_lock(" + CREATION_LOCK + ")", ddl);
    }

    @Override
    public String findsTable(String table) {
        return "SELECT 1 WHERE to_regclass('" + table + "') IS NOT NULL";
    }

    @Override
    public WakeUps wakeUps(Connections connections, String table) {
        return new PostgresWakeUps(connections, Statements.channel(table));
    }

    @Override
    public String begin() {
        return "BEGIN";
    }

    @Override
    public String now() {
        return "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";
    }

    @Override
    public String max() {
        return "greatest";
    }

    @Override
    public String position() {
        return "strpos";
    }

    @Override
    public String sharing() {
        return " FOR SHARE";
    }

    @Override
    public String limits() {
        return " FROM limits";
    }

    @Override
    public String acquiring(String granting) {
        return ASK + ", attempt AS (" + granting.replace("{unlessHeld}", UNLESS_HELD) + ") "
                + "SELECT g.token AS granted, g.accepted AS mark, s.*, {now} AS now"
                + " FROM (SELECT 1 AS one) AS o LEFT JOIN attempt AS g ON true LEFT JOIN seen AS s ON true";
    }

    @Override
    public String quiet(String change) {
        return LIMITS + " " + change;
    }

    @Override
    public String changing(String change) {
        return LIMITS + ", changed AS (" + change + ") SELECT pg_notify('{channel}', lease_key) FROM changed";
    }

    @Override
    public long micros(Duration lease) {
        return lease.plusNanos(1_999).toNanos() / 1_000;
    }

    @Override
    public Attempt acquire(Session session, Statements sql, String key, AcquireRequest request) throws SQLException {
        return session.query(
                        sql.acquire,
                        row -> Attempt.from(row, key),
                        key,
                        request.holder().name(),
                        request.holder().incarnation(),
                        Metadata.encode(request.holder().metadata()),
                        micros(request.lease()),
                        request.tokenFloor())
                .get(0);
    }

    @Override
    public List<Renewal> renewAll(Session session, Statements sql, List<Claim> claims) throws SQLException {
        List<Renewal> answers = new ArrayList<>(claims.size());
        for (int from = 0; from < claims.size(); from += BATCH) {
            List<Claim> batch = claims.subList(from, Math.min(from + BATCH, claims.size()));
            for (String letter : letters(session, sql.text(RENEW.replace("{skip}", " SKIP LOCKED")), batch)) {
                answers.add(answer(letter));
            }
        }
        return answers;
    }

    @Override
    public boolean renew(Session session, Statements sql, Claim claim) throws SQLException {
        return letters(session, sql.text(RENEW.replace("{skip}", "")), List.of(claim))
                .contains("R");
    }

    /**
     * One for each claim.
     */
    private List<String> letters(Session session, String renew, List<Claim> claims) throws SQLException {
        return session.query(
                renew,
                row -> row.getString("answer"),
                array(session, "text", claims, Claim::key),
                array(session, "text", claims, claim -> claim.holder().incarnation()),
                array(session, "bigint", claims, Claim::token),
                array(session, "bigint", claims, claim -> micros(claim.lease())));
    }

    private static Array array(Session session, String type, List<Claim> claims, Function<Claim, Object> part)
            throws SQLException {
        return session.connection()
                .createArrayOf(type, claims.stream().map(part).toArray());
    }

    private static Renewal answer(String letter) {
        return switch (letter) {
            case "R" -> new Renewal.Answered(RenewResult.RENEWED);
            case "N" -> new Renewal.Answered(RenewResult.NOT_HOLDER);
            default ->
                new Renewal.Failed(new StoreUnavailableException("the record is locked by another transaction", null));
        };
    }
}
