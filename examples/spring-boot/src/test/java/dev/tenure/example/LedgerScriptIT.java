package dev.tenure.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.jdbc.JdbcFence;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Three instances in processes of their own, whose leaders are killed, frozen and stopped by {@code ./run}, and looked at
 * between its steps.
 */
@Timeout(1800)
class LedgerScriptIT {
    private static final Path DOCUMENTS = Path.of("../../docs");

    private RunningScript script;
    private List<Instance> instances;

    @Test
    void R009_R011_R076_oneLeadsAndAnotherGoesOnWhateverHappensToIt() throws Exception {
        try (RunningScript running = RunningScript.start()) {
            script = running;
            script.comesTo("kill the leader");
            instances = new ArrayList<>(script.allLines("instance (\\d): (http://\\S+) \\(process (\\d+)\\)").stream()
                    .map(found -> new Instance(
                            Integer.parseInt(found.group(1)),
                            URI.create(found.group(2)),
                            Long.parseLong(found.group(3))))
                    .toList());
            assertThat(instances).hasSize(3);
            List<Instance> all = List.copyOf(instances);
            String database = script.line("database: (jdbc:\\S+)").group(1);
            allAgree();
            everyMeterIsScraped();
            theGuideShowsWhatTheEndpointSays();
            long first = token();

            script.goesOn();
            script.comesTo("freeze the leader");
            instances.removeIf(killed -> !isAlive(killed));
            assertThat(instances).hasSize(2);
            allAgree();
            long second = token();
            assertThat(second).isGreaterThan(first);

            script.goesOn();
            script.comesTo("stop the leader");
            MatchResult refusal =
                    script.line("instance (\\d) wakes .*: refused by the fence: token (\\d+), highest (\\d+)");
            assertThat(refusal.group(2)).isEqualTo(Long.toString(second));
            long third = Long.parseLong(refusal.group(3));
            assertThat(third).isGreaterThan(second);
            theWokenOneSaysThatItLost(Integer.parseInt(refusal.group(1)));
            allAgree();
            assertThatThrownBy(() -> write(database, second)).isInstanceOf(FencedOutException.class);
            String released = released(database);

            script.goesOn();
            script.comesTo("count the entries");
            assertThat(script.line("instance \\d has ended: (\\d+)").group(1)).isEqualTo("143");
            assertThat(released(database))
                    .as("the lease was given back, not left to run out")
                    .isNotEqualTo(released);
            instances.removeIf(stopped -> !isAlive(stopped));
            assertThat(instances).hasSize(1);
            allAgree();
            assertThat(token()).isGreaterThan(third);
            everyEntryIsThereOnce(database);

            script.goesOn();
            assertThat(script.exitCode()).as(script::said).isZero();
            assertThat(all).noneMatch(LedgerScriptIT::isAlive);
        }
    }

    private void allAgree() {
        script.becomes(
                "one leads, all are healthy and say the same",
                () -> instances.stream().filter(Instance::leads).count() == 1
                        && instances.stream().allMatch(Instance::isUp)
                        && instances.stream()
                                        .map(Instance::leaderLine)
                                        .distinct()
                                        .count()
                                == 1
                        && instances.stream()
                                        .map(one -> one.json("/actuator/info")
                                                .at("/leadership/ledger/leader")
                                                .asString(""))
                                        .distinct()
                                        .count()
                                == 1
                        && instances.stream()
                                        .mapToDouble(one -> one.meter("tenure_leader"))
                                        .sum()
                                == 1);
        assertThat(instances.get(0).leaderLine()).contains("instance-" + leader().number());
    }

    private Instance leader() {
        return instances.stream().filter(Instance::leads).findFirst().orElseThrow();
    }

    private long token() {
        return leader().role().path("token").asLong(0);
    }

