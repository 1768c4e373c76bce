package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.LeaseStores;
import dev.tenure.spi.LeaseStore;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslVerifyMode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a URL says, and what is told of a wrong one.
 */
class RedisUrlTest {

    private static Target parse(String url) {
        return RedisUrl.parse(url, Map.of(), null);
    }

    private static RedisURI one(String url) {
        return parse(url).uris().get(0);
    }

    private static RedisCredentials credentials(RedisURI uri) {
        return uri.getCredentialsProvider().resolveCredentials().block();
    }

    @Test
    void R015_hostAloneIsEnough() {
        RedisURI uri = one("redis://db1");
        assertThat(uri.getHost()).isEqualTo("db1");
        assertThat(uri.getPort()).isEqualTo(6379);
        assertThat(uri.getDatabase()).isZero();
        assertThat(uri.isSsl()).isFalse();
        assertThat(credentials(uri).hasPassword()).isFalse();
    }

    @Test
    void R018_userPasswordPortAndDatabase() {
        RedisURI uri = one("redis://ann:p%40ss%2Fw+rd@db1:6380/3");
        assertThat(uri.getPort()).isEqualTo(6380);
        assertThat(uri.getDatabase()).isEqualTo(3);
        assertThat(credentials(uri).getUsername()).isEqualTo("ann");
        assertThat(credentials(uri).getPassword()).isEqualTo("p@ss/w+rd".toCharArray());
    }

    @Test
    void passwordAlone() {
        assertThat(credentials(one("redis://:secret@db1")).getPassword()).isEqualTo("secret".toCharArray());
        assertThat(credentials(one("redis://secret@db1")).getPassword()).isEqualTo("secret".toCharArray());
        assertThat(credentials(one("redis://:secret@db1")).hasUsername()).isFalse();
    }

    @Test
    void optionsStandAboveTheUrl() {
        Target target = RedisUrl.parse(
                "redis://ann:one@db1/3?namespace=url", Map.of("password", "two", "namespace", "given"), null);
        assertThat(credentials(target.uris().get(0)).getPassword()).isEqualTo("two".toCharArray());
        assertThat(target.options().namespace()).isEqualTo("given");
    }

    @Test
    void sentinel() {
        Target target = parse("rediss-sentinel://ann:secret@s1:1,s2,[::1]:3/2?sentinelPassword=other#main");
        RedisURI uri = target.uris().get(0);
        assertThat(uri.getSentinelMasterId()).isEqualTo("main");
        assertThat(uri.isSsl()).isTrue();
        assertThat(uri.getDatabase()).isEqualTo(2);
        assertThat(uri.getSentinels().stream().map(each -> each.getHost() + " " + each.getPort()))
                .containsExactly("s1 1", "s2 26379", "::1 3");
        assertThat(uri.getSentinels()).allSatisfy(each -> {
            assertThat(each.isSsl()).isTrue();
            assertThat(credentials(each).getPassword()).isEqualTo("other".toCharArray());
        });
        assertThat(credentials(uri).getPassword()).isEqualTo("secret".toCharArray());
        assertThat(target.where()).isEqualTo("redis main by sentinel s1:1,s2:26379,[::1]:3/2");
        assertThat(target.isCluster()).isFalse();
    }

    @Test
    void cluster() {
        Target target = parse("redis-cluster://:secret@c1,c2:7000");
        assertThat(target.isCluster()).isTrue();
        assertThat(target.uris())
                .hasSize(2)
                .allSatisfy(uri -> assertThat(credentials(uri).getPassword()).isEqualTo("secret".toCharArray()));
        assertThat(target.where()).isEqualTo("redis cluster at c1:6379,c2:7000");
    }

