package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Tokens on real servers, also where the server loses what it remembers. Askers here have seen nothing: the worst case,
 * since one that has seen a token stays above it.
 */
@Isolated("breaks servers that others use, or counts what they do")
class TokensTest {
    private final String key = "tokens-" + UUID.randomUUID();
    private final String counter = "tenure:lock:" + key + ":fence";

    private static Asker formula(RedisNode node) {
        return Asker.at(node.url());
    }

    private static Asker counting(RedisNode node) {
        return Asker.at(node.url(), "tokens", "counter");
    }

    private long term(Asker asker) {
        Claim claim = asker.grant(key);
        assertThat(asker.release(claim)).isTrue();
        return claim.token();
    }

    @Test
    void R003_tokensRiseOverAThousandHandOvers() {
        RedisNode node = RedisServers.single();
        try (Asker one = formula(node);
                Asker other = formula(node)) {
            List<Long> tokens = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                tokens.add(term(i % 2 == 0 ? one : other));
            }
            assertThat(tokens).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void R006_R007_R008_K148_theCounterStandsBesideTheRecordAndMovesByOneForEachTerm() {
        RedisNode node = RedisServers.single();
        try (Asker a = counting(node);
                Asker b = counting(node)) {
            Claim first = a.grant(key);
            assertThat(node.command("GET", counter)).isEqualTo("1");
            for (int i = 0; i < 20; i++) {
                assertThat(a.renew(first)).isEqualTo(RenewResult.RENEWED);
                b.denied(key);
            }
            assertThat(node.command("GET", counter)).isEqualTo("1");
            assertThat(node.command("PTTL", counter)).isEqualTo("-1");
            a.release(first);
            assertThat(node.command("GET", counter)).isEqualTo("1");
            Claim second = b.grant(key);
            assertThat(second.token()).isEqualTo(2);
            node.command("DEL", "tenure:lock:" + key); // as if it had expired
            assertThat(a.grant(key).token()).isEqualTo(3);
            assertThat(node.command("GET", counter)).isEqualTo("3");
            assertThat(node.command("PTTL", counter)).isEqualTo("-1");
        }
    }

    @Test
    void B30_tokensRiseOverAFlush() {
        RedisNode node = RedisServers.single();
        try (Asker asker = formula(node)) {
            Claim before = asker.grant(key);
            node.command("FLUSHALL");
            Claim after = asker.grant(key);
            assertThat(after.token()).isGreaterThan(before.token());
            assertThat(asker.renew(before)).isEqualTo(RenewResult.NOT_HOLDER);
        }
    }

    @Test
    void B30_aCountThatWasFlushedStaysAboveWhatTheAskerHasSeen() {
        RedisNode node = RedisServers.single();
        try (Asker asker = counting(node)) {
            long before = term(asker) + term(asker);
            node.command("FLUSHALL");
            assertThat(asker.ask(key, Asker.holder("saw"), before)).hasFieldOrPropertyWithValue("token", before + 1);
        }
    }

    @Test
    void B30_tokensRiseOverAnEvictionOfTheCounter() {
        try (RedisNode node = new RedisNode("maxmemory-policy allkeys-random").start();
                Asker asker = formula(node)) {
            long before = term(asker);
            node.command("CONFIG", "SET", "maxmemory", "4mb");
            String filler = "x".repeat(50_000);
            for (int i = 0; node.command("EXISTS", counter).equals("1"); i++) {
                node.command("SET", "filler-" + i % 1_000, filler);
                assertThat(i).isLessThan(100_000);
            }
            node.command("CONFIG", "SET", "maxmemory", "0");
            assertThat(term(asker)).isGreaterThan(before);
        }
    }

    @Test
    void B30_tokensRiseOverARestartWithoutPersistence() {
        try (RedisNode node = new RedisNode().start();
                Asker asker = formula(node)) {
            Claim before = asker.grant(key);
            node.kill();
            node.start();
            assertThat(node.command("EXISTS", counter)).isEqualTo("0");
            Claim after = asker.grant(key);
            assertThat(after.token()).isGreaterThan(before.token());
            assertThat(asker.renew(before)).isEqualTo(RenewResult.NOT_HOLDER);
        }
    }

    @Test
    void K148_tokensSurviveARestartWithPersistence() {
        try (RedisNode node = new RedisNode("appendonly yes", "appendfsync always").start();
                Asker asker = counting(node)) {
            Claim before = asker.grant(key);
            node.kill();
            node.start();
            assertThat(asker.renew(before)).isEqualTo(RenewResult.RENEWED);
            asker.release(before);
            assertThat(term(asker)).isEqualTo(before.token() + 1);
        }
    }

    @Test
    void K097_R050_tokensRiseOverAFailoverThatLostTheLastGrant() {
        assertThat(overALostGrant("formula")).satisfies(tokens -> {
            assertThat(tokens.get(1)).isGreaterThan(tokens.get(0));
            assertThat(tokens.get(2)).isGreaterThan(tokens.get(1));
        });
    }

    /**
     * What {@code tokens=counter} is worth: documented, and shown here.
     */
    @Test
    void K097_countedTokensRepeatOverAFailoverThatLostTheLastGrant() {
        assertThat(overALostGrant("counter")).containsExactly(1L, 2L, 2L);
    }

    /**
     * The tokens of a term that was replicated, of one that was not, and of the next after the failover, by an asker
     * that saw none of them.
     */
    private List<Long> overALostGrant(String mode) {
        RedisSentinel set = RedisServers.sentinel();
        List<Long> tokens = new ArrayList<>();
        try (Asker first = Asker.at(set.url(), "tokens", mode);
                Asker second = Asker.at(set.url(), "tokens", mode)) {
            tokens.add(term(first));
            RedisNode master = set.master();
            set.replicas()
                    .forEach(replica -> Eventually.becomes(
                            "replicated", () -> replica.command("GET", counter).equals(Long.toString(tokens.get(0)))));
            set.replicas().forEach(RedisNode::pause);
            master.command("CLIENT", "KILL", "TYPE", "replica"); // what was sent to them is lost
            Claim lost = first.grant(key);
            tokens.add(lost.token());
            master.kill();
            set.replicas().forEach(RedisNode::resume);
            set.awaitOther(master);
            Holder next = Asker.holder("next"); // the same one each time: what is granted may stay unanswered
            Eventually.becomes("the new master grants", () -> {
                try {
                    tokens.add(second.grant(key, next).token());
                    return true;
                } catch (AssertionError | RuntimeException notYet) {
                    return false;
                }
            });
            Asker hasty = first.withLimit(Duration.ofSeconds(1));
            Eventually.becomes("the old holder learns of it", () -> hasty.renew(lost) == RenewResult.NOT_HOLDER);
        }
        return tokens;
    }

    @Test
    void largeTokensKeepTheirDigits() {
        RedisNode node = RedisServers.single();
        try (Asker asker = counting(node)) {
            long large = (1L << 53) - 2;
            asker.acceptToken(key, large - 1);
            Claim claim = asker.grant(key);
            assertThat(claim.token()).isEqualTo(large);
            assertThat(node.command("GET", counter)).isEqualTo("9007199254740990");
            assertThat(node.command("HGET", "tenure:lock:" + key, "token")).isEqualTo("9007199254740990");
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
        }
    }
}
