package dev.tenure.jdbc;

import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.Tokens;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A row of the table, and the database's time when it was read. Times are µs since the epoch.
 */
record Row(
        String key,
        int version,
        String name,
        String incarnation,
        String metadata,
        long token,
        long highest,
        long accepted,
        long acquiredAt,
        long endsAt,
        long now) {

    /**
     * The version that this code writes and understands.
     */
    static final int VERSION = 1;

    /**
     * How long the record of another version is said to last at least: it is held until somebody changes it.
     */
    private static final Duration UNKNOWN_LASTS = Duration.ofSeconds(10);

    /**
     * Those that {@link #from} reads, besides the time.
     */
    static final String COLUMNS =
            "lease_key, v, name, incarnation, metadata, token, highest, accepted, acquired_at, ends_at";

    /**
     * The row, or one that nobody holds where the key has none.
     */
    static Row from(ResultSet row, String asked) throws SQLException {
        if (row.getString("lease_key") == null) {
            return new Row(asked, VERSION, "", "", "", 0, 0, 0, 0, 0, row.getLong("now"));
        }
        return new Row(
                row.getString("lease_key"),
                row.getInt("v"),
                row.getString("name"),
                row.getString("incarnation"),
                row.getString("metadata"),
                row.getLong("token"),
                row.getLong("highest"),
                row.getLong("accepted"),
                row.getLong("acquired_at"),
                row.getLong("ends_at"),
                row.getLong("now"));
    }

    /**
     * Whether it is held. One of another version always is.
     */
    boolean isHeld() {
        return version != VERSION || endsAt > now;
    }

    boolean isHeldByOther(String asker) {
        return isHeld() && (version != VERSION || !incarnation.equals(asker));
    }

    /**
     * Whether no grant can be made for what the row or the asker remembers.
     */
    OptionalLong implausible(long floor, boolean counter) {
        boolean passedOver = accepted > 0 && isImplausible(floor, counter);
        long known = passedOver ? highest : Math.max(highest, floor);
        return isImplausible(known, counter) ? OptionalLong.of(known) : OptionalLong.empty();
    }

    private boolean isImplausible(long known, boolean counter) {
        return counter ? known >= Tokens.LARGEST : Tokens.isImplausible(known, now);
    }

    LeaseRecord toRecord(String namespace) {
        String shown = key.substring(Math.min(namespace.length(), key.length()));
        Duration remaining = Duration.of(endsAt - now, ChronoUnit.MICROS);
        Optional<Instant> since = Optional.of(Instant.EPOCH.plus(acquiredAt, ChronoUnit.MICROS));
        if (version != VERSION) {
            Duration atLeast = remaining.compareTo(UNKNOWN_LASTS) > 0 ? remaining : UNKNOWN_LASTS;
            return new LeaseRecord(shown, new Holder(name, "unknown-version-" + version, Map.of()), 0, atLeast, since);
        }
        Holder holder = new Holder(name, incarnation, Metadata.decode(metadata));
        return new LeaseRecord(shown, holder, token, remaining, since);
    }
}
