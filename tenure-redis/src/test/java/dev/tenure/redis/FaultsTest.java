package dev.tenure.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.StoreRejectedException;
import dev.tenure.StoreUnavailableException;
import dev.tenure.Tenure;
import dev.tenure.TokenImplausibleException;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * What a server says instead of yes or no, and that it goes on when the fault is over: always unknown, never lost.
 */
@Isolated("breaks servers that others use, or counts what they do")
class FaultsTest {
    private final String key = "faults-" + UUID.randomUUID();
    private final String record = "tenure:lock:" + key;

    private static void assertUnavailable(Throwable error, String told) {
        assertThat(error).isInstanceOf(StoreUnavailableException.class).hasMessageContaining(told);
    }

    private static void assertRejected(Throwable error, String told) {
        assertThat(error).isInstanceOf(StoreRejectedException.class).hasMessageContaining(told);
    }

    private static Throwable failureOfRenewing(Asker asker, Claim claim) {
        return asker.failure(store -> store.renew(asker.own(claim)));
    }

    private static void goesOn(Asker asker, Claim claim) {
        Eventually.becomes("renewed again", () -> asker.renew(claim) == RenewResult.RENEWED);
    }

    /**
     * Until its end is later than two renewals that are under way now could make it, each a second after the other.
     */
    private static void awaitRenewals(Lease lease) {
        long before = lease.remaining().toNanos() + System.nanoTime();
        Eventually.becomes(
                "renewed",
                () -> !lease.isHeld()
                        || System.nanoTime() + lease.remaining().toNanos() - before > TimeUnit.SECONDS.toNanos(3));
    }

    @Test
    void wrongPasswordIsRejected() {
        try (RedisNode node = new RedisNode("requirepass right").start()) {
            String address = node.address();
            try (Asker wrong = Asker.at("redis://:wrong@" + address);
                    Asker none = Asker.at("redis://" + address);
                    Asker right = Asker.at("redis://:right@" + address)) {
                assertRejected(wrong.failureOfAsking(key), "WRONGPASS");
                assertRejected(none.failureOfAsking(key), "NOAUTH");
                assertThat(wrong.failureOfAsking(key).getMessage()).doesNotContain(":wrong@");
                right.grant(key);
            }
        }
    }

    @Test
    void K121_missingPermissionIsNamedAndTheElectionGoesOnWhenItIsGranted() {
        try (RedisNode node = new RedisNode().start()) {
            node.command("ACL", "SETUSER", "app", "on", ">secret", "~tenure:*", "&tenure:*", "+@all", "-evalsha");
            try (Asker asker = Asker.at("redis://app:secret@" + node.address())) {
                assertRejected(asker.failureOfAsking(key), "evalsha");
                node.command("ACL", "SETUSER", "app", "+evalsha", "-hset");
                assertRejected(asker.failureOfAsking(key), "script");
                node.command("ACL", "SETUSER", "app", "+hset");
                asker.grant(key);
            }
        }
    }

    @Test
    void K121_K170_healthShowsAMissingPermissionAndTheElectionGoesOn() {
        try (RedisNode node = new RedisNode().start()) {
            node.command("ACL", "SETUSER", "app", "on", ">secret", "~tenure:*", "&tenure:*", "+@all", "-hset");
            try (Tenure tenure = Tenure.builder(RedisLeaseStore.connect("redis://app:secret@" + node.address()))
                    .defaults(options ->
                            options.retryInterval(Duration.ofMillis(50)).retryJitter(Duration.ZERO))
                    .build()) {
                LeaderElector elector = tenure.elector(key).start();
                Eventually.becomes(
                        "misconfigured", () -> elector.health().status() == ElectorHealth.Status.MISCONFIGURED);
                assertThat(elector.health().toString()).contains("script");
                node.command("ACL", "SETUSER", "app", "+hset");
                Eventually.becomes("leads", elector::isLeader);
                assertThat(elector.health().status()).isNotEqualTo(ElectorHealth.Status.MISCONFIGURED);
            }
        }
    }

