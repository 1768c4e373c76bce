package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.AcquireResult.Denied;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Answers;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What the store makes of Consul, seen through Consul's own API.
 */
class ConsulStoreTest {
    private final ConsulAgent agent = ConsulAgent.shared();
    private final String key = "service/" + UUID.randomUUID() + "/leader";
    private final Asker asker = Asker.of(open("2s"));

    private LeaseStore open(String lockDelay) {
        return ConsulLeaseStore.builder(agent.url() + "?lockDelay=" + lockDelay).build();
    }

    @AfterEach
    void close() {
        asker.close();
    }

    @Test
    void theTokenIsTheIndexOfTheKeyAndRenewalsDoNotMoveIt() {
        Claim claim = asker.grant(key);
        assertThat(agent.entry(key).index()).isEqualTo(claim.token());
        assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
        assertThat(agent.entry(key).index()).isEqualTo(claim.token());
        assertThat(asker.release(claim)).isTrue();
    }

    @Test
    void askingAgainWritesNothing() {
        Holder holder = Asker.holder("a");
        Claim claim = asker.grant(key, holder);
        assertThat(asker.grant(key, holder).token()).isEqualTo(claim.token());
        assertThat(agent.entry(key).index()).isEqualTo(claim.token());
        assertThat(agent.sessions(key)).isEqualTo(1);
    }

    @Test
    void sessionsAreAsTheOptionsSay() {
        asker.withLease(Duration.ofSeconds(10)).grant(key);
        Object session = Json.list(
                        agent.json("GET", "/v1/session/info/" + agent.entry(key).session(), ""))
                .get(0);
        assertThat(Json.text(session, "TTL")).isEqualTo("10000ms");
        assertThat(Json.number(session, "LockDelay")).isEqualTo(2_000_000_000L);
        assertThat(Json.text(session, "Behavior")).isEqualTo("release");
        assertThat(Json.list(Json.field(session, "NodeChecks"))).isEmpty();
    }

    @Test
    void K118_noLockDelayIsSentAsNone() {
        try (LeaseStore store = open("0s")) {
            Asker other = Asker.of(store);
            other.grant(key);
            String session = agent.entry(key).session();
            Object info = Json.list(agent.json("GET", "/v1/session/info/" + session, ""))
                    .get(0);
            assertThat(Json.number(info, "LockDelay")).isZero();
            agent.destroy(session);
            other.grant(key);
        }
    }

    @Test
    void theLockDelayIsHonouredAfterAnInvalidationAndToldInTheDenial() {
        Asker six = Asker.of(open("6s"));
        six.grant(key);
        agent.destroy(agent.entry(key).session());
        long destroyed = System.nanoTime();
        Holder next = Asker.holder("b");
        AcquireResult first = six.ask(key, next);
        assertThat(first).isInstanceOf(Denied.class);
        assertThat(((Denied) first).retryAfter().orElseThrow())
                .isPositive()
                .isLessThanOrEqualTo(Duration.ofMillis(6_010));
        Eventually.becomes("a grant", () -> six.ask(key, next) instanceof Granted);
        assertThat(Duration.ofNanos(System.nanoTime() - destroyed)).isGreaterThan(Duration.ofMillis(5_950));
        six.close();
    }

    @Test
    void aReleaseHasNoLockDelayAndLeavesNoSession() {
        Claim claim = asker.grant(key);
        assertThat(asker.release(claim)).isTrue();
        assertThat(agent.sessions(key)).isZero();
        assertThat(agent.entry(key).value()).as("what was written stays").contains("\"name\":\"a\"");
        asker.release(asker.grant(key));
    }

    @Test
    void aDestroyedSessionIsToldAsGoneAndADeletedKeyAsAnothers() {
        Claim one = asker.grant(key);
        agent.destroy(agent.entry(key).session());
        assertThat(asker.renew(one)).isEqualTo(RenewResult.SESSION_GONE);
        String other = key + "2";
        Claim two = asker.grant(other);
        agent.delete(other);
        assertThat(asker.renew(two)).isEqualTo(RenewResult.NOT_HOLDER);
    }