    @Test
    void certificatesAreCheckedBeforeAnythingStarts() {
        assertThat(one("rediss://db1").getVerifyMode()).isEqualTo(SslVerifyMode.FULL);
        assertThat(one("rediss://db1?verify=none").getVerifyMode()).isEqualTo(SslVerifyMode.NONE);
        assertThatThrownBy(() -> parse("rediss://db1?ca=/no/such.pem"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("ca must be a readable PEM file: ca=/no/such.pem");
        assertThatThrownBy(() -> parse("redis://db1?ca=/no/such.pem"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ca must not be given without TLS");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            redis://db1:99999            | port must be 1 to 65535
            redis://db1:                 | port must be 1 to 65535
            redis://db1:x                | port must be 1 to 65535
            redis://                     | host must be
            redis://a b                  | host must be
            redis://a,b                  | servers=2
            redis://db1/x                | database must be 0 to
            redis://db1/99999            | database must be 0 to
            redis-cluster://db1/1        | 0 on a Cluster
            redis-sentinel://db1         | master must be named
            redis://db1?color=red        | option is unknown: option=color
            redis://db1?tokens=many      | tokens must be formula or counter: tokens=many
            redis://db1?hashTags=x       | hashTags must be true or false
            redis://db1?verify=none      | verify must not be given without TLS
            rediss://db1?verify=maybe    | verify must be full, ca or none
            rediss://db1?cert=/x         | cert and key must be given together
            redis://db1?user=ann         | password must be given with a user
            redis://db1?namespace        | option=value
            redis://db1#main             | master must not be given without Sentinel
            redis://app:1234#word@db1    | percent-encoded
            redis://db1?sentinelPassword=x | sentinelPassword must not be given without Sentinel
            redis-sentinel://db1?sentinelUser=x#m | sentinelPassword must be given
            redis://db1?namespace=%zz    | namespace must be percent-encoded
            redis://::1                  | host must be in brackets
            http://db1                   | store must begin with one of
            redis-cluster://db1?hashTags=false | hashTags must be true on a Cluster
            """)
    void wrongOnesAreToldBeforeAnythingStarts(String url, String told) {
        assertThatThrownBy(() -> LeaseStoreOf.url(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(told);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://ann:hidden@db1:x",
                "redis://ann:hid#den@db1",
                "redis://ann:hid/den@db1",
                "redis://ann:hid?den@db1",
                "redis://ann:hidden",
                "redis://ann:hidden@db1/x",
                "redis://ann:%zzhidden@db1",
                "redis://db1?password=hidden&color=red",
                "redis://db1?keyPassword=hidden",
                "redis-sentinel://ann:hidden@db1"
            })
    void noMessageShowsAPassword(String url) {
        assertThatThrownBy(() -> LeaseStoreOf.url(url))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(thrown ->
                        assertThat(thrown.getMessage()).doesNotContain("hid").doesNotContain("den@"));
    }

    @Test
    void traitsShowNoPassword() {
        try (LeaseStore store = LeaseStores.open("redis://ann:hidden@db1:6380/2")) {
            assertThat(store.traits().name()).isEqualTo("redis at db1:6380/2");
            assertThat(store.traits().toString()).doesNotContain("hidden");
            assertThat(store.traits().defaultKeyFormat()).isEqualTo("leader:{role}");
        }
        try (LeaseStore store = LeaseStores.open("redis://db1?prefix=orionbeacon:lease:")) {
            assertThat(store.traits().defaultKeyFormat()).isEqualTo("{role}");
        }
    }

    @Test
    void everySchemeIsOpenedThroughTheServiceLoader() {
        for (String url : List.of(
                "redis://db1",
                "rediss://db1",
                "redis-sentinel://db1#m",
                "rediss-sentinel://db1#m",
                "redis-cluster://db1",
                "rediss-cluster://db1")) {
            try (LeaseStore store = LeaseStores.open(url)) {
                assertThat(store.traits().name()).startsWith("redis");
            }
        }
    }

    /**
     * Opens and closes.
     */
    private static final class LeaseStoreOf {
        static void url(String url) {
            LeaseStores.open(url).close();
        }
    }
}