    @Test
    void K146_anotherServicesPrefixIsRejected() {
        try (RedisNode node = new RedisNode().start()) {
            node.command("ACL", "SETUSER", "app", "on", ">secret", "~app1:*", "&app1:*", "+@all", "-@dangerous");
            try (Asker own = Asker.at("redis://app:secret@" + node.address(), "namespace", "app1");
                    Asker other = Asker.at("redis://app:secret@" + node.address())) {
                Claim claim = own.grant(key);
                assertThat(own.renew(claim)).isEqualTo(RenewResult.RENEWED);
                own.acceptToken(key, claim.token());
                assertThat(own.read(key)).isPresent();
                assertThat(own.list()).hasSize(1);
                assertThat(own.release(claim)).isTrue();
                assertRejected(other.failureOfAsking(key), "NOPERM");
                assertThat(node.command("KEYS", "*").lines()).allMatch(name -> name.startsWith("app1:"));
            }
        }
    }

    @Test
    void R058_unreachableIsUnavailableAtOnceAndFoundWhenItComes() {
        try (RedisNode node = new RedisNode();
                Asker asker = Asker.at(node.url())) {
            assertUnavailable(asker.failureOfAsking(key), node.address());
            node.start();
            Eventually.becomes("granted", () -> asker.grant(key).token() > 0);
        }
    }

    @Test
    void tlsWherePlainIsSpokenIsTold() {
        RedisNode node = RedisServers.single();
        try (Asker asker = Asker.at("rediss://" + node.address())) {
            assertUnavailable(asker.failureOfAsking(key), "TLS handshake was not answered");
        }
    }

