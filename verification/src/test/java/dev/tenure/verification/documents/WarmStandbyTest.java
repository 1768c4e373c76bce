package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.verification.documents.WarmStandby.Change;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/**
 * The program of the guide does what the guide promises: leaders are killed and frozen, and the sink has every item once.
 */
@Timeout(800)
class WarmStandbyTest {
    private static final Guide GUIDE = Guide.of("warm-standby.md");

    /** For what takes no time but on a busy machine: it finds what hangs, and measures nothing. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** How long a frozen leader is waited for that may hold the lock of the lease's file. */
    private static final Duration FROZEN = Duration.ofSeconds(40);

    private record Row(long position, long value, long total, String instance, long token) {}

    @TempDir
    private Path folder;

    private final Map<String, WarmStandbyProcess> alive = new LinkedHashMap<>();
    private final List<WarmStandbyProcess> all = new ArrayList<>();
    private final ScheduledExecutorService feeder = Executors.newSingleThreadScheduledExecutor();
    private long fed;

    @AfterEach
    void endAll() throws InterruptedException {
        all.forEach(WarmStandbyProcess::close);
        feeder.shutdownNow();
        assertThat(feeder.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
    }

    @Test
    void R066_theStandbyGoesOnWithoutGapOrRepeatAfterFreezesAndKills() throws Exception {
        Writer feed = Files.newBufferedWriter(folder.resolve("feed.txt"));
        feeder.scheduleAtFixedRate(() -> feed(feed), 0, 20, TimeUnit.MILLISECONDS);
        start("a");
        await("a first item", row -> true);
        start("b");
        start("c");
        becomes("all stand", () -> all.stream().allMatch(one -> one.said().contains(" stands; ")));

        Row frozen = freezeUntilAnotherLeads();
        await("an item of the next leader", row -> row.token() > frozen.token());
        WarmStandbyProcess woken = process(frozen);
        becomes("the woken one says that it leads no more", () -> woken.said().contains("no longer leads"));

        for (int kill = 1; kill <= 2; kill++) {
            Row led = last().orElseThrow();
            WarmStandbyProcess killed = process(led);
            killed.signal("KILL");
            alive.remove(led.instance());
            becomes("the end of " + led.instance(), () -> !killed.isAlive());
            await("an item after kill " + kill, row -> row.token() > led.token());
        }

        feeder.shutdown();
        assertThat(feeder.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        feed.close();
        await("the last item", row -> row.position() == fed);
        WarmStandbyProcess survivor = alive.values().iterator().next();
        survivor.signal("TERM");
        becomes("the end of the last", () -> !survivor.isAlive());
        assertThat(survivor.exitCode()).isEqualTo(128 + 15);
        assertThat(survivor.said()).contains("no longer leads");
        assertSinkIsWhole();
    }

    private void start(String instance) {
        WarmStandbyProcess process = WarmStandbyProcess.start(instance, folder);
        all.add(process);
        alive.put(instance, process);
    }

    /**
     * Off the test's thread, until the feeder ends.
     */
    private void feed(Writer feed) {
        try {
            feed.write(fed * 7 % 100 + "\n");
            feed.flush();
            fed++;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /**
     * One that is frozen while it writes to the lease's file keeps all others from leading, as the guide says: then it
     * goes on, and is frozen once more.
     *
     * @return an item of the term that it lost
     */
    private Row freezeUntilAnotherLeads() {
        for (int time = 1; time <= 5; time++) {
            Row led = last().orElseThrow();
            process(led).signal("STOP");
            boolean followed =
                    holds(FROZEN, () -> alive.values().stream().anyMatch(one -> one.hasLedAfter(led.token())));
            process(led).signal("CONT");
            if (followed) {
                return led;
            }
        }
        throw new AssertionError("nobody led while the leader was frozen\n" + all);
    }

    private WarmStandbyProcess process(Row led) {
        return Optional.ofNullable(alive.get(led.instance())).orElseThrow();
    }

    /**
     * Waits for a last item like this, of an instance that lives.
     */
    private void await(String what, Predicate<Row> condition) {
        becomes(
                what,
                () -> last().filter(row -> alive.containsKey(row.instance()))
                        .filter(condition)
                        .isPresent());
    }

    private void becomes(String what, BooleanSupplier condition) {
        if (!holds(PATIENCE, condition)) {
            throw new AssertionError("never: " + what + "; the sink's last item: " + last() + "\n" + all);
        }
    }

    private static boolean holds(Duration most, BooleanSupplier condition) {
        long until = System.nanoTime() + most.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - until > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        return true;
    }

    private Optional<Row> last() {
        List<Row> rows = rows("order by rowid desc limit 1");
        return rows.isEmpty() ? Optional.empty() : Optional.of(rows.get(0));
    }

    private List<Row> rows(String order) {
        List<Row> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(sink());
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery("select * from item " + order)) {
            while (found.next()) {
                rows.add(new Row(
                        found.getLong(1), found.getLong(2), found.getLong(3), found.getString(4), found.getLong(5)));
            }
            return rows;
        } catch (SQLException notYet) {
            return List.of();
        }
    }

    private String sink() {
        return "jdbc:sqlite:" + folder.resolve("sink.db") + "?busy_timeout=10000";
    }

    private void assertSinkIsWhole() {
        List<Row> rows = rows("order by rowid");
        assertThat(rows).hasSize(Math.toIntExact(fed));
        long total = 0;
        long token = 0;
        Map<Long, String> leaders = new HashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            total += i * 7L % 100;
            assertThat(row.position()).as("no gap, no repeat").isEqualTo(i + 1);
            assertThat(row.total()).isEqualTo(total);
            assertThat(row.token()).as("tokens never go back").isGreaterThanOrEqualTo(token);
            assertThat(leaders.computeIfAbsent(row.token(), term -> row.instance()))
                    .isEqualTo(row.instance());
            token = row.token();
        }
        assertThat(leaders).as("the first, after the freeze, after two kills").hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void aLowerTokenWritesNothingAndAGapIsRefused() throws SQLException {
        WarmStandby.Sink sink = new WarmStandby.Sink("jdbc:sqlite:" + folder.resolve("sink.db"));
        TreeMap<Long, Change> known = new TreeMap<>();
        known.put(1L, new Change(1, 5, 5));
        sink.append(known, "a", new FencingToken("totals", 101));
        known.put(2L, new Change(2, 6, 11));
        sink.append(known, "b", new FencingToken("totals", 102));
        known.put(3L, new Change(3, 7, 18));
        assertThatThrownBy(() -> sink.append(known, "a", new FencingToken("totals", 101)))
                .isInstanceOf(FencedOutException.class);
        assertThat(sink.last()).isEqualTo(new Change(2, 6, 11));
        known.remove(3L);
        known.put(4L, new Change(4, 1, 19));
        assertThatThrownBy(() -> sink.append(known, "b", new FencingToken("totals", 102)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("item 3 is not known");
        assertThat(rows("order by rowid")).containsExactly(new Row(1, 5, 5, "a", 101), new Row(2, 6, 11, "b", 102));
    }

    @Test
    void theGuideShowsTheProgramThatIsCompiledHere() {
        String compiled = Guide.read(
                Guide.ROOT.resolve("verification/src/test/java/dev/tenure/verification/documents/WarmStandby.java"));
        assertThat(GUIDE.blocks("java")).containsExactly(compiled.replaceFirst("^package [^;]*;\n\n", ""));
    }

    @Test
    void theGuidesPomHasTheVersionsOfThisBuild() throws Exception {
        Document pom = xml(GUIDE.blocks("xml").get(0));
        Document build = xml(Guide.read(Guide.ROOT.resolve("pom.xml")));
        Map<String, String> versions = new HashMap<>();
        NodeList dependencies = pom.getElementsByTagName("dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            Element dependency = (Element) dependencies.item(i);
            versions.put(text(dependency, "artifactId"), text(dependency, "version"));
        }
        assertThat(versions)
                .isEqualTo(Map.of(
                        "tenure-jdbc", text(build.getDocumentElement(), "revision"),
                        "sqlite-jdbc", text(build.getDocumentElement(), "sqlite-jdbc.version"),
                        "slf4j-simple", text(build.getDocumentElement(), "slf4j.version")));
        assertThat(text(pom.getDocumentElement(), "maven.compiler.release"))
                .isEqualTo(text(build.getDocumentElement(), "maven.compiler.release"));
    }

    private static String text(Element in, String name) {
        return in.getElementsByTagName(name).item(0).getTextContent();
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }
}
