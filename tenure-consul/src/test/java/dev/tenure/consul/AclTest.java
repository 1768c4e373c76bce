package dev.tenure.consul;

import static dev.tenure.consul.AclAgent.SESSIONS;
import static dev.tenure.consul.AclAgent.least;
import static dev.tenure.consul.AclAgent.read;
import static dev.tenure.consul.AclAgent.write;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Registration;
import dev.tenure.StoreRejectedException;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Policies on an agent that allows nothing by default: what is enough, and what is told of what is missing.
 */
class AclTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final String SESSION_RULE = "needs session_prefix \"\" { policy = \"write\" }";
    private static AclAgent acl;

    private final String key = "service/" + UUID.randomUUID() + "/leader";

    @BeforeAll
    static void startAgent() {
        acl = new AclAgent();
    }

    @AfterAll
    static void stopAgent() {
        acl.close();
    }

    private static Asker with(String token) {
        return Asker.at(acl.agent.url(), "token", token);
    }

    private static Asker withRules(String rules) {
        return with(acl.token(rules).secret);
    }

    @Test
    void R109_theLeastPolicyIsEnoughForEverything() {
        String secret = acl.token(least(key)).secret;
        try (Asker one = with(secret);
                Asker other = with(secret)) {
            Claim claim = one.grant(key);
            assertThat(one.renew(claim)).isEqualTo(RenewResult.RENEWED);
            Holder next = Asker.holder("next");
            other.ask(key, next);
            CompletableFuture<Boolean> woken = new CompletableFuture<>();
            Registration watch = other.store().watch(key, () -> woken.complete(true));
            assertThat(one.release(claim)).isTrue();
            assertThat(Answers.within(PATIENCE, woken)).isTrue();
            Claim successor = other.grant(key, next);
            assertThat(one.read(key)).isPresent();
            assertThat(one.list().stream().map(LeaseRecord::key)).containsExactly(key);
            assertThat(Answers.within(PATIENCE, one.store().revoke(key))).isTrue();
            assertThat(other.renew(successor)).isEqualTo(RenewResult.NOT_HOLDER);
            assertThat(one.forceRelease(key)).isTrue();
            one.acceptToken(key, claim.token());
            Granted again = (Granted) one.ask(key, Asker.holder("again"));
            assertThat(again.accepted()).isEqualTo(claim.token());
            watch.remove();
            Eventually.becomes("no session but the last grant's", () -> acl.agent.sessions(key) == 1);
        }
    }

    /**
     * More than have queries of their own.
     */
    @Test
    void itIsEnoughToWatchManyKeysToo() {
        String secret = acl.token(least(key)).secret;
        try (Asker one = with(secret);
                Asker other = with(secret)) {
            Map<Claim, CompletableFuture<Boolean>> woken = new LinkedHashMap<>();
            for (int i = 0; i < 9; i++) {
                CompletableFuture<Boolean> each = new CompletableFuture<>();
                Claim claim = one.grant(key + i);
                other.denied(key + i);
                other.store().watch(key + i, () -> each.complete(true));
                woken.put(claim, each);
            }
            woken.forEach((claim, each) -> {
                assertThat(one.release(claim)).isTrue();
                assertThat(Answers.within(PATIENCE, each)).isTrue();
            });
        }
    }

    @Test
    void sessionsOfTheAgentsNodeAloneAreEnough() {
        String node = Json.text(Json.field(acl.agent.json("GET", "/v1/agent/self", ""), "Config"), "NodeName");
        try (Asker asker = withRules(write(key) + "session \"" + node + "\" { policy = \"write\" }")) {
            Claim claim = asker.grant(key);
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
            assertThat(asker.release(claim)).isTrue();
        }
    }

    @Test
    void aRuleForExactlyTheKeyIsEnoughForCandidatesButDoesNotCoverAcceptedTokens() {
        try (Asker asker = withRules("key \"" + key + "\" { policy = \"write\" } " + SESSIONS);
                Asker operator = withRules(least(key))) {
            operator.acceptToken(key, 7);
            Granted granted = (Granted) asker.ask(key, Asker.holder("a"));
            assertThat(granted.accepted()).as("not seen").isZero();
            assertThat(asker.failure(store -> store.acceptToken(key, 8)))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("needs key \"" + key + "/.accepted-token\" { policy = \"write\" }");
            assertThat(asker.forceRelease(key)).isTrue();
        }
    }

    @Test
    void readingNeedsNoMoreThanRead() {
        try (Asker leader = withRules(least(key));
                Asker reader = withRules(read(key) + "session_prefix \"\" { policy = \"read\" }")) {
            Claim claim = leader.grant(key);
            CompletableFuture<Boolean> woken = new CompletableFuture<>();
            Registration watch = reader.store().watch(key, () -> woken.complete(true));
            assertThat(reader.read(key).map(LeaseRecord::token)).contains(claim.token());
            assertThat(reader.list().stream().map(LeaseRecord::key)).containsExactly(key);
            leader.release(claim);
            assertThat(Answers.within(PATIENCE, woken)).isTrue();
            watch.remove();
        }
    }

    @Test
    void whatTheTokenMayNotReadIsListedByNobodyAndFailsToBeRead() {
        try (Asker leader = withRules(least(key));
                Asker stranger = withRules(SESSIONS);
                Asker blind = withRules(read(key))) {
            leader.grant(key);
            assertThat(stranger.list()).isEmpty();
            assertThat(blind.list()).as("without session:read").isEmpty();
            for (Throwable failure : List.of(
                    stranger.failure(store -> store.read(key)),
                    stranger.failure(store -> store.revoke(key)),
                    stranger.failure(store -> store.forceRelease(key)))) {
                assertThat(failure)
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("needs key \"" + key + "\" { policy = \"read\" }");
            }
        }
    }

    private void refused(Asker asker, String... words) {
        try (asker) {
            assertThat(asker.failureOfAsking(key))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageStartingWith("consul at 127.0.0.1:")
                    .satisfies(failure -> assertThat(failure.getMessage()).contains(words));
        }
    }

    @Test
    void R109_eachMissingRightIsToldInWordsOfItsOwn() {
        String needsKey = "the ACL token (option token) needs key \"" + key + "\" { policy = \"write\" }; ";
        refused(Asker.at(acl.agent.url()), "no ACL token is given (options token, tokenFile)", SESSION_RULE);
        String unknown = UUID.randomUUID().toString();
        refused(with(unknown), "the ACL token (option token) is unknown, deleted or expired");
        refused(withRules(write(key)), "Permission denied: the ACL token (option token) " + SESSION_RULE);
        refused(withRules(least("service/other")), needsKey + "it may not even read the key");
        refused(withRules(read(key) + SESSIONS), needsKey + "it may only read the key");
        try (Asker asker = with(unknown)) {
            assertThat(asker.failureOfAsking(key)).hasMessageNotContaining(unknown);
        }
    }

    @Test
    void aSessionThatIsGoneIsNoMatterOfRights() {
        try (Asker asker = withRules(least(key))) {
            Claim claim = asker.grant(key);
            acl.agent.destroy(acl.agent.entry(key).session());
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.SESSION_GONE);
        }
    }

    @Test
    void aDeletedTokenMakesAnswersUnknownAndNoneLost() {
        AclAgent.Token token = acl.token(least(key));
        try (Asker asker = with(token.secret)) {
            Claim claim = asker.grant(key);
            token.delete();
            for (Throwable failure : List.of(
                    asker.failure(store -> store.renew(asker.own(claim))),
                    asker.failure(store -> store.release(asker.own(claim))),
                    asker.failure(store -> store.read(key)))) {
                assertThat(failure)
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining("is unknown, deleted or expired");
            }
            assertThat(acl.agent.entry(key).isLocked()).isTrue();
        }
    }

    @Test
    void aRightThatIsTakenAwayMakesRenewalsUnknownAndBackTheyGoOn() {
        AclAgent.Token token = acl.token(least(key));
        try (Asker asker = with(token.secret)) {
            Claim claim = asker.grant(key);
            for (String less : List.of(SESSIONS, write(key))) {
                token.rules(less);
                assertThat(asker.failure(store -> store.renew(asker.own(claim))))
                        .isInstanceOf(StoreRejectedException.class)
                        .hasMessageContaining(less.equals(SESSIONS) ? "needs key \"" + key + "\"" : SESSION_RULE);
            }
            token.rules(least(key));
            assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
            token.rules(read(key) + SESSIONS);
            assertThat(asker.renew(claim)).as("it writes nothing").isEqualTo(RenewResult.RENEWED);
            assertThat(asker.failure(store -> store.release(asker.own(claim))))
                    .isInstanceOf(StoreRejectedException.class)
                    .hasMessageContaining("needs key \"" + key + "\" { policy = \"write\" }");
            token.rules(least(key));
            assertThat(asker.release(claim)).isTrue();
        }
        assertThat(acl.agent.sessions(key)).isZero();
    }

    /**
     * A held query is answered once more after the right is gone; the next one is refused.
     */
    @Test
    void K120_aQueryWhoseTokenLosesItsRightIsNotAskedInALoop() {
        AclAgent.Token token = acl.token(least(key));
        String operator = acl.token(least(key)).secret;
        try (Recorder front = new Recorder(acl.agent);
                Asker asker = Asker.at(front.url(), "token", token.secret);
                Asker other = with(operator)) {
            CompletableFuture<Boolean> woken = new CompletableFuture<>();
            Registration watch = asker.store().watch(key, () -> woken.complete(true));
            Eventually.becomes("a held query", () -> front.of("GET /v1/kv").size() >= 2);
            token.rules("");
            other.release(other.grant(key));
            Eventually.becomes("a refusal", () -> !refusals(front).isEmpty());
            for (int i = 0; i < 5; i++) {
                other.release(other.grant(key)); // what would answer a held query
            }
            Eventually.becomes("another", () -> refusals(front).size() >= 2);
            long first = refusals(front).get(0).at();
            List<Long> since = front.of("GET /v1/kv").stream()
                    .map(Recorder.Request::at)
                    .filter(at -> at >= first)
                    .sorted()
                    .toList();
            for (int i = 1; i < since.size(); i++) {
                assertThat(Duration.ofNanos(since.get(i) - since.get(i - 1))).isGreaterThan(Duration.ofSeconds(5));
            }
            token.rules(least(key));
            Optional<LeaseRecord> none = asker.read(key);
            assertThat(none).isEmpty();
            watch.remove();
        }
    }

    private static List<Recorder.Request> refusals(Recorder front) {
        return front.of("GET /v1/kv").stream()
                .filter(request -> request.status().get() == 403)
                .toList();
    }
}
