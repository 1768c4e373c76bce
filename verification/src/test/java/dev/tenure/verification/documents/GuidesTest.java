package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LossReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the guides say in tables and numbers is so, and their fences refuse.
 */
class GuidesTest {
    private static final FencingToken STALE = new FencingToken("billing", 101);
    private static final FencingToken NEWEST = new FencingToken("billing", 102);

    @TempDir
    private Path folder;

    private String database;

    @BeforeEach
    void place() {
        database = "jdbc:sqlite:" + folder.resolve("resource.db") + "?busy_timeout=10000";
    }

    private static List<String> firstCells(String guide, String heading) {
        return Guide.of(guide).section(heading).rows().stream()
                .map(row -> row.get(0).replace("`", ""))
                .toList();
    }

    @Test
    void everyReasonAndEveryStatusIsExplained() {
        assertThat(firstCells("leading.md", "Why a term ended"))
                .containsExactlyElementsOf(
                        Arrays.stream(LossReason.values()).map(Enum::name).toList());
        assertThat(firstCells("leading.md", "Health"))
                .containsExactlyElementsOf(Arrays.stream(ElectorHealth.Status.values())
                        .map(Enum::name)
                        .toList());
        assertThat(Arrays.stream(LossReason.values()).filter(LossReason::isVoluntary))
                .containsExactly(LossReason.RESIGNED, LossReason.RELEASED, LossReason.STOPPED);
    }

    @Test
    void aHealthyLeaderHasAsMuchLeftAsTheGuideSays() {
        ElectionOptions defaults = ElectionOptions.defaults();
        Duration most = defaults.lease().minus(defaults.safetyMargin());
        Duration least = most.minus(defaults.renewInterval());
        assertThat(Guide.of("leading.md").section("Long work").text())
                .contains(least.toMillis() / 1000.0 + " s to " + most.toMillis() / 1000.0 + " s");
    }

    @Test
    void everyGuideIsInTheIndex() throws IOException {
        Path guides = Guide.ROOT.resolve("docs/guides");
        String index = Guide.of("README.md").text();
        try (Stream<Path> files = Files.list(guides)) {
            for (Path file : files.sorted().toList()) {
                String name = file.getFileName().toString();
                if (!name.equals("README.md")) {
                    assertThat(index).contains("](" + name + ")");
                }
            }
        }
    }

    @Test
    void R009_anHttpResourceComparesByOrderAndSaysWhy() throws SQLException {
        FencingExamples resource = new FencingExamples(
                (transaction, entry) -> execute(transaction, "insert into entry values ('" + entry + "')"));
        try (Connection connection = DriverManager.getConnection(database)) {
            execute(connection, "create table entry (text text)");
        }
        assertThat(post(resource, Optional.of(STALE.toHeader()), "first")).isEqualTo(201);
        assertThat(post(resource, Optional.of(STALE.toHeader()), "same leader")).isEqualTo(201);
        assertThat(post(resource, Optional.of(NEWEST.toHeader()), "next leader"))
                .isEqualTo(201);
        assertThat(post(resource, Optional.of(STALE.toHeader()), "woken up")).isEqualTo(412);
        assertThat(post(resource, Optional.empty(), "none")).isEqualTo(428);
        assertThat(post(resource, Optional.of("billing"), "no token")).isEqualTo(400);
        assertThat(post(resource, Optional.of("billing=x"), "no number")).isEqualTo(400);
        assertThat(post(resource, Optional.of("prices=900"), "another role")).isEqualTo(403);
        assertThat(count("select count(*) from entry")).isEqualTo(3);
    }

    private int post(FencingExamples resource, Optional<String> header, String entry) throws SQLException {
        try (Connection transaction = DriverManager.getConnection(database)) {
            transaction.setAutoCommit(false);
            return resource.post(header, entry, transaction);
        }
    }

    @Test
    void R009_aColumnOfOnesOwnRefusesALowerToken() throws SQLException {
        FencingExamples shards = new FencingExamples((transaction, entry) -> {});
        try (Connection connection = DriverManager.getConnection(database)) {
            execute(connection, "create table shard (id integer primary key, owner text, token integer)");
            execute(connection, "insert into shard values (7, '', 0)");
            shards.assign(connection, 7, "a", STALE);
            shards.assign(connection, 7, "a again", STALE);
            shards.assign(connection, 7, "b", NEWEST);
            assertThatThrownBy(() -> shards.assign(connection, 7, "a late", STALE))
                    .isInstanceOf(FencedOutException.class);
        }
        assertThat(count("select count(*) from shard where owner = 'b' and token = 102"))
                .isEqualTo(1);
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long count(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            assertThat(row.next()).isTrue();
            return row.getLong(1);
        }
    }
}
