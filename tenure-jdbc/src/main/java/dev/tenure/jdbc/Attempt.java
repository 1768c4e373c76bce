package dev.tenure.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * What came of asking for a key.
 *
 * @param granted the token; 0 if it was not granted
 * @param accepted the operator's mark, if it was granted
 * @param row as it was seen, maybe before somebody else's change
 */
record Attempt(long granted, long accepted, Row row) {

    static Attempt failed(Row row) {
        return new Attempt(0, 0, row);
    }

    /**
     * From a row with the columns {@code granted} and {@code mark} beside those of the record.
     */
    static Attempt from(ResultSet row, String key) throws SQLException {
        return new Attempt(row.getLong("granted"), row.getLong("mark"), Row.from(row, key));
    }
}
