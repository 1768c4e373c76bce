package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tenure.ElectionOptions;
import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import dev.tenure.memory.MemoryLeaseStore;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Section N: what is refused, where, and with which words.
 */
class OptionsTest extends EngineTest {

    private static Arguments invalid(Consumer<ElectionOptions.Builder> change, String... words) {
        return Arguments.of(change, List.of(words));
    }

    static Stream<Arguments> invalidCombinations() {
        return Stream.of(
                invalid(o -> o.lease(Duration.ZERO), "lease must be above zero: lease=0s"),
                invalid(o -> o.lease(seconds(-1)), "lease must be above zero", "lease=-1s"),
                invalid(o -> o.renewInterval(Duration.ZERO), "renewInterval must be above zero: renewInterval=0s"),
                invalid(o -> o.renewInterval(seconds(-3)), "renewInterval must be above zero"),
                invalid(o -> o.renewInterval(seconds(15)), "renewInterval=15s", "lease=15s"),
                invalid(o -> o.renewInterval(seconds(20)), "renewInterval=20s", "lease=15s"),
                invalid(
                        o -> o.renewInterval(seconds(6.751)),
                        "renewInterval must be at most (lease - safetyMargin) / 2 = 6.75s, lease=15s:"
                                + " renewInterval=6.751s"),
                invalid(
                        o -> o.lease(seconds(10)).safetyMargin(Duration.ZERO).renewInterval(seconds(5.001)),
                        "renewInterval=5.001s",
                        "5s"),
                invalid(o -> o.safetyMargin(seconds(-1)), "safetyMargin must be zero or more: safetyMargin=-1s"),
                invalid(o -> o.safetyMargin(seconds(15)), "safetyMargin must be below lease=15s: safetyMargin=15s"),
                invalid(o -> o.safetyMargin(seconds(16)), "safetyMargin=16s", "lease=15s"),
                invalid(o -> o.callTimeout(Duration.ZERO), "callTimeout must be above zero"),
                invalid(o -> o.callTimeout(seconds(-1)), "callTimeout must be above zero"),
                invalid(
                        o -> o.callTimeout(seconds(4.251)),
                        "callTimeout must be at most (lease - safetyMargin - renewInterval) / 2 = 4.25s, lease=15s:"
                                + " callTimeout=4.251s"),
                invalid(o -> o.retryInterval(Duration.ZERO), "retryInterval must be above zero"),
                invalid(o -> o.retryInterval(seconds(-2)), "retryInterval must be above zero"),
                invalid(o -> o.retryJitter(seconds(-1)), "retryJitter must be zero or more"),
                invalid(o -> o.drainTimeout(seconds(-1)), "drainTimeout must be zero or more"),
                invalid(o -> o.interruptAfter(seconds(-1)), "interruptAfter must be zero or more"),
                invalid(o -> o.interruptAfter(seconds(11)), "interruptAfter must be at most drainTimeout=10s"),
                invalid(o -> o.startDelay(seconds(-1)), "startDelay must be zero or more"),
                invalid(o -> o.workBackoff(Duration.ZERO, seconds(1)), "workBackoff must be above zero"),
                invalid(o -> o.workBackoff(seconds(2), seconds(1)), "workBackoff must be at least its first=2s"),
                invalid(o -> o.healthCheck(() -> true, Duration.ZERO), "healthGrace must be above zero"),
                invalid(o -> o.keyFormat("leader"), "keyFormat must be a text with {role} in it: keyFormat=leader"),
                invalid(o -> o.keyFormat("leader:{Role}"), "keyFormat=leader:{Role}"));
    }

