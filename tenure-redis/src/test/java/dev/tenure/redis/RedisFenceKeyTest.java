package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.cluster.SlotHash;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where the highest token is kept.
 */
class RedisFenceKeyTest {

    private static String fenceOf(String key) {
        return FenceKey.of(key);
    }

    private static int slot(String key) {
        return SlotHash.getSlot(key.getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "jobs, {jobs}:tenure-fence",
        "a{b, {a{b}:tenure-fence",
        "a{, {a{}:tenure-fence",
        "{{, {{{}:tenure-fence",
        "{jobs}, {jobs}::tenure-fence",
        "tenure:{jobs}:state, tenure:{jobs}:state::tenure-fence",
        "x{a}y{b}z, x{a}y{b}z::tenure-fence",
        "{a}}, {a}}::tenure-fence",
        "{{a}}, {{a}}::tenure-fence",
        "ä{ö}, ä{ö}::tenure-fence",
        "schlüssel, {schlüssel}:tenure-fence",
    })
    void B02_aFenceIsNamedLikeItsKeyInTheKeysSlot(String key, String fence) {
        assertThat(fenceOf(key)).isEqualTo(fence);
        assertThat(slot(fence)).isEqualTo(slot(key));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{}jobs", "{}{jobs}", "jobs}", "}", "}{", "a}b{c", "x{}y{z}"})
    void B02_aKeyWhoseSlotNoNameSharesIsRefused(String key) {
        assertThatThrownBy(() -> fenceOf(key))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot share the key's Cluster slot")
                .hasMessageEndingWith("key=" + key);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{jobs}:tenure-fence", "{jobs}::tenure-fence", ":tenure-fence"})
    void aFenceHasNoFence(String key) {
        assertThatThrownBy(() -> fenceOf(key)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void B02_noTwoKeysShareAFenceAndAllSharesTheSlot() {
        Random random = new Random(1);
        String alphabet = "ab{}{}:é";
        Map<String, String> keys = new HashMap<>();
        int refused = 0;
        for (int i = 0; i < 50_000; i++) {
            StringBuilder key = new StringBuilder();
            for (int length = random.nextInt(8); length > 0; length--) {
                key.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            try {
                String fence = fenceOf(key.toString());
                assertThat(slot(fence)).isEqualTo(slot(key.toString()));
                assertThat(keys.put(fence, key.toString())).as(fence).isIn(null, key.toString());
            } catch (IllegalArgumentException odd) {
                refused++;
            }
        }
        assertThat(keys.size()).isGreaterThan(5_000);
        assertThat(refused).isPositive();
    }
}
