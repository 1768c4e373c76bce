package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One transaction at a time.
 */
class JdbcFenceTest {

    abstract static class OneAfterAnother {
        final String table = PostgresServer.freshName("fence");
        final JdbcFence fence = JdbcFence.guardTable(table);
        Connection connection;

        abstract Connection connect() throws SQLException;

        @BeforeEach
        void open() throws SQLException {
            connection = connect();
            connection.setAutoCommit(false);
        }

        @AfterEach
        void close() throws SQLException {
            connection.close();
        }

        private static FencingToken token(long value) {
            return new FencingToken("billing", value);
        }

        private void committed(long value) throws SQLException {
            fence.check(connection, token(value));
            connection.commit();
        }

        private void assertFencedOut(long value, long highest) throws SQLException {
            assertThatThrownBy(() -> fence.check(connection, token(value)))
                    .isInstanceOfSatisfying(FencedOutException.class, out -> {
                        assertThat(out.token()).isEqualTo(token(value));
                        assertThat(out.highest()).isEqualTo(highest);
                    });
            connection.rollback();
        }

        @Test
        void R084_equalAndHigherTokensPassAndLowerOnesAreRefused() throws SQLException {
            committed(5);
            committed(5);
            assertFencedOut(4, 5);
            committed(9);
            assertFencedOut(5, 9);
            committed(9);
        }

        @Test
        void R085_aFencedOutWriteSaysSoAndIsRolledBack() throws SQLException {
            committed(2);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE " + table + "_app (n integer)");
                connection.commit();
                statement.execute("INSERT INTO " + table + "_app VALUES (1)");
                assertFencedOut(1, 2);
                assertThat(statement
                                .executeQuery("SELECT 1 FROM " + table + "_app")
                                .next())
                        .isFalse();
            }
        }

        @Test
        void aTokenWhoseTransactionRollsBackWasNotAccepted() throws SQLException {
            committed(5);
            fence.check(connection, token(8));
            connection.rollback();
            committed(6);
            assertFencedOut(5, 6);
        }

        @Test
        void theTableGoesWithTheTransactionThatMadeIt() throws SQLException {
            fence.check(connection, token(5));
            fence.check(connection, "second", token(5));
            connection.rollback();
            try {
                committed(3);
            } catch (SQLException oneFailureAtMost) {
                connection.rollback();
                committed(3);
            }
            assertFencedOut(2, 3);
        }

        @Test
        void aTableThatIsDroppedIsMadeAgain() throws SQLException {
            committed(5);
            committed(5);
            try (Statement statement = connection.createStatement()) {
                statement.execute("DROP TABLE " + table);
                connection.commit();
            }
            assertThatThrownBy(() -> fence.check(connection, token(5))).isInstanceOf(SQLException.class);
            connection.rollback();
            committed(5);
        }

        @Test
        void resourcesOfOneRoleAreIndependent() throws SQLException {
            fence.check(connection, "ledger", token(5));
            fence.check(connection, "archive", token(3));
            connection.commit();
            fence.check(connection, "archive", token(4));
            assertThatThrownBy(() -> fence.check(connection, "ledger", token(4)))
                    .isInstanceOf(FencedOutException.class);
            connection.rollback();
        }

        @Test
        void autoCommitIsRefused() throws SQLException {
            connection.setAutoCommit(true);
            assertThatThrownBy(() -> fence.check(connection, token(1)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("auto-commit");
        }

        @Test
        void resetSetsTheHighestInTheTransactionOrByItself() throws SQLException {
            committed(50);
            fence.reset(connection, "billing", 7);
            connection.rollback();
            assertFencedOut(49, 50);
            fence.reset(connection, "billing", 7);
            connection.commit();
            committed(8);
            connection.setAutoCommit(true);
            fence.reset(connection, "billing", 3);
            assertThat(connection.getAutoCommit()).isTrue();
            connection.setAutoCommit(false);
            committed(4);
        }

        @Test
        void resetBeforeTheFirstUseMakesTheTable() throws SQLException {
            connection.setAutoCommit(true);
            fence.reset(connection, "billing", 7);
            connection.setAutoCommit(false);
            assertFencedOut(6, 7);
        }
    }

    @Nested
    class OnPostgres extends OneAfterAnother {
        @Override
        Connection connect() throws SQLException {
            return PostgresServer.connect();
        }
    }

    @Nested
    class OnSqlite extends OneAfterAnother {
        @TempDir
        Path folder;

        @Override
        Connection connect() throws SQLException {
            return DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("fence.db"));
        }

        @Test
        void aSnapshotFromBeforeTheNewTermLetsNobodyIn() throws SQLException {
            try (Connection first = connect();
                    Statement statement = first.createStatement()) {
                statement.execute("PRAGMA journal_mode = WAL");
            }
            try (Connection newer = connect();
                    Statement statement = connection.createStatement()) {
                newer.setAutoCommit(false);
                fence.check(newer, new FencingToken("billing", 1));
                newer.commit();
                statement.executeQuery("SELECT token FROM " + table).close(); // takes the snapshot
                fence.check(newer, new FencingToken("billing", 2));
                newer.commit();
                assertThatThrownBy(() -> fence.check(connection, new FencingToken("billing", 1)))
                        .isInstanceOfAny(FencedOutException.class, SQLException.class);
                connection.rollback();
                assertThatThrownBy(() -> fence.check(connection, new FencingToken("billing", 1)))
                        .isInstanceOf(FencedOutException.class);
            }
        }
    }

    @Test
    void noRowWrittenIsFencedOut() {
        FencingToken token = new FencingToken("billing", 3);
        JdbcFence.requireWritten(1, token);
        assertThatThrownBy(() -> JdbcFence.requireWritten(0, token))
                .isInstanceOfSatisfying(FencedOutException.class, out -> {
                    assertThat(out.token()).isEqualTo(token);
                    assertThat(out.highest()).isZero();
                });
    }

    @Test
    void theTableMustBeAName() {
        assertThatThrownBy(() -> JdbcFence.guardTable("x; drop table y")).isInstanceOf(IllegalArgumentException.class);
    }
}
