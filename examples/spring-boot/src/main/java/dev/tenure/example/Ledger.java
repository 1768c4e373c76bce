package dev.tenure.example;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.jdbc.JdbcFence;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * The table that one instance at a time writes. Every write compares the token of its leader in its own transaction.
 */
@Repository
public class Ledger {
    private final JdbcFence fence = JdbcFence.guardTable();
    private final JdbcTemplate database;

    Ledger(JdbcTemplate database) {
        this.database = database;
    }

    /** A row of the table. */
    public record Entry(long number, long token, String instance, Instant written) {}

    /** What is in the table, and what should be zero. */
    public record Summary(long entries, long gaps, long repeats, long tokensThatFell) {}

    /**
     * The number of the next entry. The fence hears of the term before anything is read, so that no leader of an earlier
     * term can write in between.
     *
     * @throws FencedOutException if a later leader was here
     */
    @Transactional
    public long next(FencingToken token) {
        check(token);
        return database.queryForObject("select coalesce(max(number), 0) + 1 from entry", Long.class);
    }

    /**
     * @throws FencedOutException if a later leader was here; nothing is written
     */
    @Transactional
    public void append(long number, FencingToken token, String instance) {
        check(token);
        database.update(
                "insert into entry (number, token, instance) values (?, ?, ?)", number, token.value(), instance);
    }

    private void check(FencingToken token) {
        database.execute((ConnectionCallback<Boolean>) connection -> {
            fence.check(connection, token); // on the transaction's connection; its row stays locked until the end
            return true;
        });
    }

    public List<Entry> last(int entries) {
        return database.query(
                "select number, token, instance, written from entry order by id desc limit ?",
                new DataClassRowMapper<>(Entry.class),
                entries);
    }

    public Summary summary() {
        return database.queryForObject("""
                select count(*) as entries,
                       coalesce(max(number), 0) - count(distinct number) as gaps,
                       count(*) - count(distinct number) as repeats,
                       count(*) filter (where token < previous) as tokens_that_fell
                from (select number, token, lag(token) over (order by id) as previous from entry) as all_entries
                """, new DataClassRowMapper<>(Summary.class));
    }
}