    @ParameterizedTest
    @MethodSource("invalidCombinations")
    void K157_invalidCombinationIsRefusedWithNameValueAndBound(
            Consumer<ElectionOptions.Builder> change, List<String> words) {
        ElectionOptions.Builder builder = ElectionOptions.builder();
        change.accept(builder);
        InvalidOptionsException refused = catchThrowableOfType(InvalidOptionsException.class, builder::build);
        assertThat(refused).hasMessageContainingAll(words.toArray(new String[0]));
        assertThat(refused).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> world.process("a").tenure().with(change)).isInstanceOf(InvalidOptionsException.class);
        assertThatThrownBy(() ->
                        Tenure.builder(new MemoryLeaseStore()).defaults(change).build())
                .isInstanceOf(InvalidOptionsException.class);
    }

    @Test
    void R057_renewIntervalOfExactlyHalfIsAccepted() {
        ElectionOptions half = ElectionOptions.builder()
                .lease(seconds(10))
                .safetyMargin(Duration.ZERO)
                .renewInterval(seconds(5))
                .build();
        assertThat(half.callTimeout()).isEqualTo(seconds(2.5));
    }

    @Test
    void B31_allViolationsComeAtOnce() {
        List<Violation> all = ElectionOptions.builder()
                .renewInterval(seconds(9))
                .retryInterval(Duration.ZERO)
                .retryJitter(seconds(-1))
                .keyFormat("x")
                .validate();
        assertThat(all.stream().map(Violation::option))
                .containsExactly("renewInterval", "retryInterval", "retryJitter", "keyFormat");
    }

    private static List<String> optionsOf(List<Violation> violations) {
        return violations.stream().map(Violation::option).toList();
    }

    @Test
    void B31_everyOptionBrokenAtOnceIsNamed() {
        Consumer<ElectionOptions.Builder> broken = o -> o.lease(seconds(-1))
                .safetyMargin(seconds(-2))
                .renewInterval(seconds(-3))
                .callTimeout(Duration.ZERO)
                .retryInterval(seconds(-4))
                .retryJitter(seconds(-5))
                .drainTimeout(seconds(-6))
                .interruptAfter(seconds(-7))
                .startDelay(seconds(-8))
                .workBackoff(seconds(-9), seconds(-10))
                .healthCheck(() -> true, seconds(-11))
                .keyFormat("no role")
                .key("");
        ElectionOptions.Builder builder = ElectionOptions.builder();
        broken.accept(builder);
        String[] all = {
            "lease",
            "safetyMargin",
            "renewInterval",
            "callTimeout",
            "retryInterval",
            "retryJitter",
            "drainTimeout",
            "interruptAfter",
            "startDelay",
            "workBackoff",
            "workBackoff",
            "healthGrace",
            "keyFormat",
            "keyFormat",
            "key"
        };
        InvalidOptionsException refused = catchThrowableOfType(InvalidOptionsException.class, builder::build);
        assertThat(optionsOf(refused.violations())).containsExactly(all);
        assertThat(refused.getMessage().split("; ")).hasSize(all.length);
        assertThat(refused)
                .hasMessageContainingAll("lease=-1s", "safetyMargin=-2s", "renewInterval=-3s", "callTimeout=0s")
                .hasMessageContainingAll("retryInterval=-4s", "retryJitter=-5s", "drainTimeout=-6s")
                .hasMessageContainingAll("interruptAfter=-7s", "startDelay=-8s", "workBackoff=-9s", "workBackoff=-10s")
                .hasMessageContainingAll("healthGrace=-11s", "keyFormat=no\\u0020role", "key must be");
        VirtualTenure a = process("a");
        assertThatThrownBy(() -> a.tenure().with(broken)).hasMessage(refused.getMessage());
        assertThatThrownBy(() -> Tenure.builder(new MemoryLeaseStore())
                        .instance(" ")
                        .metadata("k", "v".repeat(4096))
                        .defaults(broken)
                        .build())
                .hasMessageStartingWith(refused.getMessage())
                .hasMessageContainingAll("instance must be", "metadata must be");
    }

    /**
     * What is wrong whatever another option should be.
     */
    @Test
    void B31_violationsHideNoIndependentOnes() {
        assertThat(optionsOf(ElectionOptions.builder()
                        .lease(Duration.ZERO)
                        .retryInterval(Duration.ZERO)
                        .keyFormat("x")
                        .validate("a b", store().direct().traits())))
                .containsExactly("lease", "retryInterval", "keyFormat", "role");
        assertThat(optionsOf(ElectionOptions.builder()
                        .safetyMargin(seconds(15))
                        .renewInterval(seconds(8))
                        .callTimeout(seconds(8))
                        .validate()))
                .containsExactly("safetyMargin", "renewInterval", "callTimeout");
        assertThat(ElectionOptions.builder()
                        .safetyMargin(seconds(-1))
                        .renewInterval(seconds(8))
                        .validate()
                        .get(1))
                .hasToString("renewInterval must be at most lease / 2 = 7.5s, lease=15s: renewInterval=8s");
        assertThat(ElectionOptions.builder()
                        .renewInterval(seconds(20))
                        .callTimeout(seconds(7))
                        .validate()
                        .get(1))
                .hasToString("callTimeout must be at most (lease - safetyMargin) / 2 = 6.75s, lease=15s:"
                        + " callTimeout=7s");
        assertThat(optionsOf(ElectionOptions.builder()
                        .workBackoff(Duration.ZERO, seconds(-1))
                        .drainTimeout(seconds(-1))
                        .interruptAfter(Duration.ofDays(400))
                        .validate()))
                .containsExactly("drainTimeout", "interruptAfter", "workBackoff", "workBackoff");
    }

    @Test
    void B31_whatFollowsFromAnotherViolationIsNotNamed() {
        for (Duration lease : List.of(
                Duration.ZERO,
                seconds(-15),
                Duration.ofSeconds(Long.MIN_VALUE),
                Duration.ofSeconds(Long.MAX_VALUE, 999_999_999))) {
            assertThat(optionsOf(ElectionOptions.builder()
                            .lease(lease)
                            .renewInterval(seconds(5))
                            .callTimeout(seconds(3))
                            .validate("r", store().direct().traits())))
                    .containsExactly("lease");
        }
        assertThat(optionsOf(ElectionOptions.builder().safetyMargin(seconds(20)).validate()))
                .containsExactly("safetyMargin");
        assertThat(optionsOf(ElectionOptions.builder()
                        .validate("a b", store().direct().traits())))
                .containsExactly("role");
    }

    @Test
    void B31_whatIsNamedIsWhatIsToBeChanged() {
        for (Duration tiny : List.of(Duration.ofNanos(1), Duration.ofNanos(999_999))) {
            for (List<Violation> named : List.of(
                    ElectionOptions.builder().lease(tiny).validate(),
                    ElectionOptions.builder()
                            .lease(tiny)
                            .validate(ROLE, store().direct().traits()))) {
                assertThat(optionsOf(named)).containsExactly("lease");
                assertThat(named.get(0).toString()).startsWith("lease must be at least 0.001s: lease=0.000");
            }
        }
        assertThat(ElectionOptions.builder().renewInterval(Duration.ofNanos(1)).validate())
                .hasToString("[callTimeout must be above zero (not set, follows from lease, safetyMargin and"
                        + " renewInterval): callTimeout=0s]");
        assertThat(ElectionOptions.builder()
                        .workBackoff(Duration.ZERO, seconds(-1))
                        .validate())
                .hasToString("[workBackoff must be above zero for its first: workBackoff=0s, workBackoff must be above"
                        + " zero for its most: workBackoff=-1s]");
        assertThatThrownBy(() -> Tenure.builder(new MemoryLeaseStore())
                        .instance("n".repeat(300))
                        .build())
                .hasMessage("instance must be 1 to 256 characters, has 300: instance=" + "n".repeat(128));
        assertThatThrownBy(() ->
                        Tenure.builder(new MemoryLeaseStore()).instance(" \t").build())
                .hasMessageStartingWith("instance must be more than white space");
    }

    @Test
    @SuppressWarnings("NullAway") // on purpose
    void B31_aRoleThatIsNullIsRefusedInAMessage() {
        assertThatThrownBy(() -> ElectionOptions.defaults().resolveKey(null, 100))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("role must be given: role=null");
        assertThatThrownBy(() -> process("a").tenure().elector(null))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("role must be given: role=null");
    }

    @Test
    void B31_rolesKeysAndTheStoresLimitsAreNamedTogether() {
        StoreTraits narrow = StoreTraits.builder("narrow", StoreTraits.Scope.CLUSTER)
                .lease(seconds(10), seconds(20))
                .longestKey(8)
                .build();
        ElectionOptions.Builder broken = ElectionOptions.builder()
                .lease(seconds(9))
                .retryInterval(Duration.ZERO)
                .key("k".repeat(9));
        assertThat(optionsOf(broken.validate("a b", narrow))).containsExactly("retryInterval", "lease", "role", "key");
        assertThat(optionsOf(broken.validate(narrow))).containsExactly("retryInterval", "lease", "key");
        world = VirtualWorld.builder().traits(narrow).build();
        VirtualTenure a = world.process("a");
        assertThatThrownBy(() -> a.tenure()
                        .with(o -> o.lease(seconds(9)).startDelay(seconds(-1)).key("k".repeat(9))))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContainingAll("startDelay must be", "lease must be at least 10s on narrow", "has 9");
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void R017_defaultsFollowFromTheLease() {
        ElectionOptions defaults = ElectionOptions.defaults();
        assertThat(defaults.lease()).isEqualTo(seconds(15));
        assertThat(defaults.renewInterval()).isEqualTo(seconds(5));
        assertThat(defaults.safetyMargin()).isEqualTo(seconds(1.5));
        assertThat(defaults.retryInterval()).isEqualTo(seconds(2));
        assertThat(defaults.retryJitter()).isEqualTo(seconds(1));
        assertThat(defaults.drainTimeout()).isEqualTo(seconds(10));
        assertThat(defaults.interruptAfter()).isEqualTo(seconds(8));
        assertThat(defaults.whenUncoordinated()).isEqualTo(ElectionOptions.WhenUncoordinated.FOLLOW);
        for (double lease : new double[] {0.001, 0.1, 1, 3, 15, 600, 86_400}) {
            assertThat(ElectionOptions.builder().lease(seconds(lease)).validate())
                    .as("lease " + lease)
                    .isEmpty();
        }
    }

    @Test
    void K149_R064_hugeDurationsAreRefusedWithABoundOrSaturate() {
        for (Duration huge : List.of(
                Duration.ofMillis(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE), Duration.ofDays(300 * 365))) {
            List<Consumer<ElectionOptions.Builder>> changes = List.of(
                    o -> o.lease(huge),
                    o -> o.retryInterval(huge),
                    o -> o.retryJitter(huge),
                    o -> o.drainTimeout(huge),
                    o -> o.startDelay(huge),
                    o -> o.workBackoff(seconds(1), huge),
                    o -> o.healthCheck(() -> true, huge));
            for (Consumer<ElectionOptions.Builder> change : changes) {
                ElectionOptions.Builder builder = ElectionOptions.builder();
                change.accept(builder);
                assertThatThrownBy(builder::build)
                        .isInstanceOf(InvalidOptionsException.class)
                        .hasMessageContaining("at most");
            }
        }
    }

    @Test
    void K149_longestDurationsWork() {
        Duration year = Duration.ofDays(365);
        VirtualTenure a = process(
                "a",
                options -> options.lease(Duration.ofDays(1))
                        .renewInterval(Duration.ofHours(8))
                        .safetyMargin(Duration.ofHours(1))
                        .retryInterval(Duration.ofSeconds(Integer.MAX_VALUE / 100))
                        .retryJitter(year)
                        .drainTimeout(year)
                        .workBackoff(year, year)
                        .healthCheck(() -> true, year));
        LeaderElector elector = a.stand(ROLE);
        advanceTo(10);
        assertThat(elector.isLeader()).isTrue();
        assertThat(now(elector.stop())).isEqualTo(dev.tenure.ReleaseOutcome.RELEASED);
    }

    @Test
    void R056_B40_leaseBeyondTheStoresIsRefusedNeverCapped() {
        world = VirtualWorld.builder()
                .traits(StoreTraits.builder("narrow", StoreTraits.Scope.CLUSTER)
                        .lease(seconds(10), seconds(20))
                        .build())
                .build();
        VirtualTenure a = world.process("a");
        assertThatThrownBy(() -> a.tenure().with(o -> o.lease(seconds(21))).elector(ROLE))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("lease must be at most 20s: lease=21s");
        assertThatThrownBy(() -> a.tenure().with(o -> o.lease(seconds(9))).acquireAsync(ROLE))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("lease must be at least 10s on narrow: lease=9s");
        assertThat(store().calls()).isEmpty();
    }

    // keys and names

    @Test
    void R031_R034_R035_keysOfRoles() {
        ElectionOptions defaults = ElectionOptions.defaults();
        assertThat(defaults.resolveKey("scheduler", 512)).isEqualTo("leader:scheduler");
        assertThat(with(o -> o.keyFormat("{role}/{role}")).resolveKey("s", 512)).isEqualTo("s/s");
        assertThat(with(o -> o.keyFormat("{elections}:{role}")).resolveKey("s", 512))
                .isEqualTo("{elections}:s");
        assertThat(with(o -> o.keyFormat("a:{role}").key("x:{role}")).resolveKey("s", 512))
                .isEqualTo("x:{role}");
    }

    private static ElectionOptions with(Consumer<ElectionOptions.Builder> change) {
        ElectionOptions.Builder builder = ElectionOptions.builder();
        change.accept(builder);
        return builder.build();
    }

    @Test
    void R039_R043_keyLengthIsCheckedWithoutAskingTheStore() {
        ElectionOptions options = ElectionOptions.defaults();
        assertThat(with(o -> o.key("k".repeat(512))).resolveKey("r", 512)).hasSize(512);
        assertThatThrownBy(() -> with(o -> o.key("k".repeat(513))).resolveKey("r", 512))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("has 513");
        assertThat(options.toBuilder().validate("r", store().direct().traits())).isEmpty();
        assertThat(options.toBuilder().validate("", store().direct().traits())).hasSize(1);
        VirtualTenure a = process("a");
        assertThatThrownBy(() -> a.tenure().with(o -> o.key("k".repeat(513))).elector(ROLE))
                .isInstanceOf(InvalidOptionsException.class);
        assertThat(store().calls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a\tb", "a\nb", "a\u0000b", "a\u00a0b", "a\u2003b", "a\u200bb", "\ud800"})
    void B32_R038_oddRolesAreRefused(String role) {
        VirtualTenure a = process("a");
        assertThatThrownBy(() -> a.tenure().elector(role)).isInstanceOf(InvalidOptionsException.class);
        assertThatThrownBy(() -> a.tenure().acquire(role)).isInstanceOf(InvalidOptionsException.class);
        assertThatThrownBy(() -> a.tenure().watch(role)).isInstanceOf(InvalidOptionsException.class);
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void B32_longestRole() {
        VirtualTenure a = process("a");
        a.tenure().elector("r".repeat(128));
        assertThatThrownBy(() -> a.tenure().elector("r".repeat(129))).hasMessageContaining("1 to 128 characters");
    }

    @Test
    void R042_optionsAreTakenWhenAnElectorIsMade() {
        ElectionOptions.Builder[] kept = new ElectionOptions.Builder[1];
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure()
                .with(options -> {
                    kept[0] = options.keyFormat("first:{role}");
                })
                .elector(ROLE);
        kept[0].keyFormat("second:{role}").lease(seconds(1));
        elector.start();
        advanceTo(4);
        elector.resign();
        advanceTo(8);
        assertThat(store().calls().stream().map(StoreCall::key).distinct()).containsExactly("first:" + ROLE);
        assertThat(elector.describe().options().lease()).isEqualTo(seconds(10));
    }

    @Test
    void R041_keyIsReportedBeforeTheStoresPrefix() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        assertThat(elector.key()).isEqualTo(KEY);
        assertThat(elector.describe().key()).isEqualTo(KEY);
        assertThat(elector.describe().lines()).anyMatch(line -> line.contains(KEY));
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void R019_rolesAreIndependent() {
        VirtualTenure a = process("a");
        VirtualTenure b = process("b");
        LeaderElector one = a.stand("one");
        LeaderElector two = b.stand("two");
        world.settle();
        LeaderElector twoToo = a.stand("two");
        advanceTo(5);
        assertThat(one.isLeader()).isTrue();
        assertThat(two.isLeader()).isTrue();
        assertThat(twoToo.isLeader()).isFalse();
    }

    @Test
    void instanceNamesAndMetadataAreChecked() {
        for (String name : List.of("", "  ", "a\nb", "n".repeat(257))) {
            assertThatThrownBy(() -> Tenure.builder(new MemoryLeaseStore())
                            .instance(name)
                            .build())
                    .isInstanceOf(InvalidOptionsException.class)
                    .hasMessageContaining("instance");
        }
        assertThatThrownBy(() -> Tenure.builder(new MemoryLeaseStore())
                        .metadata("k", "v".repeat(4096))
                        .build())
                .hasMessageContaining("metadata");
    }

    @Test
    void worstCaseTakeoverFollowsFromOptionsAndStore() {
        ElectionOptions options = ElectionOptions.defaults();
        StoreTraits polled = StoreTraits.builder("s", StoreTraits.Scope.CLUSTER)
                .expiryLag(lease -> lease)
                .lockDelay(seconds(15))
                .build();
        assertThat(polled.worstCaseTakeover(options)).isEqualTo(seconds(15 + 15 + 15 + 3 + 4));
        assertThat(store().direct().traits().worstCaseTakeover(options)).isEqualTo(seconds(15 + 4));
    }
}
