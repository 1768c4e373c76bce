package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The rights that the documents ask for are enough, and are used.
 */
@Isolated("breaks servers that others use, or counts what they do")
class RightsTest {

    static String documented() throws IOException {
        return Files.readAllLines(Path.of("../docs/stores/redis.md")).stream()
                .filter(line -> line.startsWith("~tenure:*"))
                .findFirst()
                .orElseThrow();
    }

    private static void allow(RedisNode node, String rights) {
        List<String> command = new ArrayList<>(List.of("ACL", "SETUSER", "app", "reset", "on", ">secret"));
        command.addAll(List.of(rights.split(" ", -1)));
        node.command(command.toArray(String[]::new));
    }

    private static void electAndHear(Asker one, Asker other, RedisNode node, String channel) {
        Claim claim = one.grant("rights");
        CompletableFuture<Boolean> woken = new CompletableFuture<>();
        other.store().watch("rights", () -> woken.complete(true));
        Eventually.becomes(
                "subscribed", () -> node.command("PUBSUB", "NUMSUB", channel).endsWith("1"));
        assertThat(one.renew(claim)).isEqualTo(RenewResult.RENEWED);
        assertThat(one.release(claim)).isTrue();
        assertThat(Answers.within(Duration.ofSeconds(60), woken)).isTrue();
        one.acceptToken("rights", claim.token());
        assertThat(one.read("rights")).isEmpty();
        one.grant("rights");
        assertThat(one.forceRelease("rights")).isTrue();
    }

    @Test
    void theDocumentedRightsAreEnoughOnOneServer() throws IOException {
        try (RedisNode node = new RedisNode().start()) {
            allow(node, documented());
            try (Asker one = Asker.at("redis://app:secret@" + node.address());
                    Asker other = Asker.at("redis://app:secret@" + node.address())) {
                electAndHear(one, other, node, "tenure:changes");
                assertThat(node.command("ACL", "LOG")).isEmpty();
            }
        }
    }

    @Test
    void theDocumentedRightsAreEnoughOnACluster() throws IOException {
        String rights = documented().replace("tenure", "{tenure}")
                + " +cluster|nodes +cluster|myid +client|setname +command +info";
        try (RedisCluster cluster = new RedisCluster()) {
            cluster.nodes().forEach(node -> allow(node, rights));
            String url = cluster.url().replace("://", "://app:secret@");
            try (Asker one = Asker.at(url);
                    Asker other = Asker.at(url)) {
                Claim claim = one.grant("rights");
                assertThat(one.renew(claim)).isEqualTo(RenewResult.RENEWED);
                CompletableFuture<Boolean> woken = new CompletableFuture<>();
                other.store().watch("rights", () -> woken.complete(true));
                Eventually.becomes(
                        "subscribed",
                        () -> cluster.nodes().stream()
                                .anyMatch(node -> node.command("PUBSUB", "NUMSUB", "{tenure}:changes")
                                        .endsWith("1")));
                assertThat(one.release(claim)).isTrue();
                assertThat(Answers.within(Duration.ofSeconds(60), woken)).isTrue();
                cluster.nodes()
                        .forEach(node -> assertThat(node.command("ACL", "LOG"))
                                .as(node.toString())
                                .isEmpty());
            }
        }
    }
}