    @Test
    void ofManyRenewalsOnlyTheFailedOnesAreRefused() {
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < 70; i++) {
            claims.add(asker.grant(key + i));
        }
        agent.delete(key + 3);
        agent.delete(key + 66);
        List<RenewResult> answers = asker.renewAll(claims);
        for (int i = 0; i < 70; i++) {
            assertThat(answers.get(i)).isEqualTo(i == 3 || i == 66 ? RenewResult.NOT_HOLDER : RenewResult.RENEWED);
        }
        claims.forEach(asker::release);
        assertThat(agent.sessions(key + 5)).isZero();
    }

    @Test
    void deniedCandidatesKeepOneSessionAndClosingDestroysIt() {
        Claim claim = asker.grant(key);
        try (LeaseStore store = open("2s")) {
            Asker other = Asker.of(store);
            Holder holder = Asker.holder("b");
            for (int i = 0; i < 3; i++) {
                assertThat(other.ask(key, holder)).isInstanceOf(Denied.class);
            }
            assertThat(agent.sessions(key)).isEqualTo(2);
        }
        assertThat(agent.sessions(key)).isEqualTo(1);
        assertThat(asker.release(claim)).isTrue();
        assertThat(agent.sessions(key)).isZero();
    }

    @Test
    void sinceIsTheGrantAndNotTheFirstAttempt() {
        Claim claim = asker.grant(key);
        Holder waiting = Asker.holder("b");
        assertThat(asker.ask(key, waiting)).isInstanceOf(Denied.class);
        assertThat(asker.release(claim)).isTrue();
        Instant released = Instant.now();
        assertThat(asker.ask(key, waiting)).isInstanceOf(Granted.class);
        assertThat(asker.read(key).orElseThrow().acquiredAt().orElseThrow()).isAfterOrEqualTo(released);
    }

    @Test
    void K123_aSessionThatExpiredWhileWaitingIsMadeAnewWithinTheCall() {
        Claim claim = asker.grant(key);
        Holder waiting = Asker.holder("b");
        assertThat(asker.ask(key, waiting)).isInstanceOf(Denied.class);
        String own = agent.entry(key).session();
        Json.list(agent.json("GET", "/v1/session/list", "")).stream()
                .filter(session -> Json.text(session, "Name").equals("tenure " + key))
                .map(session -> Json.text(session, "ID"))
                .filter(id -> !id.equals(own))
                .forEach(agent::destroy);
        assertThat(asker.release(claim)).isTrue();
        assertThat(asker.ask(key, waiting)).isInstanceOf(Granted.class);
    }

    @Test
    void abandonedAcquisitionsLeaveNoLockAndNoSession() {
        try (FaultProxy proxy = new FaultProxy(agent);
                Asker hasty = Asker.at(proxy.url()).withLease(Duration.ofSeconds(10))) {
            for (int i = 0; i < 60; i++) {
                Holder holder = Asker.holder("a");
                int begun = proxy.requests().size();
                int until = i % 4; // nothing was sent, the first, the second, all is done
                var asked = hasty.asks(key, holder).toCompletableFuture();
                Eventually.becomes(
                        "the moment", () -> asked.isDone() || proxy.requests().size() - begun >= until);
                hasty.release(hasty.claim(key, holder, Claim.UNKNOWN_TOKEN));
                Eventually.becomes("an answer", asked::isDone);
                hasty.release(hasty.claim(key, holder, Claim.UNKNOWN_TOKEN));
            }
        }
        assertThat(asker.read(key)).isEmpty();
        assertThat(agent.sessions(key)).isZero();
        asker.grant(key);
    }

    @Test
    void revocationKeepsTheKeyClosedAndTheHoldersSessionAlive() {
        Claim claim = asker.grant(key);
        String session = agent.entry(key).session();
        assertThat(Answers.within(Duration.ofSeconds(60), asker.store().revoke(key)))
                .isTrue();
        assertThat(agent.entry(key).session()).isNotEmpty().isNotEqualTo(session);
        assertThat(asker.renew(claim)).isEqualTo(RenewResult.NOT_HOLDER);
        assertThat(asker.ask(key, Asker.holder("b"))).isInstanceOf(Denied.class);
    }

    @Test
    void revocationDestroysTheSessionIfTheLockDelayKeepsTheKeyClosedForALease() {
        try (LeaseStore store = open("10s")) {
            Asker holder = Asker.of(store).withLease(Duration.ofSeconds(10));
            Claim claim = holder.grant(key);
            long revoked = System.nanoTime();
            assertThat(Answers.within(Duration.ofSeconds(60), asker.store().revoke(key)))
                    .isTrue();
            assertThat(agent.sessions(key)).isZero();
            assertThat(holder.renew(claim)).isEqualTo(RenewResult.SESSION_GONE);
            Holder next = Asker.holder("b");
            assertThat(asker.ask(key, next)).isInstanceOf(Denied.class);
            Eventually.becomes("a grant", () -> asker.ask(key, next) instanceof Granted);
            assertThat(Duration.ofNanos(System.nanoTime() - revoked)).isGreaterThan(Duration.ofMillis(9_950));
        }
    }

    @Test
    void revocationOfAnothersSessionWaitsForItsTimeAndNotForAGuess() {
        agent.seize(key, "another's"); // for 60 s, and a lock delay of 15 s
        String session = agent.entry(key).session();
        assertThat(Answers.within(Duration.ofSeconds(60), asker.store().revoke(key)))
                .isTrue();
        Entry entry = agent.entry(key);
        assertThat(entry.session()).isNotEmpty().isNotEqualTo(session);
        Object info = Json.list(agent.json("GET", "/v1/session/info/" + entry.session(), ""))
                .get(0);
        assertThat(Json.text(info, "TTL")).isEqualTo("60000ms");
    }

    @Test
    void aNamespaceBeginsEveryKeyAndOthersAreNotListed() {
        String namespace = "team-" + UUID.randomUUID();
        Claim outside = asker.grant(key);
        try (LeaseStore store =
                ConsulLeaseStore.builder(agent.url()).namespace(namespace).build()) {
            Asker inside = Asker.of(store);
            Claim claim = inside.grant(key);
            assertThat(agent.entry(namespace + "/" + key).index()).isEqualTo(claim.token());
            assertThat(inside.list())
                    .singleElement()
                    .satisfies(record -> assertThat(record.key()).isEqualTo(key));
            assertThat(inside.release(claim)).isTrue();
        }
        assertThat(asker.release(outside)).isTrue();
    }
}
