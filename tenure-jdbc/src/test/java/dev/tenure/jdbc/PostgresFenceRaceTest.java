package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several transactions at once, at each isolation level.
 */
class PostgresFenceRaceTest {
    private static final int ROUNDS = 60;

    private final String table = PostgresServer.freshName("fence");
    private final JdbcFence fence = JdbcFence.guardTable(table);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static Connection begin(int isolation) throws SQLException {
        Connection connection = PostgresServer.connect();
        connection.setTransactionIsolation(isolation);
        connection.setAutoCommit(false);
        return connection;
    }

    private static FencingToken token(long value) {
        return new FencingToken("billing", value);
    }

    private void committed(long value) throws SQLException {
        try (Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED)) {
            fence.check(connection, token(value));
            connection.commit();
        }
    }

    private static void write(Connection connection, String table, long value) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO " + table + "_log (token) VALUES (" + value + ")");
        }
    }

    /**
     * Writes until it has committed, or is fenced out. The log's order is that of the writes, which come after the
     * check: a stale write behind a newer one is what must never be.
     */
    private boolean writes(Connection connection, long value) throws SQLException {
        while (true) {
            try {
                fence.check(connection, token(value));
                write(connection, table, value);
                connection.commit();
                return true;
            } catch (FencedOutException out) {
                connection.rollback();
                return false;
            } catch (SQLException failed) {
                connection.rollback();
                assertThat(failed.getSQLState()).startsWith("40");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void K017_aStaleWriterNeverCommitsAfterANewerOne(int isolation) throws Exception {
        PostgresServer.execute("CREATE TABLE " + table + "_log (n serial PRIMARY KEY, token bigint)");
        committed(1);
        List<Connection> connections = new ArrayList<>();
        try {
            for (int i = 0; i < 4; i++) {
                connections.add(begin(isolation));
            }
            for (long round = 1; round <= ROUNDS; round++) {
                long older = round * 10;
                CyclicBarrier start = new CyclicBarrier(4);
                List<Callable<Boolean>> writers = new ArrayList<>();
                for (int i = 0; i < 4; i++) {
                    Connection connection = connections.get(i);
                    long own = i < 2 ? older : older + 1; // two writers of the older term, two of the newer
                    writers.add(() -> {
                        start.await(60, TimeUnit.SECONDS);
                        return writes(connection, own);
                    });
                }
                List<Boolean> committed = new ArrayList<>();
                for (Future<Boolean> each : threads.invokeAll(writers)) {
                    committed.add(each.get());
                }
                assertThat(committed.subList(2, 4))
                        .as("the newer term is never refused")
                        .containsOnly(true);
            }
            assertThat(PostgresServer.number("SELECT count(*) FROM " + table + "_log AS a JOIN " + table
                            + "_log AS b ON b.n > a.n AND b.token < a.token"))
                    .as("stale writes behind newer ones")
                    .isZero();
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aSnapshotFromBeforeTheNewTermLetsNobodyIn(int isolation) throws Exception {
        committed(1);
        try (Connection stale = begin(isolation)) {
            try (Statement statement = stale.createStatement()) {
                statement.execute("SELECT 1 FROM " + table); // takes the snapshot
            }
            committed(2);
            assertRefused(stale);
        }
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                Connection.TRANSACTION_READ_COMMITTED,
                Connection.TRANSACTION_REPEATABLE_READ,
                Connection.TRANSACTION_SERIALIZABLE
            })
    void aSnapshotFromBeforeTheFirstTermLetsNobodyIn(int isolation) throws Exception {
        committed(1);
        PostgresServer.execute("DELETE FROM " + table);
        try (Connection stale = begin(isolation)) {
            try (Statement statement = stale.createStatement()) {
                statement.execute("SELECT 1 FROM " + table);
            }
            committed(2);
            assertRefused(stale);
        }
    }

    private void assertRefused(Connection stale) {
        try {
            fence.check(stale, token(1));
            throw new AssertionError("a stale token passed");
        } catch (FencedOutException out) {
            assertThat(out.highest()).isEqualTo(2);
        } catch (SQLException retry) {
            assertThat(retry.getSQLState()).isEqualTo("40001");
        }
    }

    @Test
    void equalTokensRunAtOnce() throws SQLException {
        committed(5);
        try (Connection one = begin(Connection.TRANSACTION_READ_COMMITTED);
                Connection other = begin(Connection.TRANSACTION_READ_COMMITTED)) {
            fence.check(one, token(5));
            try (Statement statement = other.createStatement()) {
                statement.execute("SET LOCAL lock_timeout = '30s'");
            }
            fence.check(other, token(5)); // would wait for ever if it had to
            other.commit();
            one.commit();
        }
    }

    @Test
    void K047_anOpenTransactionOfAFrozenLeaderDelaysTheNextOneAsLongAsItsLockTimeoutSays() throws Exception {
        committed(5);
        try (Connection frozen = begin(Connection.TRANSACTION_READ_COMMITTED);
                Connection next = begin(Connection.TRANSACTION_READ_COMMITTED)) {
            fence.check(frozen, token(5));
            try (Statement statement = next.createStatement()) {
                statement.execute("SET lock_timeout = '200ms'");
                next.commit();
                assertThatThrownBy(() -> fence.check(next, token(6)))
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                late -> assertThat(late.getSQLState()).isEqualTo("55P03"));
                next.rollback();
                statement.execute("SET lock_timeout = 0");
                next.commit();
            }
            Future<Boolean> passes = threads.submit(() -> {
                fence.check(next, token(6));
                next.commit();
                return true;
            });
            frozen.commit();
            assertThat(passes.get(60, TimeUnit.SECONDS)).isTrue();
            assertThatThrownBy(() -> fence.check(frozen, token(5))).isInstanceOf(FencedOutException.class);
        }
    }

    @Test
    void firstUsersAtOnceMakeOneTable() throws Exception {
        List<Callable<Boolean>> users = new ArrayList<>();
        CyclicBarrier start = new CyclicBarrier(10);
        for (int i = 0; i < 10; i++) {
            long own = i + 1L;
            users.add(() -> {
                JdbcFence each = JdbcFence.guardTable(table);
                start.await(60, TimeUnit.SECONDS);
                try (Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED)) {
                    each.check(connection, token(own));
                    connection.commit();
                    return true;
                } catch (FencedOutException out) {
                    return false;
                }
            });
        }
        List<Boolean> passed = new ArrayList<>();
        for (Future<Boolean> each : threads.invokeAll(users)) {
            passed.add(each.get());
        }
        assertThat(passed).contains(true);
        assertThat(Collections.frequency(passed, true)).isPositive();
        assertThat(PostgresServer.number("SELECT max(token) FROM " + table)).isEqualTo(10);
    }
}
