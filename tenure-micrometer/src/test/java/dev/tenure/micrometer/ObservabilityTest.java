package dev.tenure.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The table of meters and the example alerts name what is there.
 */
class ObservabilityTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern ROW =
            Pattern.compile("^\\| `(tenure\\.[a-z.]+)` \\| (gauge|counter|timer) \\| ([^|]*) \\|");
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern SERIES = Pattern.compile("(tenure_\\w+)(?:\\{([^}]*)})?");
    private static final Pattern MATCHER = Pattern.compile("(\\w+)(=~|!=|=)\"([^\"]*)\"");
    private static final Pattern NAMED = Pattern.compile("`(Tenure[A-Z]\\w+)`");
    private static final Pattern ALERT = Pattern.compile("- alert: (\\w+)");

    @Test
    void R076_R112_B45_theTableIsWhatIsRegistered() throws IOException {
        MeterRegistry registry = new SimpleMeterRegistry();
        measure(registry);
        Map<String, String> registered = new TreeMap<>();
        for (Meter meter : registry.getMeters()) {
            Set<String> keys = meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet());
            String shape =
                    meter.getId().getType().name().toLowerCase(java.util.Locale.ROOT) + " " + new TreeSet<>(keys);
            assertThat(registered.getOrDefault(meter.getId().getName(), shape)).isEqualTo(shape);
            registered.put(meter.getId().getName(), shape);
        }
        Map<String, String> documented = new TreeMap<>();
        for (String line : Files.readAllLines(DOCS.resolve("observability.md"))) {
            Matcher row = ROW.matcher(line);
            if (row.find()) {
                Set<String> keys = new TreeSet<>();
                QUOTED.matcher(row.group(3)).results().forEach(key -> keys.add(key.group(1)));
                documented.put(row.group(1), row.group(2) + " " + keys);
            }
        }
        assertThat(documented).isEqualTo(registered);
        assertThat(constants("tenure.")).isEqualTo(registered.keySet());
    }

    @Test
    void everyValueOfTheTagsIsInTheTable() throws IOException {
        MeterRegistry registry = new SimpleMeterRegistry();
        measure(registry);
        String text = Files.readString(DOCS.resolve("observability.md"));
        for (Meter meter : registry.getMeters()) {
            for (Tag tag : meter.getId().getTags()) {
                if (!Set.of("role", "task", "channel").contains(tag.getKey())) {
                    assertThat(text).contains("`" + tag.getValue() + "`");
                }
            }
        }
    }

    @Test
    void everySeriesOfTheAlertsIsInAScrape() throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        measure(registry);
        String scrape = registry.scrape();
        String rules = expressions(Files.readString(DOCS.resolve("alerts.yml")));
        int found = 0;
        Matcher series = SERIES.matcher(rules);
        while (series.find()) {
            found++;
            String name = series.group(1);
            Set<Map<String, String>> labels = labels(scrape, name);
            assertThat(labels).as(name).isNotEmpty();
            if (series.group(2) != null) {
                MATCHER.matcher(series.group(2)).results().forEach(match -> {
                    for (String value : match.group(3).split("\\|", -1)) {
                        assertThat(labels)
                                .as(name + " with " + match.group(1) + " " + value)
                                .anyMatch(each -> value.equals(each.get(match.group(1))));
                    }
                });
            }
        }
        assertThat(found).isGreaterThan(15);
    }

    @Test
    void everyAlertIsInTheTableOfFailures() throws IOException {
        Set<String> alerts = new TreeSet<>();
        ALERT.matcher(Files.readString(DOCS.resolve("alerts.yml")))
                .results()
                .forEach(each -> alerts.add(each.group(1)));
        Set<String> documented = new TreeSet<>();
        NAMED.matcher(Files.readString(DOCS.resolve("observability.md")))
                .results()
                .forEach(each -> documented.add(each.group(1)));
        documented.removeAll(Set.of("TenureMeters", "TenureSpans"));
        assertThat(documented).isEqualTo(alerts).hasSizeGreaterThan(10);
    }

    @Test
    void aScrapeShowsTheTokenExactly() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        long token = measure(registry);
        String line = registry.scrape()
                .lines()
                .filter(each -> each.startsWith("tenure_fencing_token{"))
                .findFirst()
                .orElseThrow();
        assertThat((long)
                        Double.parseDouble(line.substring(line.indexOf('}') + 1).strip()))
                .isEqualTo(token);
    }

    /**
     * An election with a channel and a task, which runs on when this returns.
     *
     * @return its token
     */
    private static long measure(MeterRegistry registry) {
        TenureMeters meters = new TenureMeters(registry);
        VirtualWorld world = VirtualWorld.create();
        VirtualTenure a = world.processWith("a", setup -> setup.monitor(meters));
        LeaderElector elector = a.stand("billing");
        LeaderChannel.<Integer>builder("changes", elector).build();
        world.advance(Duration.ofSeconds(10));
        meters.scheduleRun("billing", "sweep", Instant.EPOCH, SlotOutcome.RAN, Duration.ofSeconds(1));
        long token = elector.lease().orElseThrow().fencingToken().value();
        a.crash(); // so that nothing is removed
        world.close();
        return token;
    }

    private static Set<String> constants(String prefix) {
        Set<String> all = new TreeSet<>();
        for (Field field : TenureMeters.class.getFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && value(field) instanceof String name
                    && name.startsWith(prefix)) {
                all.add(name);
            }
        }
        return all;
    }

    private static Object value(Field field) {
        try {
            return field.get(null);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /**
     * Without comments and texts for people.
     */
    private static String expressions(String rules) {
        return rules.lines()
                .filter(line -> !line.strip().startsWith("#")
                        && !line.strip().startsWith("summary:")
                        && !line.strip().startsWith("description:"))
                .collect(Collectors.joining("\n"));
    }

    private static Set<Map<String, String>> labels(String scrape, String name) {
        return scrape.lines()
                .filter(line -> line.startsWith(name + "{"))
                .map(line -> {
                    Map<String, String> labels = new TreeMap<>();
                    MATCHER.matcher(line).results().forEach(label -> labels.put(label.group(1), label.group(3)));
                    return labels;
                })
                .collect(Collectors.toSet());
    }
}