    private void everyMeterIsScraped() throws IOException {
        List<String> scraped = leader().meters();
        List<String> expected = Files.readString(DOCUMENTS.resolve("observability.md"))
                .lines()
                .filter(line -> line.startsWith("| `tenure.") && line.contains("`role`"))
                .map(line -> line.split("`")[1] + "|" + line.split("\\|")[2].strip())
                .filter(meter -> !meter.startsWith("tenure.channel."))
                .map(LedgerScriptIT::scrapedName)
                .toList();
        assertThat(expected).hasSizeGreaterThan(8);
        assertThat(scraped).containsAll(expected);
        List<String> alerted = Pattern.compile("\\btenure_\\w+")
                .matcher(Files.readString(DOCUMENTS.resolve("alerts.yml")))
                .results()
                .map(MatchResult::group)
                .filter(name -> !name.startsWith("tenure_channel_"))
                .distinct()
                .toList();
        assertThat(alerted).isNotEmpty();
        assertThat(scraped).containsAll(alerted);
        assertThat(leader().meter("tenure_transitions_total", "type=\"elected\""))
                .isEqualTo(1);
        assertThat(leader().meter("tenure_fencing_token")).isPositive();
        assertThat(leader().meter("tenure_schedule_runs_total", "outcome=\"ran\""))
                .isPositive();
    }

    private void theGuideShowsWhatTheEndpointSays() throws IOException {
        String guide = Files.readString(DOCUMENTS.resolve("guides/spring-boot.md"));
        Set<String> shown = Pattern.compile("```json\n(.*?)```", Pattern.DOTALL)
                .matcher(guide)
                .results()
                .limit(1)
                .map(block -> JsonMapper.shared().readTree(block.group(1)))
                .flatMap(all -> names("", all))
                .collect(Collectors.toSet());
        assertThat(shown)
                .isEqualTo(names("", leader().json("/actuator/leadership")).collect(Collectors.toSet()));
    }

    private static Stream<String> names(String path, JsonNode in) {
        return in.propertyStream()
                .filter(member -> !path.endsWith("/LedgerJob.append")) // how runs came out
                .flatMap(member -> Stream.concat(
                        Stream.of(path + "/" + member.getKey()),
                        names(path + "/" + member.getKey(), member.getValue())));
    }

    /** As Prometheus has it: a meter's name and kind. */
    private static String scrapedName(String meter) {
        String name = meter.substring(0, meter.indexOf('|')).replace('.', '_');
        return switch (meter.substring(meter.indexOf('|') + 1)) {
            case "counter" -> name + "_total";
            case "timer" -> name + "_seconds_count";
            default -> name;
        };
    }

    private void theWokenOneSaysThatItLost(int number) {
        Instance woken = instances.stream()
                .filter(one -> one.number() == number)
                .findFirst()
                .orElseThrow();
        script.becomes(
                "the woken one follows",
                () -> woken.role().path("status").asString("").equals("FOLLOWING"));
        assertThat(woken.role().at("/lastLoss/reason").asString(""))
                .isIn("DEADLINE_EXCEEDED", "TAKEN_OVER", "SESSION_EXPIRED");
        script.becomes("a lost term is counted", () -> woken.meter("tenure_transitions_total", "type=\"lost\"") == 1);
    }

    private static boolean isAlive(Instance instance) {
        return ProcessHandle.of(instance.process())
                .filter(ProcessHandle::isAlive)
                .isPresent();
    }

    private static void write(String database, long token) throws SQLException {
        try (Connection transaction = DriverManager.getConnection(database)) {
            transaction.setAutoCommit(false);
            JdbcFence.guardTable().check(transaction, new FencingToken("ledger", token));
        }
    }

    private static String released(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select released from tenure_lease")) {
            assertThat(row.next()).isTrue();
            return String.valueOf(row.getString(1));
        }
    }

    private static void everyEntryIsThereOnce(String database) throws SQLException {
        try (Connection connection = DriverManager.getConnection(database);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select number, token, instance from entry order by id")) {
            long number = 0;
            long token = 0;
            Map<Long, String> leaders = new HashMap<>();
            while (row.next()) {
                number++;
                assertThat(row.getLong(1)).as("no gap, no repeat").isEqualTo(number);
                assertThat(row.getLong(2)).as("tokens never fall").isGreaterThanOrEqualTo(token);
                token = row.getLong(2);
                assertThat(leaders.putIfAbsent(token, row.getString(3))).isIn(null, row.getString(3));
            }
            assertThat(leaders)
                    .as("the first, after the kill, the freeze and the stop")
                    .hasSizeGreaterThanOrEqualTo(4);
        }
    }
}
