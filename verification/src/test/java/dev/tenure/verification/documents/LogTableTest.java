package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.log.LogEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The table of log events names what is there, and no line is logged beside it.
 */
class LogTableTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern ROW =
            Pattern.compile("^\\| `(\\w+)` \\| (DEBUG|INFO|WARN|ERROR)[^|]* \\| ([^|]*) \\| ([^|]*) \\| ([^|]+) \\|$");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern WORDS = Pattern.compile("\\{\\w+}");

    /** Has loggers of its own. */
    private static final Set<String> OTHERS = Set.of("tenure-cli");

    /** Calls that write without an event. */
    private static final Pattern PLAIN =
            Pattern.compile("\\bLOG\\s*\\.\\s*(trace|debug|info|warn|error|log|at\\w+|makeLoggingEventBuilder)\\s*\\(");

    private static final List<String> ENUMS = List.of(
            "dev.tenure.log.CoreEvent",
            "dev.tenure.redis.RedisEvent",
            "dev.tenure.consul.ConsulEvent",
            "dev.tenure.jdbc.JdbcEvent",
            "dev.tenure.spring.SpringEvent");

    @Test
    void B46_theTableOfLogEventsIsWhatIsLogged() throws Exception {
        Map<String, String> events = new TreeMap<>();
        for (LogEvent event : events()) {
            String shape = event.level() + " " + event.keys();
            assertThat(events.getOrDefault(event.id(), shape)).as(event.id()).isEqualTo(shape);
            events.put(event.id(), shape);
            assertThat(keysOf(event)).as(event.id()).isSubsetOf(event.keys());
        }
        Map<String, String> documented = new TreeMap<>();
        for (Matcher row : rows()) {
            assertThat(documented.put(row.group(1), row.group(2) + " " + quoted(row.group(3))))
                    .as(row.group(1))
                    .isNull();
        }
        assertThat(documented).isEqualTo(events).hasSizeGreaterThan(50);
    }

    @Test
    void B46_theTableShowsTheWordsThatAreLogged() throws Exception {
        for (Matcher row : rows()) {
            Set<String> words = new TreeSet<>(quoted(row.group(4)));
            Set<String> logged = new TreeSet<>();
            for (LogEvent event : events()) {
                if (event.id().equals(row.group(1))) {
                    String text = WORDS.matcher(event.text()).replaceAll("…");
                    logged.add(
                            words.stream().filter(text::startsWith).findFirst().orElse(text));
                }
            }
            assertThat(words).as(row.group(1)).isEqualTo(logged).isNotEmpty();
        }
    }

    /** Each place where events are declared is one that this test knows. */
    @Test
    void B46_noOtherTypeDeclaresEvents() throws IOException {
        Set<String> declared = new TreeSet<>();
        for (Path source : sources()) {
            if (Files.readString(source).contains("implements LogEvent")) {
                declared.add(source.getFileName().toString());
            }
        }
        assertThat(declared)
                .containsExactlyInAnyOrderElementsOf(ENUMS.stream()
                        .map(name -> name.substring(name.lastIndexOf('.') + 1) + ".java")
                        .toList());
    }

    @Test
    void B46_nothingIsLoggedWithoutAnEvent() throws IOException {
        int loggers = 0;
        for (Path source : sources()) {
            String text = Files.readString(source);
            if (text.contains("LoggerFactory.getLogger(")) {
                loggers++;
                assertThat(text).as(source.toString()).contains("Logger LOG = ");
                assertThat(PLAIN.matcher(text).results().map(call -> call.group()))
                        .as(source.toString())
                        .isEmpty();
            }
        }
        assertThat(loggers).isGreaterThan(15);
    }

    private static List<LogEvent> events() throws ClassNotFoundException {
        Stream.Builder<LogEvent> all = Stream.builder();
        for (String name : ENUMS) {
            Arrays.stream(Class.forName(name).getEnumConstants())
                    .map(LogEvent.class::cast)
                    .forEach(all);
        }
        return all.build().toList();
    }

    /**
     * Those that the sentence has.
     */
    private static List<String> keysOf(LogEvent event) {
        return WORDS.matcher(event.text())
                .results()
                .map(key -> key.group().substring(1, key.group().length() - 1))
                .toList();
    }

    private static List<Matcher> rows() throws IOException {
        String text = Files.readString(ROOT.resolve("docs/observability.md"));
        String section = text.substring(text.indexOf("\n## Logs"));
        List<Matcher> rows = section.substring(0, section.indexOf("\n## ", 1))
                .lines()
                .map(ROW::matcher)
                .filter(Matcher::find)
                .toList();
        assertThat(rows).isNotEmpty();
        return rows;
    }

    private static List<String> quoted(String cell) {
        return QUOTED.matcher(cell).results().map(each -> each.group(1)).toList();
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> modules = Files.list(ROOT)) {
            Stream.Builder<Path> all = Stream.builder();
            for (Path module : modules.sorted().toList()) {
                Path main = module.resolve("src/main/java");
                if (module.getFileName().toString().startsWith("tenure-")
                        && !OTHERS.contains(module.getFileName().toString())
                        && Files.isDirectory(main)) {
                    try (Stream<Path> files = Files.walk(main)) {
                        files.filter(file -> file.toString().endsWith(".java")).forEach(all);
                    }
                }
            }
            return all.build().toList();
        }
    }
}
