package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectionOptions;
import dev.tenure.Elections;
import dev.tenure.InvalidOptionsException;
import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which key a role has in the store, before the store's own prefix.
 */
class RoleKeysTest extends EngineTest {

    private static ElectionOptions with(Consumer<ElectionOptions.Builder> change) {
        ElectionOptions.Builder builder = ElectionOptions.builder();
        change.accept(builder);
        return builder.build();
    }

    private void storeWithKeysUpTo(int longest) {
        world = VirtualWorld.builder()
                .traits(StoreTraits.builder("narrow", StoreTraits.Scope.CLUSTER)
                        .longestKey(longest)
                        .build())
                .build();
    }

    private List<String> keysAskedFor() {
        return store().calls(Kind.ACQUIRE).stream()
                .map(StoreCall::key)
                .distinct()
                .toList();
    }

    @Test
    void R020_aRoleHasOneKeyAndOneLeader() {
        LeaderElector first = process("a").stand("billing");
        LeaderElector second = process("b").stand("billing");
        advanceTo(5);
        assertThat(first.isLeader()).isNotEqualTo(second.isLeader());
        assertThat(keysAskedFor()).containsExactly("leader:billing");
        assertThat(store().record("leader:billing")).isPresent();
    }

    @Test
    void R030_aFormatIsAConvention() {
        VirtualTenure a = process("a", options -> options.keyFormat("election:eu:{role}"));
        LeaderElector elector = a.stand("scheduler");
        advanceTo(1);
        assertThat(elector.key()).isEqualTo("election:eu:scheduler");
        assertThat(keysAskedFor()).containsExactly("election:eu:scheduler");
    }

