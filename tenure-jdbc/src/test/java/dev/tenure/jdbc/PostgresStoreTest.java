package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaseStores;
import dev.tenure.StoreRejectedException;
import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresStoreTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final String table = PostgresServer.freshName("lease");
    private Asker a;
    private Asker b;

    @BeforeEach
    void open() {
        a = Asker.at(PostgresServer.url(), "table", table);
        b = Asker.at(PostgresServer.url(), "table", table);
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
    }

    private static String withSetting(String setting) {
        String url = PostgresServer.url();
        return url + (url.contains("?") ? "&" : "?") + "options="
                + URLEncoder.encode("-c " + setting, StandardCharsets.UTF_8);
    }

    @Test
    void traitsSayWhatItIs() {
        StoreTraits traits = a.store().traits();
        assertThat(traits.name()).matches("postgresql at [^/]+:\\d+/\\w+");
        assertThat(traits.scope()).isEqualTo(StoreTraits.Scope.CLUSTER);
        assertThat(traits.expiryClock()).isEqualTo(StoreTraits.ExpiryClock.WALL);
        assertThat(traits.pushesWakeUps()).as("not behind a pooler").isFalse();
    }

    @Test
    void theProviderOpensItByUrl() {
        try (Asker any = Asker.of(LeaseStores.open(PostgresServer.url(), Map.of("table", table)))) {
            any.grant("k");
            a.denied("k");
        }
    }

    @Test
    void K042_sessionTimeZonesDoNotMatter() {
        try (Asker east = Asker.at(withSetting("TimeZone=Asia/Tokyo"), "table", table);
                Asker west = Asker.at(withSetting("TimeZone=America/Anchorage"), "table", table)) {
            east.grant("k");
            west.denied("k");
            assertThat(west.remaining("k")).isBetween(Duration.ofMinutes(1), Duration.ofMinutes(10));
        }
    }

    @Test
    void K044_anEndIsNeverRoundedDown() {
        Duration odd = Duration.ofNanos(1_500_000_001L);
        long before = PostgresServer.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
        a.withLease(odd).grant("k");
        assertThat(PostgresServer.number("SELECT ends_at - acquired_at FROM " + table))
                .isEqualTo(1_500_002L);
        assertThat(PostgresServer.number("SELECT ends_at FROM " + table)).isGreaterThanOrEqualTo(before + 1_500_000L);
    }

    @Test
    void K044_aTableWithTooSmallColumnsIsRejected() {
        PostgresServer.execute("CREATE TABLE " + table + " (lease_key text PRIMARY KEY, v integer, name text,"
                + " incarnation text, metadata text, token bigint, highest bigint, accepted bigint,"
                + " acquired_at integer, ends_at integer, released text)");
        assertThat(a.failureOfAsking("k"))
                .isInstanceOf(StoreRejectedException.class)
                .hasMessageContaining(table);
    }

    @Test
    void K101_aDeletedRowIsGrantedAgainWithAHigherToken() {
        Claim first = a.grant("k");
        PostgresServer.execute("DELETE FROM " + table);
        assertThat(a.renew(first)).isEqualTo(RenewResult.NOT_HOLDER);
        assertThat(b.grant("k").token()).isGreaterThan(first.token());
    }

    @Test
    void K101_aTableThatCannotBeMadeYetIsRejectedAndFoundLater() {
        String schema = PostgresServer.freshName("later");
        try (Asker any = Asker.at(PostgresServer.url(), "table", schema + ".lease")) {
            assertThat(any.failureOfAsking("k"))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining(schema + ".lease");
            PostgresServer.execute("CREATE SCHEMA " + schema);
            any.grant("k");
        }
    }

    @Test
    void K144_aTableThatIsDroppedIsMadeAgain() {
        Claim first = a.grant("k");
        for (int i = 0; i < 3; i++) {
            a.denied("k");
        }
        PostgresServer.execute("DROP TABLE " + table);
        assertThat(b.renew(first)).isEqualTo(RenewResult.NOT_HOLDER);
        PostgresServer.execute("DROP TABLE " + table);
        assertThat(a.grant("k").token()).isGreaterThan(first.token());
    }

    @Test
    void K144_upperCaseIsTheSameTable() {
        try (Asker upper = Asker.at(PostgresServer.url(), "table", table.toUpperCase(java.util.Locale.ROOT))) {
            upper.grant("k");
            a.denied("k");
        }
    }

    @Test
    void aRoleThatMayNotCreateUsesTheTableThatIsThere() {
        a.list();
        String role = PostgresServer.freshName("role");
        PostgresServer.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'pw-of-role'");
        PostgresServer.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC");
        PostgresServer.execute("GRANT SELECT, INSERT, UPDATE ON " + table + " TO " + role);
        String url = PostgresServer.urlWithoutUser();
        try (Asker poor = Asker.at(url, "table", table, "user", role, "password", "pw-of-role");
                Asker none = Asker.at(url, "table", table + "_no", "user", role, "password", "pw-of-role")) {
            Claim claim = poor.grant("k");
            assertThat(poor.renew(claim)).isEqualTo(RenewResult.RENEWED);
            assertThat(poor.release(claim)).isTrue();
            assertThat(none.failureOfAsking("k"))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining(table + "_no")
                    .hasMessageContaining("42501");
        }
    }

    @Test
    void wrongUserAndWrongDatabaseAreRejected() {
        String url = PostgresServer.urlWithoutUser();
        try (Asker any = Asker.at(url, "user", "nobody-here", "password", "geheim-1")) {
            assertThat(any.failureOfAsking("k"))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("28")
                    .hasMessageNotContaining("geheim");
        }
        String other = PostgresServer.url().replaceFirst("/\\w+\\?", "/nosuch?");
        try (Asker any = Asker.at(other)) {
            assertThat(any.failureOfAsking("k"))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("3D000");
        }
    }

    @Test
    void B22_theClockOfTheClientIsNeverAsked() {
        assertThat(new Statements(new PostgresDialect(), "t", false).acquire)
                .contains("clock_timestamp()")
                .doesNotContain("now()");
    }

    @Test
    void B23_twentyFirstUsersOfAnEmptySchemaMakeOneTable() throws Exception {
        String schema = PostgresServer.freshName("empty");
        PostgresServer.execute("CREATE SCHEMA " + schema);
        List<Asker> askers = new ArrayList<>();
        List<CompletionStage<AcquireResult>> answers = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                askers.add(Asker.at(PostgresServer.url(), "table", schema + ".lease"));
            }
            askers.forEach(each -> answers.add(each.asks("k", Asker.holder("x"))));
            List<AcquireResult> all = answers.stream()
                    .map(answer -> Answers.within(LONG.multipliedBy(3), answer))
                    .toList();
            assertThat(all).filteredOn(AcquireResult.Granted.class::isInstance).hasSize(1);
        } finally {
            askers.forEach(Asker::close);
        }
    }

    @Test
    void B24_aRenewalThatWaitedForALockLastsItsWholeLease() throws Exception {
        Asker seconds = a.withLease(Duration.ofMinutes(1));
        Claim claim = seconds.grant("k");
        try (Connection other = PostgresServer.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + table + " FOR UPDATE");
            CompletionStage<RenewResult> renewal = seconds.store().renew(seconds.own(claim));
            Eventually.becomes("the renewal waits", PostgresStoreTest.this::somebodyWaits);
            statement.execute("SELECT pg_sleep(2)");
            other.commit();
            assertThat(Answers.within(LONG, renewal)).isEqualTo(RenewResult.RENEWED);
            long left = PostgresServer.number(
                    "SELECT ends_at - (extract(epoch FROM clock_timestamp()) * 1000000)::bigint FROM " + table);
            long since = PostgresServer.number("SELECT ends_at - acquired_at FROM " + table);
            assertThat(since).as("counted from after the wait").isGreaterThanOrEqualTo(62_000_000);
            assertThat(left).isLessThanOrEqualTo(60_000_002);
        }
    }

    @Test
    void B24_anAcquisitionThatWaitedJudgesByTheTimeAfterwards() throws Exception {
        Asker seconds = a.withLease(Duration.ofSeconds(3));
        Claim first = seconds.grant("k");
        assertThat(seconds.release(first)).isTrue();
        try (Connection other = PostgresServer.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + table + " FOR UPDATE");
            CompletionStage<AcquireResult> asked = seconds.asks("k", Asker.holder("b"));
            Eventually.becomes("the acquisition waits", PostgresStoreTest.this::somebodyWaits);
            statement.execute("SELECT pg_sleep(2)");
            long released = PostgresServer.number("SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint");
            other.commit();
            assertThat(Answers.within(LONG, asked)).isInstanceOf(AcquireResult.Granted.class);
            assertThat(PostgresServer.number("SELECT ends_at FROM " + table))
                    .isGreaterThanOrEqualTo(released + 3_000_000);
            assertThat(PostgresServer.number("SELECT ends_at - acquired_at FROM " + table))
                    .as("all from one reading of the clock")
                    .isEqualTo(3_000_001);
        }
    }

    private boolean somebodyWaits() {
        return PostgresServer.number(
                        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%" + table
                                + "%' AND pid <> pg_backend_pid()")
                > 0;
    }

    @Test
    void aLockThatLastsTooLongIsUnknownAndHarmsNobodyElse() throws Exception {
        Claim claim = a.grant("k");
        try (Connection other = PostgresServer.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + table + " FOR UPDATE");
            Asker hasty = a.withLimit(Duration.ofSeconds(1));
            assertThat(hasty.failure(store -> store.renew(hasty.own(claim))))
                    .isInstanceOf(dev.tenure.StoreUnavailableException.class);
            a.denied("k"); // reads, and waits for nobody
            a.grant("other");
            other.rollback();
            assertThat(a.renew(claim)).isEqualTo(RenewResult.RENEWED);
        }
    }

    @Test
    void B25_aDenialNeverNamesTheOneWhoAsked() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<Boolean> comesAndGoes = threads.submit(() -> {
                for (int i = 0; i < 300; i++) {
                    Holder holder = Asker.holder("a");
                    if (a.ask("k", holder) instanceof AcquireResult.Granted granted) {
                        a.release(a.claim("k", holder, granted.token()));
                    }
                }
                return true;
            });
            while (!comesAndGoes.isDone()) {
                Holder holder = Asker.holder("b");
                AcquireResult answer = b.ask("k", holder);
                if (answer instanceof Denied denied && denied.present().isPresent()) {
                    assertThat(denied.present().get().holder()).isNotEqualTo(holder);
                    assertThat(denied.present().get().remaining()).isPositive();
                } else if (answer instanceof AcquireResult.Granted granted) {
                    b.release(b.claim("k", holder, granted.token()));
                }
            }
            assertThat(comesAndGoes.get()).isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void K136_aSerializableDatabaseLosesNothing() throws Exception {
        String url = withSetting("default_transaction_isolation=serializable");
        List<Asker> askers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<Long>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Asker each = Asker.at(url, "table", table);
                askers.add(each);
                all.add(threads.submit(() -> hammer(each)));
            }
            long grants = 0;
            for (Future<Long> each : all) {
                grants += each.get();
            }
            assertThat(grants).isPositive();
        } finally {
            threads.shutdownNow();
            askers.forEach(Asker::close);
        }
    }

    private static long hammer(Asker asker) {
        long grants = 0;
        for (int i = 0; i < 50; i++) {
            Holder holder = Asker.holder("x");
            if (asker.ask("k", holder) instanceof AcquireResult.Granted granted) {
                Claim claim = asker.claim("k", holder, granted.token());
                assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
                assertThat(asker.release(claim)).isTrue();
                grants++;
            }
        }
        return grants;
    }

    @Test
    void K107_noStatementLeavesARecordWithoutAnEnd() {
        a.grant("k");
        assertThat(PostgresServer.number("SELECT count(*) FROM information_schema.columns WHERE table_name = '" + table
                        + "' AND is_nullable = 'YES'"))
                .isZero();
        assertThat(PostgresServer.number("SELECT count(*) FROM " + table + " WHERE ends_at = 0"))
                .isZero();
    }

    @Test
    void aReleasedIncarnationStaysOutAlthoughOthersCameBetween() throws SQLException {
        Holder late = Asker.holder("late");
        assertThat(a.release(a.claim("k", late, Claim.UNKNOWN_TOKEN))).isFalse();
        for (int i = 0; i < 5; i++) {
            b.release(b.grant("k"));
        }
        assertThat(a.ask("k", late)).isEqualTo(AcquireResult.denied());
        assertThat(PostgresServer.number("SELECT length(released) FROM " + table))
                .isLessThanOrEqualTo(400);
    }
}
