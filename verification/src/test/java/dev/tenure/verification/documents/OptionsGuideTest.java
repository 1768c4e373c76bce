package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tenure.ElectionOptions;
import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.LeaderElector;
import dev.tenure.LeaseStores;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The guide to options says what is so: its table has every option, and its numbers and messages are the real ones.
 */
class OptionsGuideTest {
    private static final Guide GUIDE = Guide.of("options.md");

    /**
     * Getters of what is set together with another option.
     */
    private static final Map<String, String> SET_WITH = Map.of(
            "firstWorkBackoff", "workBackoff",
            "longestWorkBackoff", "workBackoff",
            "healthGrace", "healthCheck");

    private static final Duration TENTH = Duration.ofMillis(100);

    @TempDir
    private Path folder;

    private static Map<String, List<String>> options() {
        return GUIDE.section("Every option").rows().stream()
                .collect(Collectors.toMap(row -> row.get(0).replace("`", ""), row -> row));
    }

    @Test
    void everyOptionIsInTheTable() {
        assertThat(options().keySet())
                .isEqualTo(getters().stream()
                        .map(getter -> SET_WITH.getOrDefault(getter.getName(), getter.getName()))
                        .collect(Collectors.toSet()));
        assertThat(options().keySet())
                .isEqualTo(Arrays.stream(ElectionOptions.Builder.class.getMethods())
                        .filter(method -> method.getReturnType() == ElectionOptions.Builder.class)
                        .map(Method::getName)
                        .collect(Collectors.toSet()));
    }

