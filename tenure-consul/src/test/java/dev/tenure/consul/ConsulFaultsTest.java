package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectorHealth.Status;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LeaseStores;
import dev.tenure.LossReason;
import dev.tenure.Tenure;
import dev.tenure.consul.FaultProxy.Fate;
import dev.tenure.spi.AcquireResult.Granted;
import dev.tenure.spi.Claim;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What goes wrong between the library and an agent.
 */
class ConsulFaultsTest {

    private static final long HALF_A_SECOND = TimeUnit.MILLISECONDS.toNanos(500);
    private final ConsulAgent agent = ConsulAgent.shared();
    private final FaultProxy proxy = new FaultProxy(agent);
    private final String role = "role-" + UUID.randomUUID();
    private final String key = "service/" + role + "/leader";
    private final Asker asker = Asker.at(proxy.url());
    private final Asker hasty = asker.withLimit(Duration.ofSeconds(4));
    private final Asker other = Asker.at(agent.url());

    @AfterEach
    void close() {
        proxy.all(Fate.PASSES);
        asker.close();
        other.close();
        proxy.close();
    }

    /**
     * The first request so begun meets this; all others pass.
     */
    private static BiFunction<String, String, Fate> first(String path, Fate fate) {
        AtomicInteger met = new AtomicInteger();
        return (method, asked) -> asked.startsWith(path) && met.getAndIncrement() == 0 ? fate : Fate.PASSES;
    }

    private Granted granted(Holder holder) {
        return (Granted) asker.ask(key, holder);
    }

    private Object unknown(Holder holder) {
        return hasty.failure(store -> hasty.asks(key, holder));
    }

    @Test
    void acquisitionIsAtMostTwoRequestsAndAReleaseTwo() {
        Claim claim = asker.grant(key);
        assertThat(proxy.requests()).hasSize(2);
        assertThat(asker.release(claim)).isTrue();
        assertThat(proxy.requests()).hasSize(4);
    }

    @Test
    void lostAnswerOfALockIsResolvedByAskingAgain() {
        Holder holder = Asker.holder("a");
        proxy.on(first("/v1/txn", Fate.UNANSWERED));
        unknown(holder);
        long index = agent.entry(key).index();
        assertThat(granted(holder).token()).isEqualTo(index);
        assertThat(agent.entry(key).index()).as("nothing was written").isEqualTo(index);
        assertThat(agent.sessions(key)).isEqualTo(1);
    }

    @Test
    void halfOfAnAnswerIsUnknown() {
        Holder holder = Asker.holder("a");
        for (String path : new String[] {"/v1/session/create", "/v1/txn"}) {
            proxy.on(first(path, Fate.CUT));
            unknown(holder);
        }
        assertThat(granted(holder).token()).isEqualTo(agent.entry(key).index());
    }

    @Test
    void errorOfTheAgentIsUnknown() {
        Holder holder = Asker.holder("a");
        Claim claim = asker.claim(key, holder, granted(holder).token());
        for (Fate fate : new Fate[] {Fate.FAILS, Fate.CUT, Fate.STALLED, Fate.UNANSWERED, Fate.DROPPED}) {
            for (String path : new String[] {"/v1/session/renew", "/v1/txn"}) {
                proxy.on(first(path, fate));
                hasty.failure(store -> store.renew(hasty.own(claim)));
                assertThat(asker.renew(claim)).as("%s of %s", path, fate).isEqualTo(RenewResult.RENEWED);
            }
        }
        assertThat(other.denied(key).present()).isPresent();
    }

    @Test
    void answersThatStopInTheMiddleKeepNobodyFromTheirTurn() {
        Claim claim = asker.grant(key);
        proxy.all(Fate.STALLED);
        for (int i = 0; i < 4; i++) {
            hasty.failure(store -> store.renew(hasty.own(claim)));
        }
        proxy.all(Fate.PASSES);
        assertThat(asker.renew(claim)).isEqualTo(RenewResult.RENEWED);
        assertThat(asker.release(claim)).isTrue();
        other.grant(key);
    }

    @Test
    void lostAnswerOfAnUnlockIsResolvedByAskingAgainWithoutALockDelay() {
        Claim claim = asker.grant(key);
        proxy.on(first("/v1/txn", Fate.UNANSWERED));
        hasty.failure(store -> store.release(hasty.own(claim)));
        assertThat(asker.release(claim)).isTrue();
        assertThat(agent.sessions(key)).isZero();
        other.grant(key);
    }

    @Test
    void unlockThatWasNotCarriedOutIsSentAgainBeforeTheSessionIsDestroyed() {
        Claim claim = asker.grant(key);
        proxy.on(first("/v1/txn", Fate.FAILS));
        hasty.failure(store -> store.release(hasty.own(claim)));
        assertThat(agent.sessions(key)).isEqualTo(1);
        assertThat(asker.release(claim)).isTrue();
        other.grant(key);
    }

    @Test
    void destructionThatFailsIsSentAgain() {
        Claim claim = asker.grant(key);
        proxy.on(first("/v1/session/destroy", Fate.FAILS));
        hasty.failure(store -> store.release(hasty.own(claim)));
        other.grant(key);
        assertThat(asker.release(claim)).as("it had freed it").isTrue();
        assertThat(agent.sessions(key)).as("the other's").isEqualTo(1);
    }

    @Test
    void leaderOutlastsErrorsShorterThanItsLease() throws Exception {
        try (Tenure tenure = tenure(Duration.ofMinutes(2))) {
            LeaderElector elector = tenure.elector(role).start();
            Eventually.becomes("leader", elector::isLeader);
            Lease lease = elector.lease().orElseThrow();
            int renewals = renewals();
            proxy.all(Fate.FAILS);
            Eventually.becomes("a renewal that fails", () -> renewals() > renewals);
            proxy.all(Fate.PASSES);
            long before = lease.remaining().toNanos() + System.nanoTime();
            Eventually.becomes(
                    "a renewal", () -> System.nanoTime() + lease.remaining().toNanos() - before > HALF_A_SECOND);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    private Tenure tenure(Duration lease) {
        return Tenure.builder(LeaseStores.open(proxy.url()))
                .defaults(options -> options.lease(lease).renewInterval(Duration.ofSeconds(3)))
                .build();
    }

    private int renewals() {
        return (int) proxy.requests().stream()
                .filter(request -> request.path().startsWith("/v1/session/renew"))
                .count();
    }

    @Test
    void silenceEndsTheTermAtItsDeadlineAndLeadershipReturns() throws Exception {
        try (Tenure tenure = tenure(Duration.ofSeconds(15))) {
            LeaderElector elector = tenure.elector(role);
            elector.start();
            Eventually.becomes("leader", elector::isLeader);
            var lease = elector.lease().orElseThrow();
            proxy.all(Fate.DROPPED);
            assertThat(lease.lost().toCompletableFuture().get(120, TimeUnit.SECONDS))
                    .isEqualTo(LossReason.DEADLINE_EXCEEDED);
            Eventually.becomes("told", () -> elector.health().status() == Status.UNREACHABLE);
            proxy.all(Fate.PASSES);
            Eventually.becomes("leader again", elector::isLeader);
            assertThat(elector.lease().orElseThrow().fencingToken().value())
                    .isGreaterThan(lease.fencingToken().value());
        }
    }
}
