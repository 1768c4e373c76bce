package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.StoreRejectedException;
import io.lettuce.core.cluster.SlotHash;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Where records, counters and the channel are.
 */
class KeysTest {
    private static final List<String> ODD = List.of(
            "jobs",
            "{jobs}",
            "}jobs",
            "{}jobs",
            "{",
            "}",
            "}}{{",
            "a}b{c}",
            "{a{b}",
            "a b",
            "日本語",
            "*[?]",
            "{elections}:x",
            "");

    private static void assertOneSlot(Keys keys, String key) {
        String record = keys.record(key);
        int slot = SlotHash.getSlot(record);
        assertThat(SlotHash.getSlot(Keys.counter(record))).as(record).isEqualTo(slot);
        assertThat(SlotHash.getSlot(Keys.mark(record))).as(record).isEqualTo(slot);
    }

    @Test
    void R030_namespaceComesFirst() {
        Keys keys = RedisOptions.of(Map.of("namespace", "billing")).keys(false);
        assertThat(keys.record("election:eu:scheduler")).isEqualTo("billing:lock:election:eu:scheduler");
        assertThat(Keys.counter(keys.record("x"))).isEqualTo("billing:lock:x:fence");
        assertThat(keys.channel()).isEqualTo("billing:changes");
    }

    @Test
    void namespaceIsTenureByDefault() {
        assertThat(RedisOptions.of(Map.of()).keys(false).record("leader:x")).isEqualTo("tenure:lock:leader:x");
    }

    @Test
    void R035_R036_onAClusterTheNamespaceStandsInBracesAndDecidesTheSlot() {
        Keys keys = RedisOptions.of(Map.of("namespace", "billing")).keys(true);
        String record = keys.record("{elections}:scheduler");
        assertThat(record).isEqualTo("{billing}:lock:{elections}:scheduler");
        assertThat(SlotHash.getSlot(record)).isEqualTo(SlotHash.getSlot("billing"));
        ODD.forEach(key -> assertOneSlot(keys, key));
    }

    @Test
    void R037_aClusterWithoutHashTagsIsRefused() {
        RedisOptions without = RedisOptions.of(Map.of("hashTags", "false"));
        assertThatThrownBy(() -> without.keys(true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hashTags=false");
        assertThat(without.keys(false).record("x")).isEqualTo("tenure:lock:x");
        assertThat(RedisOptions.of(Map.of("hashTags", "true")).keys(false).record("x"))
                .isEqualTo("{tenure}:lock:x");
    }

    @Test
    void R006_B02_prefixStyleHasThePackagesNames() {
        Keys keys = RedisOptions.of(Map.of("prefix", "orionbeacon:lease:")).keys(true);
        assertThat(keys.record("jobs")).isEqualTo("orionbeacon:lease:{jobs}");
        assertThat(Keys.counter(keys.record("jobs"))).isEqualTo("orionbeacon:lease:{jobs}:fence");
    }

    @Test
    void B02_recordAndCounterShareASlotWhateverPrefixAndKey() {
        for (String prefix : List.of("orionbeacon:lease:", "", "a{b}c:", "a{b", "a}b", "{x}", "}{")) {
            Keys keys = Keys.withPrefix(prefix);
            ODD.stream().filter(key -> !key.isEmpty()).forEach(key -> assertOneSlot(keys, key));
        }
    }

    @Test
    void emptyBracesInThePrefixAreRefused() {
        assertThatThrownBy(() -> Keys.withPrefix("a{}:"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix=a{}:");
    }

    @Test
    void prefixStyleSpreadsKeysAndDefaultKeepsThemTogether() {
        Keys spread = Keys.withPrefix("p:");
        Keys together = Keys.inNamespace("n", true);
        assertThat(List.of("a", "b", "c", "d").stream()
                        .map(key -> SlotHash.getSlot(spread.record(key)))
                        .distinct())
                .hasSizeGreaterThan(1);
        assertThat(List.of("a", "b", "c", "d").stream()
                        .map(key -> SlotHash.getSlot(together.record(key)))
                        .distinct())
                .hasSize(1);
    }

    @Test
    void recordsTellTheirKeysAndCountersAreNone() {
        for (Keys keys : List.of(Keys.inNamespace("n", false), Keys.inNamespace("n", true), Keys.withPrefix("p:"))) {
            for (String key : ODD) {
                String record = keys.record(key);
                assertThat(keys.keyOf(record)).isEqualTo(key);
                assertThat(keys.keyOf(Keys.counter(record))).isNull();
                assertThat(keys.keyOf(Keys.mark(record))).isNull();
            }
        }
    }

    @Test
    void differentKeysHaveDifferentRecords() {
        for (Keys keys : List.of(Keys.inNamespace("n", true), Keys.withPrefix("p:"), Keys.withPrefix("p{"))) {
            assertThat(ODD.stream().map(keys::record).distinct()).hasSameSizeAs(ODD);
        }
    }

    @Test
    void aKeyThatWouldBeAnothersCounterIsRefused() {
        Keys keys = Keys.inNamespace("n", false);
        assertThatThrownBy(() -> keys.record("x:fence"))
                .isInstanceOf(StoreRejectedException.class)
                .hasMessageContaining("key=x:fence");
        assertThatThrownBy(() -> keys.record("x:fence:accepted")).isInstanceOf(StoreRejectedException.class);
    }

    @Test
    void namespaceAndPrefixAreChecked() {
        for (String wrong : List.of("", "a b", "a{b", "a}b", "a\u0000b", "a\u00a0b", "x".repeat(129))) {
            assertThatThrownBy(() -> RedisOptions.of(Map.of("namespace", wrong)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("namespace must be");
        }
        assertThatThrownBy(() -> RedisOptions.of(Map.of("prefix", "a b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prefix must be");
        assertThatThrownBy(() -> RedisOptions.of(Map.of("prefix", "a:", "namespace", "b")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("exclude each other");
    }
}
