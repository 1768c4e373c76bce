package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("looks for threads")
class PostgresConnectionsTest {
    private final String table = PostgresServer.freshName("conn");

    private Asker over(DataSource dataSource) {
        return Asker.of(JdbcLeaseStore.using(dataSource, Map.of("table", table)));
    }

    private Asker direct() {
        return Asker.at(PostgresServer.url(), "table", table);
    }

    private static HikariDataSource hikari(int size) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(PostgresServer.url());
        config.setMaximumPoolSize(size);
        config.setAutoCommit(false);
        config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
        return new HikariDataSource(config);
    }

    private static long count(Connection connection, String from) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT count(*) FROM " + from)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void K135_aLeaseIsNoPartOfTheCallersTransaction() throws SQLException {
        PostgresServer.execute("CREATE TABLE " + table + "_app (n integer)");
        try (HikariDataSource pool = hikari(4);
                Asker own = over(pool);
                Asker other = direct();
                Connection caller = pool.getConnection();
                Statement statement = caller.createStatement()) {
            statement.execute("INSERT INTO " + table + "_app VALUES (1)");
            Claim claim = own.grant("k");
            caller.rollback();
            assertThat(own.renew(claim)).isEqualTo(RenewResult.RENEWED);
            other.denied("k");

            statement.execute("INSERT INTO " + table + "_app VALUES (2)");
            Claim others = other.grant("k2");
            own.denied("k2");
            assertThat(count(caller, table + "_app")).as("still pending").isEqualTo(1);
            caller.commit();
            assertThat(other.release(others)).isTrue();
        }
        assertThat(PostgresServer.number("SELECT n FROM " + table + "_app")).isEqualTo(2);
    }

    @Test
    void K135_connectionsAreGivenBackAsTheyWere() throws SQLException {
        try (HikariDataSource pool = hikari(2)) {
            Watched watched = new Watched(pool);
            try (Asker own = over(watched.dataSource())) {
                own.release(own.grant("k"));
            }
            assertThat(watched.open()).isZero();
            assertThat(watched.statesAtClose())
                    .isNotEmpty()
                    .containsOnly("autocommit=false readonly=false isolation=" + Connection.TRANSACTION_REPEATABLE_READ
                            + " timeout=0");
            assertThat(pool.isClosed()).isFalse();
        }
    }

    @Test
    void K136_serializationFailuresAreTriedAgain() {
        Watched watched = new Watched(PostgresServer.dataSource());
        try (Asker own = over(watched.dataSource())) {
            Claim claim = own.grant("k");
            watched.failing(number -> {
                if (number % 5 == 0) {
                    throw new SQLException("could not serialize access, on purpose", "40001");
                }
                if (number % 7 == 0) {
                    throw new SQLException("deadlock detected, on purpose", "40P01");
                }
            });
            for (int i = 0; i < 50; i++) {
                assertThat(own.renew(claim)).isEqualTo(RenewResult.RENEWED);
                Claim another = own.grant("k" + i);
                assertThat(own.release(another)).isTrue();
            }
            assertThat(watched.open()).as("kept").isEqualTo(1);
        }
        assertThat(watched.open()).isZero();
    }

    @Test
    void K136_aFailureWithoutAnEndIsUnavailable() {
        Watched watched = new Watched(PostgresServer.dataSource());
        try (Asker own = over(watched.dataSource())) {
            Claim claim = own.grant("k");
            watched.failing(number -> {
                throw new SQLException("could not serialize access, on purpose", "40001");
            });
            assertThat(own.failure(store -> store.renew(claim)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("40001");
        }
    }

    @Test
    void K138_aDeadLinkEndsTheCallAndIsLeftBehind() throws Exception {
        try (LinkProxy link = new LinkProxy(PostgresServer.port());
                Asker own = Asker.at(
                        PostgresServer.url().replaceFirst(":" + PostgresServer.port(), ":" + link.port()),
                        "table",
                        table)) {
            Asker hasty = own.withLimit(Duration.ofMillis(700));
            Claim claim = own.grant("k");
            link.dead(true);
            for (int i = 0; i < 3; i++) { // the second one has to open a connection
                long sent = System.nanoTime();
                assertThat(hasty.failure(store -> store.renew(hasty.own(claim))))
                        .isInstanceOf(StoreUnavailableException.class);
                assertThat(Duration.ofNanos(System.nanoTime() - sent)).isLessThan(Duration.ofSeconds(60));
            }
            link.dead(false);
            Eventually.becomes("renewed over a new connection", () -> own.renew(claim) == RenewResult.RENEWED);
            Eventually.becomes("no call hangs any more", () -> threadsNamed("tenure-jdbc-connect") == 0);
        }
    }

    private static long threadsNamed(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    @Test
    void K139_aPoolThatIsExhaustedLaterStopsNoRenewal() throws SQLException {
        try (HikariDataSource pool = hikari(3);
                Asker own = over(pool)) {
            Claim claim = own.grant("k");
            List<Connection> busy = new ArrayList<>();
            for (int i = 0; i < 2; i++) { // the store keeps the third
                busy.add(pool.getConnection());
            }
            Asker hasty = own.withLimit(Duration.ofSeconds(25));
            for (int i = 0; i < 5; i++) {
                assertThat(hasty.renew(claim)).isEqualTo(RenewResult.RENEWED);
            }
            for (Connection connection : busy) {
                connection.close();
            }
        }
    }

    @Test
    void K139_aPoolThatIsExhaustedFirstIsUnavailableWithinTheLimitAndLosesNothing() throws SQLException {
        try (HikariDataSource pool = hikari(1)) {
            Watched watched = new Watched(pool);
            LeaseStore store =
                    JdbcLeaseStore.using(watched.dataSource(), Map.of("table", table, "database", "postgresql"));
            try (Asker own = Asker.of(store);
                    Connection busy = pool.getConnection()) {
                Asker hasty = own.withLimit(Duration.ofMillis(300));
                for (int i = 0; i < 6; i++) {
                    assertThat(hasty.failureOfAsking("k")).isInstanceOf(StoreUnavailableException.class);
                }
                busy.close();
                own.grant("k");
            }
            Eventually.becomes("what came late was given back", () -> watched.open() == 0);
        }
    }

    @Test
    void K139_aStoreThatIsClosedWhileItWaitsGivesBackWhatComesLate() throws SQLException {
        try (HikariDataSource pool = hikari(1)) {
            Watched watched = new Watched(pool);
            LeaseStore store =
                    JdbcLeaseStore.using(watched.dataSource(), Map.of("table", table, "database", "postgresql"));
            Connection busy = pool.getConnection();
            Asker own = Asker.of(store).withLimit(Duration.ofMillis(200));
            assertThat(own.failureOfAsking("k")).isInstanceOf(StoreUnavailableException.class);
            own.close();
            busy.close();
            Eventually.becomes("nothing is kept", () -> watched.open() == 0);
            try (Connection free = pool.getConnection()) {
                assertThat(free.isClosed()).isFalse();
            }
        }
    }

    @Test
    void K140_connectionsThatWereKilledWhileKeptAreReplaced() throws SQLException {
        try (HikariDataSource pool = hikari(4);
                Asker own = over(pool)) {
            Claim claim = own.grant("k");
            for (int i = 0; i < 3; i++) {
                PostgresServer.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%"
                        + table + "%' AND pid <> pg_backend_pid()");
                assertThat(own.renew(claim)).isEqualTo(RenewResult.RENEWED);
            }
            assertThat(own.release(claim)).isTrue();
        }
    }

    @Test
    void K141_noStatementDependsOnTheOneBefore() throws SQLException {
        try (Asker first = direct();
                Asker second = direct();
                Asker third = direct()) { // each has a backend of its own, as behind a transaction pooler
            Claim claim = first.grant("k");
            assertThat(second.renew(claim)).isEqualTo(RenewResult.RENEWED);
            assertThat(third.renewAll(List.of(claim, claim))).containsOnly(RenewResult.RENEWED);
            assertThat(second.release(claim)).isTrue();
            third.grant("k");
        }
        PostgresServer.execute("SELECT 1"); // and nothing stays set in a session:
        try (HikariDataSource pool = hikari(1);
                Asker own = over(pool)) {
            own.release(own.grant("k2"));
            own.close();
            try (Connection connection = pool.getConnection();
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SHOW lock_timeout")) {
                rows.next();
                assertThat(rows.getString(1)).isEqualTo("0");
            }
        }
    }

    @Test
    void aBlockedKeyDoesNotStopRenewalsOfOthers() throws Exception {
        try (Asker own = direct();
                Connection other = PostgresServer.connect();
                Statement statement = other.createStatement()) {
            Claim mine = own.grant("mine");
            own.release(own.grant("blocked"));
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + table + " WHERE lease_key = 'blocked' FOR UPDATE");
            for (int i = 0; i < 10; i++) {
                var unused = own.asks("blocked", Asker.holder("b" + i)).handle((answer, failure) -> true);
            }
            Eventually.becomes(
                    "acquisitions wait",
                    () -> PostgresServer.number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
                                    + " AND query LIKE '%" + table + "%'")
                            >= 2);
            assertThat(own.withLimit(Duration.ofSeconds(60)).renew(mine)).isEqualTo(RenewResult.RENEWED);
            other.rollback();
        }
    }

    @Test
    void nothingIsLeftAfterClose() {
        String application = PostgresServer.freshName("app");
        String url = PostgresServer.url() + "&ApplicationName=" + application;
        Asker own = Asker.at(url, "table", table);
        own.store().watch("k", () -> {});
        own.release(own.grant("k"));
        String count = "SELECT count(*) FROM pg_stat_activity WHERE application_name = '" + application + "'";
        assertThat(PostgresServer.number(count)).isPositive();
        own.close();
        own.close();
        Eventually.becomes("no connection is left", () -> PostgresServer.number(count) == 0);
        Eventually.becomes("no thread is left", () -> threadsNamed("tenure-jdbc-listen") == 0);
    }

    @Test
    void aDataSourceThatDoesNotAnswerIsUnavailable() {
        DataSource broken = new Watched(PostgresServer.dataSource()).dataSource();
        org.postgresql.ds.PGSimpleDataSource nowhere = new org.postgresql.ds.PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://localhost:1/x?user=u&password=geheim-2");
        assertThatThrownBy(() -> JdbcLeaseStore.using(nowhere))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("database=postgresql")
                .hasMessageNotContaining("geheim");
        assertThat(broken).isNotNull();
    }

    @Test
    void noMessageHasAPassword() {
        String url = "jdbc:postgresql://localhost:1/x?user=u&password=geheim-3";
        try (Asker own = Asker.at(url)) {
            assertThat(own.store().traits().name()).isEqualTo("postgresql at localhost:1/x");
            Throwable failure = own.failureOfAsking("k");
            for (Throwable each = failure; each != null; each = each.getCause()) {
                assertThat(each.toString()).doesNotContain("geheim");
            }
        }
        assertThatThrownBy(() -> JdbcLeaseStore.connect("jdbc:postgresql://a:b:c/x?password=geheim-4"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("geheim");
    }
}
