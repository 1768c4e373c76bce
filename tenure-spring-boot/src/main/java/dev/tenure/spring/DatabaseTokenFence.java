package dev.tenure.spring;

import dev.tenure.FencingToken;
import dev.tenure.jdbc.JdbcFence;
import java.io.Serial;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * A fence in the application's database, shared by all instances; each check is a transaction of its own.
 */
final class DatabaseTokenFence implements TokenFence {
    private final DataSource dataSource;
    private final JdbcFence fence;

    DatabaseTokenFence(DataSource dataSource, JdbcFence fence) {
        this.dataSource = dataSource;
        this.fence = fence;
    }

    /**
     * The database gave no answer.
     */
    static final class UnansweredException extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1;

        UnansweredException(FencingToken token, SQLException cause) {
            super("fence cannot be asked: " + token, cause);
        }
    }

    @Override
    public void check(FencingToken token) {
        try (Connection connection = dataSource.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            if (autoCommit) {
                connection.setAutoCommit(false);
            }
            boolean committed = false;
            try {
                fence.check(connection, token);
                connection.commit();
                committed = true;
            } finally {
                if (!committed) {
                    connection.rollback();
                }
                if (autoCommit) {
                    connection.setAutoCommit(true);
                }
            }
        } catch (SQLException failed) {
            throw new UnansweredException(token, failed);
        }
    }
}
