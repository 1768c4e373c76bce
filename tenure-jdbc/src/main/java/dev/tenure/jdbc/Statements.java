package dev.tenure.jdbc;

import dev.tenure.spi.Tokens;
import java.util.Locale;

/**
 * The statements over one table, in the words of one database. Each decides by itself, by the database's clock, and
 * answers with rows: none if nothing was changed. Conditions read the clock where they are judged, which is after a
 * wait for a lock; what a statement writes, it computes from one reading.
 */
final class Statements {
    private static final String RECORD = Row.COLUMNS + ", {now} AS now";

    /**
     * Keeps the newest of the released incarnations: ten and more of the usual ones.
     */
    private static final String REMEMBER = "substr(' ' || %s || l.released, 1, 400)";

    private static final String UPDATE = "UPDATE {table} AS l SET ";
    private static final String LIVE = " WHERE l.lease_key = ? AND l.v = 1 AND l.ends_at > {now}";
    private static final String OWN = LIVE + " AND l.incarnation = ? AND (l.token = ? OR ? = 0)";
    private static final String RETURNING = " RETURNING lease_key";

    private final Dialect dialect;
    private final String table;

    final boolean counter;
    final String acquire;
    final String renew;
    final String release;
    final String remember;
    final String revoke;
    final String forceRelease;
    final String acceptToken;
    final String read;
    final String list;

    Statements(Dialect dialect, String table, boolean counter) {
        this.dialect = dialect;
        this.table = table;
        this.counter = counter;
        this.acquire = text(acquiring());
        this.renew = text(UPDATE + "ends_at = {max}(l.ends_at, {now} + ?){limits}" + OWN + RETURNING);
        this.release = changing(UPDATE + "incarnation = '', ends_at = 0, released = "
                + REMEMBER.formatted("l.incarnation") + "{limits}" + OWN + RETURNING);
        this.remember = text(dialect.quiet(inserting("' ' || ? || ' '", "0", "0")
                + " released = substr(excluded.released || substr(l.released, 2), 1, 400) WHERE l.v = 1" + RETURNING));
        this.revoke = changing(UPDATE + "incarnation = ?{limits}" + LIVE + RETURNING);
        this.forceRelease = changing(UPDATE + "v = 1, incarnation = '', ends_at = 0, released = "
                + REMEMBER.formatted("l.incarnation")
                + "{limits} WHERE l.lease_key = ? AND (l.v <> 1 OR l.ends_at > {now})" + RETURNING);
        this.acceptToken = changing(inserting("' '", "?", "?")
                + " highest = excluded.highest, accepted = excluded.accepted WHERE l.v = 1" + RETURNING);
        this.read = text(reading("(SELECT " + Row.COLUMNS + " FROM {table} WHERE lease_key = ?)", ""));
        this.list = text("SELECT " + RECORD + " FROM {table}"
                + " WHERE substr(lease_key, 1, ?) = ? AND (v <> 1 OR ends_at > {now}) ORDER BY lease_key");
    }

    /**
     * Puts the database's words, and the table, into a statement.
     */
    String text(String template) {
        return template.replace("{limits}", dialect.limits())
                .replace("{now}", dialect.now())
                .replace("{max}", dialect.max())
                .replace("{channel}", channel(table))
                .replace("{table}", table);
    }

    /**
     * Where changes of a table are told: the name of the table without its schema.
     */
    static String channel(String table) {
        String name = table.substring(table.indexOf('.') + 1).toLowerCase(Locale.ROOT);
        return name.substring(0, Math.min(name.length(), 63));
    }

    private String changing(String change) {
        return text(dialect.changing(change));
    }

    /**
     * One row in any case, so that the time comes with it.
     */
    static String reading(String row, String more) {
        return "SELECT " + more + "s.*, {now} AS now FROM (SELECT 1 AS one) AS o LEFT JOIN " + row + " AS s ON true";
    }

    /**
     * A row that nobody holds, up to what it changes if the row is there. The key is the last argument.
     */
    private static String inserting(String released, String highest, String accepted) {
        return "INSERT INTO {table} AS l (released, highest, accepted, lease_key,"
                + " v, name, incarnation, metadata, token, acquired_at, ends_at)"
                + " SELECT " + released + ", " + highest + ", " + accepted + ", ?, 1, '', '', '', 0, 0, 0{limits}"
                + " WHERE true ON CONFLICT (lease_key) DO UPDATE SET";
    }

    /**
     * Grants what is free, or the asker's already. Arguments: key, name, incarnation, metadata, lease, floor.
     *
     * <p>The condition after the conflict decides alone who gets the key. The floor of an asker that cannot be right is
     * passed over where an operator has accepted a token.
     */
    private String acquiring() {
        String take = counter ? "{max}(l.highest + 1, excluded.token)" : "{max}(l.highest + 1, c.now, excluded.token)";
        String first = counter ? "a.floor + 1" : "{max}(a.now, a.floor + 1)";
        String mine = "l.incarnation = excluded.incarnation AND l.ends_at > ";
        String granting =
                "INSERT INTO {table} AS l (lease_key, v, name, incarnation, metadata, token, highest, accepted,"
                        + " acquired_at, ends_at, released)"
                        + " SELECT a.lease_key, 1, a.name, a.incarnation, a.metadata, a.first, a.first, 0, a.now, a.now + a.lease, ' '"
                        + " FROM (SELECT a.*, CASE WHEN a.sane THEN " + first + " ELSE 1 END AS first FROM"
                        + " (SELECT ask.*, " + sane("ask.floor", "ask.now") + " AS sane FROM ask) AS a) AS a"
                        + " WHERE (a.sane OR EXISTS"
                        + " (SELECT 1 FROM {table} AS s WHERE s.lease_key = a.lease_key AND s.accepted > 0)){unlessHeld}"
                        + " ON CONFLICT (lease_key) DO UPDATE SET"
                        + " (name, incarnation, metadata, token, highest, acquired_at, ends_at) = (SELECT"
                        + " excluded.name, excluded.incarnation, excluded.metadata,"
                        + " CASE WHEN " + mine + "c.now THEN l.token ELSE " + take + " END,"
                        + " CASE WHEN " + mine + "c.now THEN l.highest ELSE " + take + " END,"
                        + " CASE WHEN " + mine + "c.now THEN l.acquired_at ELSE c.now END,"
                        + " {max}(l.ends_at, c.now + excluded.ends_at - excluded.acquired_at)"
                        + " FROM (SELECT {now} AS now) AS c)"
                        + " WHERE l.v = 1 AND (" + mine + "{now} OR l.ends_at <= {now}"
                        + " AND " + dialect.position() + "(l.released, ' ' || excluded.incarnation || ' ') = 0"
                        + " AND " + sane("l.highest", "{now}") + ")"
                        + " RETURNING token, accepted";
        return dialect.acquiring(granting);
    }

    private String sane(String token, String now) {
        String counted = token + " < " + Tokens.LARGEST;
        long lead = Tokens.LARGEST_LEAD.toMillis() * 1_000;
        return counter ? "(" + counted + ")" : "(" + counted + " AND " + token + " <= " + now + " + " + lead + ")";
    }
}
