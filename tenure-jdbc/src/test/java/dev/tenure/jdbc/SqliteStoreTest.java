package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaseStores;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.Asker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sqlite.SQLiteDataSource;

class SqliteStoreTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("lease.db");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA busy_timeout = 60000");
            statement.execute(sql);
        }
    }

    @Test
    void traitsSayWhatItIs() {
        try (Asker a = Asker.at(url(), "namespace", "app:")) {
            StoreTraits traits = a.store().traits();
            assertThat(traits.name()).isEqualTo("sqlite at " + folder.resolve("lease.db"));
            assertThat(traits.scope()).isEqualTo(StoreTraits.Scope.HOST);
            assertThat(traits.expiryClock()).isEqualTo(StoreTraits.ExpiryClock.WALL);
            assertThat(traits.longestKey()).isEqualTo(508);
            assertThat(traits.pushesWakeUps()).isFalse();
        }
    }

    @Test
    void theProviderOpensItByUrl() {
        try (Asker a = Asker.of(LeaseStores.open(url(), Map.of("namespace", "x")))) {
            a.grant("k");
            assertThat(a.store().traits().name()).startsWith("sqlite at ");
        }
    }

    @Test
    void openingMakesNoFile() {
        JdbcLeaseStore.connect(url()).close();
        assertThat(folder.resolve("lease.db")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jdbc:sqlite::memory:",
                "jdbc:sqlite:",
                "jdbc:sqlite:file::memory:?cache=shared",
                "jdbc:sqlite:file:x?mode=memory&cache=shared",
                "jdbc:sqlite::resource:x.db"
            })
    void aDatabaseInMemoryIsRefused(String url) {
        assertThatThrownBy(() -> JdbcLeaseStore.connect(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("sqlite must be in a file")
                .hasMessageNotContaining("\n");
    }

    @Test
    void aMissingFolderIsNamed() {
        assertThatThrownBy(() -> JdbcLeaseStore.connect("jdbc:sqlite:" + folder.resolve("no/such/x.db")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "sqlite file cannot be made, its folder is missing: file=" + folder.resolve("no/such/x.db"));
    }

    @Test
    void aFolderInPlaceOfTheFileIsRefused() throws IOException {
        Files.createDirectory(folder.resolve("lease.db"));
        assertThatThrownBy(() -> JdbcLeaseStore.connect(url()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot be written");
    }

    @Test
    void aFileThatIsNoDatabaseIsRejected() throws IOException {
        Files.writeString(folder.resolve("lease.db"), "this is not a database, but long enough to look ".repeat(50));
        try (Asker a = Asker.at(url())) {
            assertThat(a.failureOfAsking("k"))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("not a database");
        }
    }

    @Test
    void unknownOptionsAreNamedWithTheKnownOnes() {
        assertThatThrownBy(() -> JdbcLeaseStore.connect(url(), Map.of("namespce", "x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("option is unknown: option=namespce known=[namespace, password, table, tokens, user]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a;drop table x", "a.b.c", "1a", "\"a\"", "a.", "tä"})
    void tableMustBeAName(String table) {
        assertThatThrownBy(() -> JdbcLeaseStore.connect(url(), Map.of("table", table)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("table=" + table);
    }

    @Test
    void tokensMustBeFormulaOrCounter() {
        assertThatThrownBy(() -> JdbcLeaseStore.connect(url(), Map.of("tokens", "uuid")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tokens must be formula or counter: tokens=uuid");
    }

    @Test
    void anotherDatabaseIsRefused() {
        assertThatThrownBy(() -> JdbcLeaseStore.connect("jdbc:oracle:thin:@host"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("postgresql or sqlite");
    }

    @Test
    void countedTokensMoveByOne() {
        try (Asker a = Asker.at(url(), "tokens", "counter")) {
            for (int i = 1; i <= 3; i++) {
                Claim claim = a.grant("k");
                assertThat(claim.token()).isEqualTo(i);
                assertThat(a.renew(claim)).isEqualTo(RenewResult.RENEWED);
                a.release(claim);
            }
            assertThat(a.ask("k", Asker.holder("b"), 41)).isEqualTo(AcquireResult.granted(42));
            assertThat(a.forceRelease("k")).isTrue();
            assertThat(a.failure(store -> store.acquire(
                            new dev.tenure.spi.AcquireRequest("k", Asker.holder("c"), a.lease(), 1L << 53, a.limit()))))
                    .isInstanceOf(TokenImplausibleException.class);
            a.acceptToken("k", 7);
            assertThat(a.ask("k", Asker.holder("c"), 1L << 53)).isEqualTo(AcquireResult.granted(8, 7));
        }
    }

    @Test
    void K159_namespacesAreApartInEveryOperation() {
        try (Asker one = Asker.at(url(), "namespace", "a_%");
                Asker other = Asker.at(url(), "namespace", "aXY");
                Asker all = Asker.at(url())) {
            Claim first = one.grant("billing");
            Claim second = other.grant("billing");
            assertThat(one.list()).extracting(record -> record.key()).containsExactly("billing");
            assertThat(all.list()).extracting(record -> record.key()).containsExactly("aXYbilling", "a_%billing");
            assertThat(one.read("billing").orElseThrow().holder()).isEqualTo(first.holder());
            assertThat(one.forceRelease("billing")).isTrue();
            assertThat(other.renew(second)).isEqualTo(RenewResult.RENEWED);
        }
    }

    @Test
    void K101_rowOrTableThatIsDeletedComesBack() throws SQLException {
        try (Asker a = Asker.at(url())) {
            Claim first = a.grant("k");
            execute("DELETE FROM tenure_lease");
            assertThat(a.renew(first)).isEqualTo(RenewResult.NOT_HOLDER);
            Claim second = a.grant("k");
            assertThat(second.token()).isGreaterThan(first.token());
            execute("DROP TABLE tenure_lease");
            assertThat(a.renew(second)).isEqualTo(RenewResult.NOT_HOLDER);
            assertThat(a.grant("k").token()).isGreaterThan(second.token());
        }
    }

    @Test
    void aLockedFileIsUnavailableWithinTheLimitAndWorksAgainAfterwards() throws SQLException {
        try (Asker a = Asker.at(url()).withLimit(Duration.ofMillis(500));
                Connection other = DriverManager.getConnection(url());
                Statement statement = other.createStatement()) {
            Claim claim = a.withLimit(LONG).grant("k");
            statement.execute("BEGIN IMMEDIATE");
            assertThat(a.failure(store -> store.renew(a.own(claim)))).isInstanceOf(StoreUnavailableException.class);
            assertThat(a.failureOfAsking("free")).isInstanceOf(StoreUnavailableException.class);
            assertThat(a.withLimit(LONG).denied("k").present())
                    .as("who is denied needs no lock")
                    .isPresent();
            statement.execute("COMMIT");
            assertThat(a.withLimit(LONG).renew(claim)).isEqualTo(RenewResult.RENEWED);
        }
    }

    @Test
    void aDataSourceWorksToo() {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl(url());
        try (Asker a = Asker.of(JdbcLeaseStore.using(dataSource));
                Asker b = Asker.of(JdbcLeaseStore.using(dataSource, Map.of("database", "sqlite")))) {
            assertThat(a.store().traits().name()).isEqualTo("sqlite at " + folder.resolve("lease.db"));
            assertThat(b.store().traits().scope()).isEqualTo(StoreTraits.Scope.HOST);
            Claim claim = a.grant("k");
            assertThat(b.denied("k").present().orElseThrow().holder()).isEqualTo(claim.holder());
            assertThat(a.renewAll(List.of(claim, claim))).containsExactly(RenewResult.RENEWED, RenewResult.RENEWED);
        }
    }
}
