package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Keys, names and metadata are any text, and kept apart and kept whole.
 */
abstract class NameTests extends OperatorTests {
    private static final List<String> ODD = List.of(
            "rôle/日本語/🚀",
            "ro\u0302le/日本語/🚀",
            "'single' \"double\" `back`",
            "{braces} ${dollar} #{hash} [0] <x> &amp;",
            "a/b//c/../d/.",
            "100%s %d %00 %2F +",
            "back\\slash \\n \\u0041",
            "x'; drop table leases; --",
            "* ? _ % ^ | ~ ! @ = , ; :",
            "trailing ",
            "trailing");

    NameTests() {}

    @Test
    void oddKeysAreKeptApart() {
        StoreClient store = client();
        String own = fresh("key");
        Map<String, Claim> claims = new LinkedHashMap<>();
        for (String odd : ODD) {
            String key = own + odd;
            claims.put(key, store.grant(key, holder("a")));
        }
        claims.values().forEach(store::assertHolds);
        assertThat(client().list().stream().map(record -> record.key()).filter(key -> key.startsWith(own)))
                .containsExactlyInAnyOrderElementsOf(claims.keySet());
        claims.values().forEach(claim -> assertThat(store.release(claim)).isTrue());
        claims.keySet().forEach(store::assertFree);
    }

    @Test
    void keysAreCaseSensitive() {
        StoreClient store = client();
        String lower = key().toLowerCase(Locale.ROOT);
        String upper = key().toUpperCase(Locale.ROOT);
        Claim first = store.grant(lower, holder("a"));
        store.assertFree(upper);
        Claim second = store.grant(upper, holder("b"));
        store.assertHolds(first);
        store.assertHolds(second);
    }

    @Test
    void longestKeysAreKeptWholeAndApart() {
        StoreClient store = client();
        for (String filler : List.of("k", "鍵")) {
            String longest = key() + filler.repeat(traits().longestKey() - key().length());
            String almost = longest.substring(0, longest.length() - 1) + "x";
            Claim first = store.grant(longest, holder("a"));
            store.assertFree(almost);
            Claim second = store.grant(almost, holder("b"));
            store.assertHolds(first);
            store.assertHolds(second);
        }
    }

    @Test
    void incarnationsAreCaseSensitive() {
        StoreClient store = client();
        String lower = "a" + UUID.randomUUID();
        Holder own = new Holder("a", lower, Map.of());
        Holder other = new Holder("a", lower.toUpperCase(Locale.ROOT), Map.of());
        Claim claim = store.grant(key(), own);
        store.denied(key(), other);
        assertRefused(store, store.claim(key(), other, claim.token()));
        assertThat(store.release(store.claim(key(), other, claim.token()))).isFalse();
        store.assertHolds(claim);
    }

    @Test
    void oddNamesAreKeptWhole() {
        StoreClient store = client();
        for (String odd : ODD) {
            String key = fresh("key");
            Claim claim = store.grant(key, new Holder(odd, UUID.randomUUID().toString(), Map.of()));
            store.assertHolds(claim);
            store.denied(key, holder("A"));
        }
    }

    @Test
    void metadataIsKeptWhole() {
        StoreClient store = client();
        Map<String, String> metadata = new LinkedHashMap<>();
        ODD.forEach(odd -> metadata.put("k " + odd, "v " + odd));
        metadata.put("url", "https://host-1.example:8443/path?a=b&c=d#e");
        metadata.put("lines", "one\ntwo\r\nthree\tfour");
        metadata.put("empty", "");
        metadata.put("long", "0123456789".repeat(100));
        Claim claim = store.grant(key(), new Holder("a", UUID.randomUUID().toString(), metadata));
        store.assertHolds(claim);
        assertThat(client().denied(key(), holder("b")).present().orElseThrow().holder())
                .isEqualTo(claim.holder());
        assertThat(client().list().stream().filter(record -> record.key().equals(key())))
                .extracting(record -> record.holder().metadata())
                .containsExactly(metadata);
    }

    @Test
    void metadataMayBeEmpty() {
        StoreClient store = client();
        Claim claim = store.grant(key(), new Holder("a", UUID.randomUUID().toString(), Map.of()));
        store.assertHolds(claim);
    }
}