    @Test
    void R032_anExactKeyIsTakenAsItIsWhateverTheFormat() {
        VirtualTenure a = process("a", options -> options.keyFormat("format:{role}"));
        LeaderElector elector = a.tenure()
                .with(options -> options.key("x:{role}"))
                .elector("scheduler")
                .start();
        advanceTo(1);
        assertThat(elector.key()).isEqualTo("x:{role}");
        assertThat(keysAskedFor()).containsExactly("x:{role}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "leader", "leader:{Role}", "leader:role", "{rol}{e}"})
    void R033_aFormatNeedsTheRole(String format) {
        assertThatThrownBy(() -> with(options -> options.keyFormat(format)))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("keyFormat must be a text with {role} in it: keyFormat=" + format);
    }

    @ParameterizedTest
    @ValueSource(strings = {" ", "a b", "a\tb", "a\nb", "a\u0000b", "a\u00a0b", "a\u2003b", "a\u3000b", "a\u200bb"})
    void R038_oddKeysAndFormatsAreRefusedWhenBuilt(String odd) {
        String safe = "without white space and control characters: key";
        assertThatThrownBy(() -> with(options -> options.key(odd)))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("key must be " + safe + "=")
                .message()
                .doesNotContain(odd.strip().isEmpty() ? "\n" : odd);
        assertThatThrownBy(() -> with(options -> options.keyFormat(odd + "{role}")))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("keyFormat must be " + safe + "Format=");
    }

    @Test
    void R038_anEmptyKeyIsRefusedWhenBuilt() {
        assertThatThrownBy(() -> with(options -> options.key("")))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage("key must be at least one character: key=");
    }

    @Test
    void R039_theLongestKeyIsTheStores() {
        storeWithKeysUpTo(20);
        VirtualTenure a = world.process("a");
        Tenure tenure = a.tenure();
        assertThat(tenure.elector("r".repeat(13)).key()).hasSize(20); // leader:…
        assertThatThrownBy(() -> tenure.elector("r".repeat(14)))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("key must be 1 to 20 characters, has 21: key=leader:rrr");
        assertThatThrownBy(() -> tenure.acquire("r".repeat(14))).isInstanceOf(InvalidOptionsException.class);
        assertThatThrownBy(() -> tenure.watch("r".repeat(14))).isInstanceOf(InvalidOptionsException.class);
        assertThatThrownBy(() -> tenure.with(options -> options.key("k".repeat(21))))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("has 21");
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void R040_aStoreOwnsItsLimit() {
        storeWithKeysUpTo(100_000);
        VirtualTenure a = world.process("a");
        String key = "k".repeat(10_000);
        LeaderElector elector =
                a.tenure().with(options -> options.key(key)).elector(ROLE).start();
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        assertThat(keysAskedFor()).containsExactly(key);
    }

    @Test
    void R043_resolvingStartsNothing() {
        storeWithKeysUpTo(20);
        Tenure tenure =
                world.process("a", options -> options.keyFormat("eu:{role}")).tenure();
        assertThat(tenure.describe().resolveKey("billing")).isEqualTo("eu:billing");
        assertThat(tenure.describe()
                        .options()
                        .resolveKey("billing", tenure.describe().traits()))
                .isEqualTo("eu:billing");
        assertThat(tenure.describe().options().resolveKey("billing", 10)).isEqualTo("eu:billing");
        assertThat(tenure.elector("billing").key()).isEqualTo("eu:billing");
        assertThatThrownBy(() -> tenure.describe().resolveKey("r".repeat(18))).hasMessageContaining("has 21");
        assertThatThrownBy(() -> tenure.describe().options().resolveKey("billing", 9))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessageContaining("1 to 9 characters, has 10");
        assertThat(tenure.describe().options().toBuilder().validate()).isEmpty();
        world.settle();
        assertThat(store().calls()).isEmpty();
        assertThat(store().watches("a")).isZero();
        assertThat(tenure.electors()).isEmpty();
    }

    @Test
    void R044_rolesThatResolveToOneKeyAreRefusedWhenComposed() {
        VirtualTenure a = process("a");
        Elections same = a.tenure().with(options -> options.key("same"));
        same.elector("one"); // not even started
        String refusal = "key must be of one role in a Tenure, and has role=one already, so not role=two: key=same";
        assertThatThrownBy(() -> same.elector("two"))
                .isInstanceOf(InvalidOptionsException.class)
                .hasMessage(refusal);
        assertThatThrownBy(() -> same.elector("two", lease -> {})).hasMessage(refusal);
        assertThatThrownBy(() -> same.acquire("two")).hasMessage(refusal);
        assertThatThrownBy(() -> same.acquireAsync("two")).hasMessage(refusal);
        assertThatThrownBy(() -> same.tryAcquireAsync("two")).hasMessage(refusal);
        assertThatThrownBy(() -> same.watch("two")).hasMessage(refusal);
        assertThatThrownBy(() -> a.tenure()
                        .with(options -> options.keyFormat("sa{role}"))
                        .elector("me"))
                .hasMessageContaining("role=one")
                .hasMessageContaining("role=me");
        assertThat(same.elector("one").key()).isEqualTo("same");
        assertThat(a.tenure().elector("two").key()).isEqualTo("leader:two");
        world.settle();
        assertThat(store().calls()).isEmpty();
    }

    @Test
    void R044_aRoleMayHaveSeveralKeys() {
        VirtualTenure a = process("a");
        assertThat(a.tenure().elector("one").key()).isEqualTo("leader:one");
        assertThat(a.tenure().with(o -> o.key("other")).elector("one").key()).isEqualTo("other");
    }

    @Test
    void R044_refusedRolesTakeNoKey() {
        storeWithKeysUpTo(20);
        Tenure tenure = world.process("a").tenure();
        assertThatThrownBy(() -> tenure.with(o -> o.key("same")).elector("not a role"));
        assertThat(tenure.with(o -> o.key("same")).elector("role").key()).isEqualTo("same");
    }

    /**
     * The hazard: whoever changes the key while old instances run has two leaders.
     */
    @Test
    void R045_electorsOfTheOldAndTheNewKeyBothLead() {
        LeaderElector old = process("old").stand(ROLE);
        LeaderElector changed =
                process("new", options -> options.keyFormat("v2:{role}")).stand(ROLE);
        advanceTo(30);
        assertThat(old.isLeader()).isTrue();
        assertThat(changed.isLeader()).isTrue();
        assertThat(store().record("leader:billing")).isPresent();
        assertThat(store().record("v2:billing")).isPresent();
    }
}
