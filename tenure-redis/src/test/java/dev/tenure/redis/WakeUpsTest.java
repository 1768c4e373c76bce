package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.spi.Claim;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Take-over without polling.
 */
@Isolated("breaks servers that others use, or counts what they do")
class WakeUpsTest {
    private static final Duration SOON = Duration.ofSeconds(60);

    private final String role = "wake-" + UUID.randomUUID();

    /**
     * Leases that no test outlives: who leads earlier was woken.
     */
    private static Tenure tenure(RedisNode node) {
        return tenure(node.url(), Duration.ofMinutes(5));
    }

    private static Tenure tenure(String url, Duration lease) {
        return Tenure.builder(RedisLeaseStore.connect(url))
                .defaults(options -> options.lease(lease))
                .build();
    }

    private static void awaitSubscribed(RedisNode node, int count) {
        Eventually.becomes(
                "subscribed",
                () -> node.command("PUBSUB", "NUMSUB", "tenure:changes").endsWith("\n" + count));
    }

    private static long scripts(RedisNode node) {
        String line = node.info("commandstats").getOrDefault("cmdstat_evalsha", "calls=0,");
        return Long.parseLong(line.substring("calls=".length(), line.indexOf(',')));
    }

    @Test
    void R013_R081_aReleaseLetsTheNextOneInAtOnce() throws Exception {
        RedisNode node = RedisServers.single();
        try (Tenure one = tenure(node);
                Tenure other = tenure(node)) {
            OwnedLease held = one.acquire(role);
            for (int i = 0; i < 20; i++) {
                CompletableFuture<OwnedLease> next = (i % 2 == 0 ? other : one).acquireAsync(role);
                OwnedLease before = held;
                Eventually.becomes("denied", () -> !next.isDone());
                before.release();
                held = next.get(SOON.toSeconds(), TimeUnit.SECONDS);
            }
            held.close();
        }
    }

    @Test
    void whoWaitsDoesNotAsk() throws Exception {
        try (RedisNode node = new RedisNode().start();
                Tenure one = tenure(node);
                Tenure other = tenure(node)) {
            OwnedLease held = one.acquire(role);
            List<CompletableFuture<OwnedLease>> waiting = new ArrayList<>();
            waiting.add(other.acquireAsync(role));
            awaitSubscribed(node, 2);
            Eventually.becomes("all have asked", () -> settled(node));
            long before = scripts(node);
            long from = System.nanoTime();
            // Twice the interval at which a candidate would poll.
            new CompletableFuture<Void>()
                    .completeOnTimeout(null, 6, TimeUnit.SECONDS)
                    .join();
            long asked = scripts(node) - before;
            long looks =
                    1 + Duration.ofNanos(System.nanoTime() - from).toSeconds() / 10; // each ten seconds, at the most
            assertThat(asked).isLessThanOrEqualTo(looks);
            waiting.forEach(each -> each.cancel(true));
            held.close();
        }
    }

    private static boolean settled(RedisNode node) {
        long before = scripts(node);
        new CompletableFuture<Void>()
                .completeOnTimeout(null, 300, TimeUnit.MILLISECONDS)
                .join();
        return scripts(node) == before;
    }

    @Test
    void oneConnectionAndOneSubscriptionServeAllRoles() throws Exception {
        try (RedisNode node = new RedisNode().start();
                Tenure one = tenure(node);
                Tenure other = tenure(node)) {
            List<LeaderElector> leading = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                leading.add(one.elector(role + i).start());
            }
            for (LeaderElector each : leading) {
                each.awaitLeadership();
            }
            for (int i = 0; i < 50; i++) {
                other.elector(role + i).start();
            }
            awaitSubscribed(node, 2);
            Eventually.becomes("a connection each", () -> clients(node) == 2);
            assertThat(node.command("CLIENT", "LIST", "TYPE", "pubsub").lines()).hasSize(2);
            assertThat(node.command("PUBSUB", "CHANNELS").lines()).containsExactly("tenure:changes");
        }
    }

    private static long clients(RedisNode node) {
        return node.command("CLIENT", "LIST", "TYPE", "normal")
                .lines()
                .filter(line -> !line.contains("cmd=client"))
                .count();
    }

    @Test
    void aMissedMessageCostsAtMostTheRestOfTheLease() {
        try (RedisNode node = new RedisNode().start()) {
            node.command("ACL", "SETUSER", "deaf", "on", ">secret", "~*", "resetchannels", "+@all");
            try (Tenure one = tenure(node.url(), Duration.ofMinutes(5));
                    Tenure deaf = tenure("redis://deaf:secret@" + node.address(), Duration.ofMinutes(5))) {
                OwnedLease held = Answers.within(SOON, one.acquireAsync(role));
                CompletableFuture<OwnedLease> waiting = deaf.acquireAsync(role);
                Eventually.becomes("denied", () -> scripts(node) >= 2);
                held.release();
                Answers.within(SOON, waiting).close();
            }
        }
    }

    @Test
    void aLostSubscriptionIsMadeAnewAndNothingIsMissed() throws Exception {
        try (RedisNode node = new RedisNode().start();
                Tenure one = tenure(node);
                Tenure other = tenure(node)) {
            OwnedLease held = one.acquire(role);
            CompletableFuture<OwnedLease> waiting = other.acquireAsync(role);
            awaitSubscribed(node, 2);
            node.command("CLIENT", "KILL", "TYPE", "pubsub");
            held.release(); // perhaps while nobody listens
            OwnedLease next = waiting.get(SOON.toSeconds(), TimeUnit.SECONDS);
            awaitSubscribed(node, 2);
            CompletableFuture<OwnedLease> again = one.acquireAsync(role);
            Eventually.becomes("denied", () -> !again.isDone());
            next.release();
            again.get(SOON.toSeconds(), TimeUnit.SECONDS).close();
        }
    }

    @Test
    void aServerThatRestartsIsListenedToAgain() {
        try (RedisNode node = new RedisNode("appendonly yes", "appendfsync always").start();
                Asker one = Asker.at(node.url());
                Asker other = Asker.at(node.url())) {
            Claim claim = one.grant("key");
            CompletableFuture<Boolean> woken = new CompletableFuture<>();
            other.store().watch("key", () -> {});
            awaitSubscribed(node, 1);
            node.restart();
            awaitSubscribed(node, 1);
            other.store().watch("key", () -> woken.complete(true));
            Eventually.becomes("released", () -> one.release(claim));
            assertThat(Answers.within(SOON, woken)).isTrue();
        }
    }

    @Test
    void revocationWakesTheHolder() throws Exception {
        RedisNode node = RedisServers.single();
        try (Tenure one = tenure(node.url(), Duration.ofHours(1)); // its own renewals are far away
                Asker operator = Asker.at(node.url())) {
            OwnedLease held = one.acquire(role);
            String key = "leader:" + role;
            Eventually.becomes(
                    "heard",
                    () -> node.command("PUBSUB", "NUMSUB", "tenure:changes").matches("(?s).*\n[1-9].*"));
            Eventually.becomes(
                    "revoked", () -> Answers.within(SOON, operator.store().revoke(key)));
            assertThat(held.awaitLost(SOON)).isTrue();
            held.close();
        }
    }
}
