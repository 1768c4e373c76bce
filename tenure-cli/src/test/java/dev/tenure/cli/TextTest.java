package dev.tenure.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.spi.StoreTraits;
import dev.tenure.spi.StoreTraits.Scope;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TextTest {

    @Test
    void nothingThatOthersWroteMovesTheCursor() {
        assertThat(Text.oneLine("web-1\n\u001b[2J\u202e\u2028é😀"))
                .isEqualTo("web-1\\u000a\\u001b[2J\\u202e\\u2028é😀");
        assertThat(Text.metadata(Map.of("url", "http://a\tb", "a", "1"))).isEqualTo("a=1 url=http://a\\u0009b");
    }

    @ParameterizedTest
    @CsvSource({
        "PT-1S, 0ms",
        "PT0.85S, 850ms",
        "PT12.34S, 12.3s",
        "PT4M5S, 4m05s",
        "PT3H12M, 3h12m",
        "PT55H, 2d07h",
    })
    void durationsAreRough(Duration duration, String text) {
        assertThat(Text.rough(duration)).isEqualTo(text);
    }

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Table table = new Table("A", "BEE", "C");
        table.add("long one", 1, "x");
        table.add("é", "", "");
        assertThat(table.lines()).containsExactly("A         BEE  C", "long one  1    x", "é         -    -");
        assertThatThrownBy(() -> table.add("too", "few")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rolesAreReadBackFromKeys() {
        StoreTraits usual = StoreTraits.builder("s", Scope.HOST).build();
        StoreTraits consul = StoreTraits.builder("c", Scope.CLUSTER)
                .defaultKeyFormat("service/{role}/leader")
                .build();
        assertThat(Roles.role(Roles.key("a:b", usual), usual)).isEqualTo("a:b");
        assertThat(Roles.role(Roles.key("billing", consul), consul)).isEqualTo("billing");
        assertThat(Roles.role("other/format", usual)).isEqualTo("other/format");
        assertThat(Roles.role("service//leader", consul)).isEqualTo("service//leader");
    }

    @Test
    void jsonIsReadBack() {
        String line = Json.write(Map.of("text", "a\"b\n", "number", 5L));
        assertThat(line).doesNotContain("\n");
        assertThat(Json.readFlat(line)).containsOnly(Map.entry("text", "a\"b\n"), Map.entry("number", "5"));
        assertThat(Json.readFlat("{\"a\":null,\"b\":[1],\"c\":true}")).containsOnly(Map.entry("c", "true"));
        assertThatThrownBy(() -> Json.readFlat("[]")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Json.readFlat("{\"a\"")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRecordWithoutAnEndNeverExpires() {
        assertThat(Text.rough(Duration.ofDays(36_500))).isEqualTo("never");
        assertThat(Text.rough(Duration.ofDays(2))).isNotEqualTo("never");
    }
}
