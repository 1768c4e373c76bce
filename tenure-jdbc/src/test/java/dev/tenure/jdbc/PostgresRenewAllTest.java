package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.StoreUnavailableException;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresRenewAllTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final String table = PostgresServer.freshName("batch");
    private final Watched watched = new Watched(PostgresServer.dataSource());
    private Asker a;

    @BeforeEach
    void open() {
        a = Asker.of(JdbcLeaseStore.using(watched.dataSource(), Map.of("table", table)));
        a.list();
    }

    @AfterEach
    void close() {
        a.close();
    }

    @Test
    void eachDecisionIsOneStatement() {
        Holder holder = Asker.holder("a");
        int before = watched.executed();
        Claim claim = a.grant("k", holder);
        assertThat(watched.executed() - before).as("granted").isEqualTo(1);
        a.grant("k", holder);
        assertThat(watched.executed() - before).as("granted again").isEqualTo(2);
        assertThat(a.denied("k").present()).isPresent();
        assertThat(watched.executed() - before).as("denied, with the holder").isEqualTo(3);
        a.renew(claim);
        assertThat(watched.executed() - before).as("renewed").isEqualTo(4);
        a.release(claim);
        assertThat(watched.executed() - before).as("released").isEqualTo(5);
    }

    @Test
    void tenThousandClaimsAreRenewedByAtMostTenStatements() {
        PostgresServer.execute("INSERT INTO " + table
                + " SELECT 'k' || n, 1, 'a', 'i' || n, '', n, n, 0, 0, 4102444800000000 - n, ' '"
                + " FROM generate_series(1, 10000) AS n");
        List<Claim> claims = new ArrayList<>();
        for (int n = 1; n <= 10_000; n++) {
            long token = n % 1_000 == 0 ? n + 1 : n; // ten of them are not the present ones
            claims.add(a.claim("k" + n, new Holder("a", "i" + n, Map.of()), token));
        }
        int before = watched.executed();
        List<RenewResult> answers = a.withLimit(LONG).renewAll(claims);
        assertThat(watched.executed() - before).isLessThanOrEqualTo(10);
        for (int n = 1; n <= 10_000; n++) {
            assertThat(answers.get(n - 1))
                    .as("claim " + n)
                    .isEqualTo(n % 1_000 == 0 ? RenewResult.NOT_HOLDER : RenewResult.RENEWED);
        }
        assertThat(PostgresServer.number("SELECT count(*) FROM " + table + " WHERE ends_at = 4102444800000000 - token"))
                .as("no end moved back")
                .isEqualTo(10_000);
    }

    @Test
    void aLockedRowMakesOnlyItsOwnAnswerUnknown() throws Exception {
        List<Claim> claims = List.of(a.grant("x"), a.grant("y"), a.grant("z"));
        Claim absent = a.claim("w", Asker.holder("w"), 1);
        Claim stale = a.claim("y", Asker.holder("stale"), 1);
        try (Connection other = PostgresServer.connect();
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("SELECT 1 FROM " + table + " WHERE lease_key = 'y' FOR UPDATE");
            List<CompletionStage<RenewResult>> answers =
                    a.store().renewAll(List.of(claims.get(0), claims.get(1), claims.get(2), absent, stale));
            assertThat(Answers.within(LONG, answers.get(0))).isEqualTo(RenewResult.RENEWED);
            assertThat(Answers.failure(LONG, () -> answers.get(1))).isInstanceOf(StoreUnavailableException.class);
            assertThat(Answers.within(LONG, answers.get(2))).isEqualTo(RenewResult.RENEWED);
            assertThat(Answers.within(LONG, answers.get(3))).isEqualTo(RenewResult.NOT_HOLDER);
            assertThat(Answers.within(LONG, answers.get(4))).isEqualTo(RenewResult.NOT_HOLDER);
            other.rollback(); // closing alone leaves the lock until the server has noticed it
        }
        assertThat(a.renewAll(claims)).containsOnly(RenewResult.RENEWED);
    }

    @Test
    void batchesInOppositeOrderDoNotDeadlock() throws Exception {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            claims.add(a.grant("k" + i));
        }
        List<Claim> reversed = new ArrayList<>(claims);
        java.util.Collections.reverse(reversed);
        for (int round = 0; round < 20; round++) {
            List<CompletionStage<RenewResult>> all = new ArrayList<>(a.store().renewAll(claims));
            all.addAll(a.store().renewAll(reversed));
            for (CompletionStage<RenewResult> each : all) {
                Answers.within(LONG, each.handle((answer, skipped) -> {
                    assertThat(answer == RenewResult.RENEWED || skipped != null).isTrue();
                    return true;
                }));
            }
        }
        assertThat(a.renewAll(claims)).containsOnly(RenewResult.RENEWED);
    }

    @Test
    void countedTokensMoveByOne() {
        try (Asker counting =
                Asker.of(JdbcLeaseStore.using(watched.dataSource(), Map.of("table", table, "tokens", "counter")))) {
            for (int i = 1; i <= 3; i++) {
                Claim claim = counting.grant("k");
                assertThat(claim.token()).isEqualTo(i);
                counting.release(claim);
            }
        }
    }
}
