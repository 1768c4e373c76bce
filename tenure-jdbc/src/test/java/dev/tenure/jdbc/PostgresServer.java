package dev.tenure.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The one PostgreSQL of a test run: the one that {@code TENURE_TEST_POSTGRES} names, else one that is started and ends
 * with the JVM. Where there is none, tests are skipped; in CI they fail.
 */
final class PostgresServer {
    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final String RUN = Long.toString(System.nanoTime() & 0xffffff, 36);
    private static final String URL = find();

    private PostgresServer() {}

    private static String find() {
        String named = System.getenv("TENURE_TEST_POSTGRES");
        if (named != null) {
            return named;
        }
        try {
            return start();
        } catch (IOException | RuntimeException failed) {
            if (Boolean.getBoolean("tenure.ci") || "true".equals(System.getenv("CI"))) {
                throw new AssertionError("PostgreSQL could not be started", failed);
            }
            return "";
        }
    }

    /**
     * Below those that the system gives to outgoing connections, so that none of them takes it before the server does.
     */
    private static int freePort() {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(10_000, 12_000);
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException taken) {
                // another one
            }
        }
    }

    @SuppressWarnings("resource") // ends with the JVM
    private static String start() throws IOException {
        return EmbeddedPostgres.builder()
                .setPort(freePort())
                .setPGStartupWait(Duration.ofMinutes(3))
                .setServerConfig("max_connections", "300")
                .setServerConfig("fsync", "off")
                .start()
                .getJdbcUrl("postgres", "postgres");
    }

    /**
     * With user and password.
     */
    static String url() {
        Assumptions.assumeFalse(URL.isEmpty(), "no PostgreSQL: name one by TENURE_TEST_POSTGRES=jdbc:postgresql://…");
        return URL;
    }

    /**
     * The same server and database, for other users.
     */
    static String urlWithoutUser() {
        PGSimpleDataSource parts = dataSource();
        return "jdbc:postgresql://" + parts.getServerNames()[0] + ":" + port() + "/" + parts.getDatabaseName();
    }

    static int port() {
        return dataSource().getPortNumbers()[0];
    }

    static Connection connect() throws SQLException {
        return DriverManager.getConnection(url());
    }

    static PGSimpleDataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(url());
        return dataSource;
    }

    static void execute(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new AssertionError(sql, failed);
        }
    }

    /**
     * The first column of the first row.
     */
    static long number(String sql) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException failed) {
            throw new AssertionError(sql, failed);
        }
    }

    /**
     * A name that no other test uses, of a table or a schema.
     */
    static String freshName(String beginning) {
        return beginning + "_" + RUN + "_" + NAMES.incrementAndGet();
    }
}