    private static Set<Method> getters() {
        return Arrays.stream(ElectionOptions.class.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers())
                        && !Modifier.isStatic(method.getModifiers())
                        && method.getParameterCount() == 0
                        && !Set.of("toBuilder", "toString", "explain").contains(method.getName()))
                .collect(Collectors.toSet());
    }

    @Test
    void defaultsAreTheRealOnes() throws ReflectiveOperationException {
        ElectionOptions defaults = ElectionOptions.defaults();
        Map<String, List<String>> table = options();
        for (Method getter : getters()) {
            if (!SET_WITH.containsKey(getter.getName())) {
                assertThat(table.get(getter.getName()).get(2))
                        .as(getter.getName())
                        .isEqualTo(shown(getter.invoke(defaults)));
            }
        }
        assertThat(table.get("workBackoff").get(2))
                .isEqualTo(shown(defaults.firstWorkBackoff()) + " to " + shown(defaults.longestWorkBackoff()));
    }

    private static String shown(Object value) {
        if (value instanceof Duration span) {
            return seconds(span, RoundingMode.UNNECESSARY);
        }
        if (value instanceof Optional<?> none) {
            assertThat(none).isEmpty();
            return "none";
        }
        return value instanceof Enum<?> ? "`" + value + "`" : value.toString();
    }

    @Test
    void formulasAreTheRealOnes() {
        for (int lease : new int[] {1, 3, 15, 16, 60, 3_600}) {
            ElectionOptions o =
                    ElectionOptions.builder().lease(Duration.ofSeconds(lease)).build();
            Duration margin = o.lease().dividedBy(10);
            Duration renew =
                    least(o.lease().dividedBy(3), o.lease().minus(margin).dividedBy(2));
            Duration call = least(
                    renew.multipliedBy(4).dividedBy(5),
                    o.lease().minus(margin).minus(renew).dividedBy(2));
            Duration retry = least(o.lease().multipliedBy(2).dividedBy(15), Duration.ofSeconds(2));
            assertThat(o.safetyMargin()).isEqualTo(margin);
            assertThat(o.renewInterval()).isEqualTo(renew);
            assertThat(o.callTimeout()).isEqualTo(call);
            assertThat(o.retryInterval()).isEqualTo(retry);
            assertThat(o.retryJitter()).isEqualTo(retry.dividedBy(2));
        }
        ElectionOptions drained =
                ElectionOptions.builder().drainTimeout(Duration.ofSeconds(20)).build();
        assertThat(drained.interruptAfter()).isEqualTo(Duration.ofSeconds(16));
        ElectionOptions wide = ElectionOptions.builder()
                .lease(Duration.ofSeconds(10))
                .safetyMargin(Duration.ofSeconds(5))
                .build();
        assertThat(wide.renewInterval()).isEqualTo(Duration.ofMillis(2_500));
        assertThat(wide.callTimeout()).isEqualTo(Duration.ofMillis(1_250));
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    @Test
    void R107_theNumbersToChooseFromAreTheRealOnes() {
        List<List<String>> rows = GUIDE.section("From what you need").rows();
        assertThat(rows).hasSizeGreaterThan(5);
        StoreTraits sqlite = traits("jdbc:sqlite:" + folder.resolve("lease.db"));
        StoreTraits postgres = traits("jdbc:postgresql://db/app");
        StoreTraits redis = traits("redis://localhost");
        StoreTraits consul = traits("consul://localhost");
        for (List<String> row : rows) {
            ElectionOptions o = optionsOf(row);
            assertThat(sqlite.worstCaseTakeover(o)).isEqualTo(postgres.worstCaseTakeover(o));
            assertThat(row.subList(2, 8))
                    .as("lease " + row.get(0))
                    .containsExactly(
                            seconds(o.renewInterval(), RoundingMode.HALF_UP),
                            seconds(o.callTimeout(), RoundingMode.HALF_UP),
                            seconds(o.lease().minus(o.safetyMargin()), RoundingMode.UNNECESSARY),
                            takeover(o, sqlite),
                            takeover(o, redis),
                            takeover(o, consul));
        }
    }

    private static String takeover(ElectionOptions o, StoreTraits store) {
        boolean refused = !o.toBuilder().validate("billing", store).isEmpty();
        return refused ? "refused" : seconds(store.worstCaseTakeover(o), RoundingMode.CEILING);
    }

    private static StoreTraits traits(String url) {
        LeaseStore store = LeaseStores.open(url); // asks nobody
        try {
            return store.traits();
        } finally {
            store.close();
        }
    }

    @Test
    void aSilenceOfTheStatedLengthCostsNoTermAndALongerOneDoes() {
        for (List<String> row : GUIDE.section("From what you need").rows()) {
            ElectionOptions o = optionsOf(row);
            for (boolean hangs : new boolean[] {true, false}) {
                Duration most = span(row.get(hangs ? 8 : 9));
                Duration before = o.renewInterval().minusMillis(1);
                for (int step = 0; step <= 10; step++) {
                    Duration begin = before.multipliedBy(step).dividedBy(10);
                    assertThat(outlasts(o, hangs, begin, most))
                            .as("%s, hangs=%s, %s after %s", row.get(0), hangs, most, begin)
                            .isTrue();
                }
                assertThat(outlasts(o, hangs, before, most.plus(TENTH).plus(TENTH)))
                        .as("%s, hangs=%s, longer than %s", row.get(0), hangs, most)
                        .isFalse();
            }
        }
    }

    /**
     * Whether a leader keeps its term through a silence that begins so long after a confirmed renewal.
     */
    private static boolean outlasts(ElectionOptions o, boolean hangs, Duration begin, Duration length) {
        try (VirtualWorld world = VirtualWorld.create()) {
            VirtualTenure process = world.process(
                    "a",
                    options -> options.lease(o.lease())
                            .renewInterval(o.renewInterval())
                            .callTimeout(o.callTimeout()));
            LeaderElector elector = process.stand("billing");
            world.settle();
            assertThat(elector.isLeader()).isTrue();
            world.advance(begin);
            if (hangs) {
                world.store().cut("a");
            } else {
                world.store().down();
            }
            world.advance(length);
            world.store().heal();
            world.advance(o.lease().multipliedBy(3));
            assertThat(elector.isLeader()).isTrue();
            return elector.term() == 1;
        }
    }

    /**
     * The lease and what the second cell sets.
     */
    private static ElectionOptions optionsOf(List<String> row) {
        ElectionOptions.Builder options = ElectionOptions.builder().lease(span(row.get(0)));
        for (String set : row.get(1).split(", ", -1)) {
            if (set.startsWith("renewInterval ")) {
                options.renewInterval(span(set.replace("renewInterval ", "")));
            } else if (set.startsWith("callTimeout ")) {
                options.callTimeout(span(set.replace("callTimeout ", "")));
            } else {
                assertThat(set).isEmpty();
            }
        }
        return options.build();
    }

    private static Duration span(String seconds) {
        assertThat(seconds).endsWith(" s");
        return Duration.ofMillis(
                new BigDecimal(seconds.replace(" s", "")).movePointRight(3).longValueExact());
    }

    /**
     * Tenths of a second, of what is first rounded to milliseconds.
     */
    private static String seconds(Duration span, RoundingMode rounding) {
        return BigDecimal.valueOf(span.toNanos(), 9)
                        .setScale(3, RoundingMode.HALF_UP)
                        .setScale(1, rounding)
                        .toString()
                        .replaceFirst("\\.0$", "")
                + " s";
    }

    @Test
    void theMessagesAreTheRealOnesAndEveryOptionThatCanBeWrongIsNamed() {
        List<String> shown = GUIDE.section("What a refusal says").blocks("text");
        List<ThrowingCallable> examples = List.of(
                OptionsExamples::impossibleByThemselves,
                OptionsExamples::contradictions,
                OptionsExamples::notOnThisStore);
        assertThat(shown).hasSameSizeAs(examples);
        for (int i = 0; i < shown.size(); i++) {
            InvalidOptionsException refused = catchThrowableOfType(InvalidOptionsException.class, examples.get(i));
            assertThat(refused).as("example " + i).isNotNull();
            assertThat(refused.getMessage()).isEqualTo(shown.get(i).strip().replace('\n', ' '));
        }
        Set<String> named =
                catchThrowableOfType(InvalidOptionsException.class, OptionsExamples::impossibleByThemselves)
                        .violations()
                        .stream()
                        .map(Violation::option)
                        .map(option -> SET_WITH.getOrDefault(option, option))
                        .collect(Collectors.toCollection(TreeSet::new));
        named.add("whenUncoordinated"); // has no wrong value
        named.add("acceptTokenRegression");
        assertThat(named).isEqualTo(options().keySet());
    }
}