    @Test
    void K098_readOnlyReplicaIsUnavailable() {
        try (RedisNode master = new RedisNode("repl-diskless-sync-delay 0").start();
                RedisNode replica = new RedisNode("replicaof 127.0.0.1 " + master.port()).start();
                Asker asker = Asker.at(replica.url())) {
            master.awaitReplication(List.of(replica));
            assertUnavailable(asker.failureOfAsking(key), "READONLY");
            replica.command("REPLICAOF", "NO", "ONE");
            Claim claim = asker.grant(key);
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(master.port()));
            assertUnavailable(failureOfRenewing(asker, claim), "READONLY");
        }
    }

    @Test
    void loadingIsUnavailable() {
        try (RedisNode node = new RedisNode(
                        "appendonly yes",
                        "appendfsync no",
                        "key-load-delay 10000",
                        "loading-process-events-interval-bytes 1024")
                .start()) {
            node.command("DEBUG", "POPULATE", "5000", "filler", "10");
            node.command("BGREWRITEAOF");
            Eventually.becomes(
                    "written",
                    () -> node.info("persistence")
                                    .get("aof_rewrite_in_progress")
                                    .equals("0")
                            && !node.info("persistence")
                                    .get("aof_last_rewrite_time_sec")
                                    .equals("-1"));
            node.kill();
            node.launch();
            try (Asker asker = Asker.at(node.url())) {
                Eventually.becomes(
                        "loading is told",
                        () -> asker.failureOfAsking(key).getMessage().contains("LOADING"));
                node.command("CONFIG", "SET", "key-load-delay", "0");
                Eventually.becomes("granted", () -> asker.grant(key).token() > 0);
            }
        }
    }

    @Test
    void busyScriptIsUnavailable() {
        try (RedisNode node = new RedisNode("busy-reply-threshold 100").start();
                Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            CompletableFuture<Void> spinning =
                    CompletableFuture.runAsync(() -> node.command("EVAL", "while true do end", "0"));
            Eventually.becomes("busy is told", () -> failureOrNull(asker, claim).contains("BUSY"));
            node.command("SCRIPT", "KILL");
            goesOn(asker, claim);
            assertThat(spinning).failsWithin(Duration.ofSeconds(90));
        }
    }

    private static String failureOrNull(Asker asker, Claim claim) {
        return Answers.within(
                Duration.ofSeconds(90),
                asker.store().renew(asker.own(claim)).handle((done, failed) -> String.valueOf(failed)));
    }

    @Test
    void outOfMemoryIsUnavailableAndRenewalsGoOn() {
        try (RedisNode node = new RedisNode().start();
                Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            node.command("CONFIG", "SET", "maxmemory", "1");
            assertUnavailable(asker.failureOfAsking(key + "-other"), "OOM");
            assertThat(node.command("EXISTS", record + "-other", record + "-other:fence"))
                    .isEqualTo("0");
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
            assertThat(asker.release(claim)).isTrue();
            node.command("CONFIG", "SET", "maxmemory", "0");
            asker.grant(key + "-other");
        }
    }

    @Test
    void K150_writesDisabledAreUnavailable() {
        try (RedisNode node = new RedisNode("stop-writes-on-bgsave-error yes", "save 1 1").start();
                Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            node.failToSave();
            assertUnavailable(failureOfRenewing(asker, claim), "MISCONF");
            assertUnavailable(asker.failure(store -> store.release(asker.own(claim))), "MISCONF");
            node.command("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
        }
    }

    @Test
    void noReplicasIsUnavailable() {
        try (RedisNode node = new RedisNode("repl-diskless-sync-delay 0").start();
                Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            node.command("CONFIG", "SET", "min-replicas-to-write", "1");
            assertUnavailable(failureOfRenewing(asker, claim), "NOREPLICAS");
            assertUnavailable(asker.failureOfAsking(key + "-other"), "NOREPLICAS");
            node.command("CONFIG", "SET", "min-replicas-to-write", "0");
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
        }
    }

    @Test
    void K099_forgottenScriptsAreSentAgainWithinTheCall() {
        RedisNode node = RedisServers.single();
        try (Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            node.command("SCRIPT", "FLUSH");
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
            node.command("SCRIPT", "FLUSH");
            assertThat(asker.release(claim)).isTrue();
        }
    }

    @Test
    void pausedClientsAreUnknownAndServedLater() {
        try (RedisNode node = new RedisNode().start();
                Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            node.command("CLIENT", "PAUSE", "1500", "ALL");
            CompletionStage<RenewResult> late = asker.store().renew(asker.own(claim));
            assertThat(Answers.within(Duration.ofSeconds(90), late)).isEqualTo(RenewResult.RENEWED);
        }
    }

    @Test
    void halfOpenLinkIsReplacedOnceItHasBeenSilent() {
        RedisNode node = RedisServers.single();
        try (LinkProxy proxy = new LinkProxy(node.port());
                Asker patient = Asker.at(proxy.url())) {
            Claim claim = patient.grant(key);
            Asker asker = patient.withLimit(Duration.ofMillis(200));
            proxy.mode(LinkProxy.Mode.DROP_REPLIES);
            CompletableFuture<RenewResult> unanswered =
                    asker.store().renew(asker.own(claim)).toCompletableFuture();
            Eventually.becomes("given up", () -> {
                asker.store().renew(asker.own(claim)); // the next one notices
                return unanswered.isCompletedExceptionally();
            });
            proxy.mode(LinkProxy.Mode.PASS); // what was swallowed never comes
            Eventually.becomes(
                    "renewed over another connection",
                    () -> !failureOrNull(asker, claim).contains("Exception"));
            goesOn(asker, claim);
        }
    }

    /**
     * The next try after an unanswered renewal goes another way, before the deadline.
     */
    @Test
    void K019_aDeadConnectionCostsNoTerm() throws Exception {
        RedisNode node = RedisServers.single();
        try (LinkProxy proxy = new LinkProxy(node.port());
                Tenure tenure = Tenure.builder(RedisLeaseStore.connect(proxy.url()))
                        .defaults(
                                options -> options.lease(Duration.ofSeconds(60)).renewInterval(Duration.ofSeconds(1)))
                        .build()) {
            Lease lease = tenure.elector(key).start().awaitLeadership();
            proxy.silence();
            awaitRenewals(lease);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    /**
     * A name that leads to another server now; old connections stay, and lead to what is a replica.
     */
    @Test
    void K098_aRenewalThatMeetsAReplicaGoesToTheNewMaster() throws Exception {
        try (RedisNode old = new RedisNode().start();
                RedisNode next = new RedisNode("replicaof 127.0.0.1 " + old.port()).start();
                LinkProxy name = new LinkProxy(old.port());
                Tenure tenure = Tenure.builder(RedisLeaseStore.connect(name.url()))
                        .defaults(
                                options -> options.lease(Duration.ofSeconds(60)).renewInterval(Duration.ofSeconds(1)))
                        .build()) {
            Lease lease = tenure.elector(key).start().awaitLeadership();
            old.awaitReplication(List.of(next));
            name.leadTo(next.port());
            next.command("REPLICAOF", "NO", "ONE");
            old.command("REPLICAOF", "127.0.0.1", Integer.toString(next.port()));
            awaitRenewals(lease);
            assertThat(lease.isHeld()).isTrue();
            assertThat(next.command("HGET", "tenure:lock:leader:" + key, "token"))
                    .isEqualTo(Long.toString(lease.fencingToken().value()));
        }
    }

    @Test
    void aReplicaWithoutTheRecordEndsNoTerm() {
        try (RedisNode node = new RedisNode().start();
                RedisNode empty = new RedisNode().start();
                Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            node.command("REPLICAOF", "127.0.0.1", Integer.toString(empty.port()));
            Eventually.becomes("emptied", () -> node.command("EXISTS", record).equals("0"));
            assertUnavailable(failureOfRenewing(asker, claim), "READONLY");
        }
    }

    @Test
    void aMissingRightLeavesNoRecordWithoutAnEnd() {
        try (RedisNode node = new RedisNode().start()) {
            node.command("ACL", "SETUSER", "app", "on", ">secret", "~tenure:*", "&tenure:*", "+@all", "-pexpire");
            try (Asker asker = Asker.at("redis://app:secret@" + node.address())) {
                assertRejected(asker.failureOfAsking(key), "tenure doctor names the missing right");
                assertThat(node.command("EXISTS", record)).isEqualTo("0");
                node.command("ACL", "SETUSER", "app", "+pexpire");
                asker.grant(key);
            }
        }
    }

    @Test
    void nothingIsSentOnceTheCallIsOverAndNoAttemptIsLeftOpen() {
        try (RedisNode node = new RedisNode().start();
                Asker asker = Asker.at(node.url()).withLimit(Duration.ofMillis(200))) {
            node.pause();
            CompletableFuture<?> late = asker.asks(key, Asker.holder("a")).toCompletableFuture();
            assertThat(late).failsWithin(Duration.ofSeconds(90)); // the driver gives up connecting
            node.resume();
            assertThat(node.command("EXISTS", record)).isEqualTo("0");
        }
    }

    @Test
    void cutConnectionIsUnknownAndMadeAnew() {
        RedisNode node = RedisServers.single();
        try (LinkProxy proxy = new LinkProxy(node.port());
                Asker asker = Asker.at(proxy.url())) {
            Claim claim = asker.grant(key);
            proxy.cut();
            goesOn(asker, claim);
            proxy.mode(LinkProxy.Mode.REFUSE);
            proxy.cut();
            Eventually.becomes("noticed", () -> !failureOrNull(asker, claim).equals("null"));
            assertUnavailable(failureOfRenewing(asker, claim), Integer.toString(proxy.port()));
            proxy.mode(LinkProxy.Mode.PASS);
            goesOn(asker, claim);
        }
    }

    @Test
    void recordDeletedByHandIsNotTheHoldersAnyMore() {
        RedisNode node = RedisServers.single();
        try (Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            node.command("DEL", record);
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.NOT_HOLDER);
            assertThat(asker.release(claim)).isFalse();
            assertThat(asker.grant(key).token()).isGreaterThan(claim.token());
        }
    }

    @Test
    void recordOverwrittenWithAnotherTypeIsUnknownToItsHolderAndHeldToOthers() {
        RedisNode node = RedisServers.single();
        try (Asker asker = Asker.at(node.url())) {
            Claim claim = asker.grant(key);
            Claim other = asker.grant(key + "-other");
            node.command("SET", record, "by hand", "PX", "60000");
            List<CompletionStage<RenewResult>> answers =
                    asker.store().renewAll(List.of(asker.own(claim), asker.own(other)));
            assertThat(Answers.failure(Duration.ofSeconds(90), () -> answers.get(0)))
                    .hasMessageContaining("WRONGTYPE");
            assertThat(Answers.within(Duration.ofSeconds(90), answers.get(1))).isEqualTo(RenewResult.RENEWED);
            assertThat(asker.denied(key).present().orElseThrow().holder().incarnation())
                    .isEqualTo("unknown-string");
            assertThat(asker.denied(key).retryAfter().orElseThrow())
                    .isBetween(Duration.ofSeconds(10), Duration.ofSeconds(61));
        }
    }

    @Test
    void recordOfAnotherProgramIsHeldByUnknownUntilItExpires() {
        RedisNode node = RedisServers.single();
        try (Asker asker = Asker.at(node.url(), "prefix", "orionbeacon:lease:")) {
            String theirs = "orionbeacon:lease:{" + key + "}";
            node.command("HSET", theirs, "holder", "theirs", "token", "41");
            node.command("PEXPIRE", theirs, "600000");
            node.command("SET", theirs + ":fence", "41");
            assertThat(asker.denied(key).present().orElseThrow().holder().incarnation())
                    .isEqualTo("unknown-hash");
            assertThat(node.command("HGET", theirs, "holder")).isEqualTo("theirs");
            node.command("PEXPIRE", theirs, "50");
            Eventually.becomes("granted", () -> asker.ask(key, Asker.holder("next")) instanceof Granted);
            assertThat(node.command("GET", theirs + ":fence").length()).isGreaterThan(10);
        }
    }

    @Test
    void K107_recordWithoutAnExpiryIsReportedInsteadOfWaitedFor() {
        RedisNode node = RedisServers.single();
        try (Asker asker = Asker.at(node.url())) {
            node.command("SET", record, "by hand");
            assertRejected(asker.failureOfAsking(key), "has no expiry");
            assertThat(asker.forceRelease(key)).isTrue();
            Claim claim = asker.grant(key);
            node.command("PERSIST", record);
            assertRejected(asker.failureOfAsking(key), "has no expiry");
            assertThat(asker.ask(key, claim.holder())).hasFieldOrPropertyWithValue("token", claim.token());
            assertThat(node.command("PTTL", record)).isNotEqualTo("-1");
        }
    }

    @Test
    void counterOfAnotherTypeIsReportedAndRepairedByAccepting() {
        RedisNode node = RedisServers.single();
        try (Asker asker = Asker.at(node.url())) {
            node.command("RPUSH", record + ":fence", "by hand");
            assertRejected(asker.failureOfAsking(key), "counter is no number, of type list");
            for (String huge : List.of("99999999999999999999", "9".repeat(400))) {
                node.command("SET", record + ":fence", huge);
                assertThat(asker.failureOfAsking(key)).isInstanceOf(TokenImplausibleException.class);
            }
            for (String wrong : List.of("nan", "-1", "1e99", "x", "")) {
                node.command("SET", record + ":fence", wrong);
                assertRejected(asker.failureOfAsking(key), "counter is no number, of type string");
            }
            asker.acceptToken(key, 7);
            assertThat(asker.grant(key).token()).isGreaterThan(7);
        }
    }

    @Test
    void R018_databasesAreIndependent() {
        RedisNode node = RedisServers.single();
        try (Asker first = Asker.at(node.url());
                Asker second = Asker.at(node.url() + "/3")) {
            first.grant(key);
            second.grant(key);
            first.denied(key);
        }
    }
}
