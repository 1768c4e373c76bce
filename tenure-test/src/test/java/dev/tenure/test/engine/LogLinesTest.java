package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.OwnedLease;
import dev.tenure.StoreRejectedException;
import dev.tenure.TokenImplausibleException;
import dev.tenure.channel.FullMode;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.log.CoreEvent;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

/**
 * What is logged with which level, id and pairs; the beginnings of the lines are what people search for. Other tests look
 * at the events of what they test, and {@link CapturedLog#close()} at every line.
 */
class LogLinesTest extends EngineTest {

    @Test
    void B46_eventsHaveTheirLevelAndTheirWords() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(lease -> {}, (lease, reason) -> {
            throw new IllegalStateException("listener");
        });
        elector.start();
        world.settle();
        leaseOf(elector).onLost(reason -> {
            throw new IllegalStateException("callback");
        });
        assertThat(log.lines(
                        "INFO", "stands: billing key=leader:billing store=scripted instance=a [candidate_started]"))
                .hasSize(1);
        assertThat(log.lines("INFO", "elected: billing token=")).hasSize(1);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(log.lines("WARN", "leadership lost: billing").get(0))
                .endsWith("term=1 reason=taken_over held=3s [leadership_lost]");
        assertThat(log.lines("WARN", "fault survived: role=billing where=lost listener [listener_failed]"))
                .hasSize(1);
        assertThat(log.lines("WARN", "onLost callback threw role=billing [callback_failed]"))
                .hasSize(1);
        store().on(Kind.ACQUIRE).times(3).fail(EngineTest::outage);
        advanceTo(20);
        assertThat(elector.isLeader()).isTrue();
        assertThat(log.lines("WARN", "store gives no answer: scripted role=billing"))
                .hasSize(1);
        assertThat(log.lines("INFO", "store answers again: scripted")).hasSize(1);
        elector.resign();
        advanceTo(22);
        assertThat(log.lines("INFO", "leadership ended: billing").get(0)).contains("reason=resigned");
        assertThat(log.lines("INFO", "released: billing")).hasSize(1);
        assertThat(log.lines("ERROR")).isEmpty();
        a.failAt("Woken", 1);
        store().wake(KEY);
        advanceTo(23);
        assertThat(log.lines("ERROR", "where=rules of the election")).hasSize(1);
        elector.stop();
        advanceTo(24);
        assertThat(log.lines("INFO", "leadership ended: billing").get(1)).contains("reason=stopped");
        assertThat(log.lines("INFO", "stands no longer: billing")).hasSize(1);
    }

    @Test
    void B46_anElectionTellsItsEventsInPairs() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        long token = leaseOf(elector).fencingToken().value();
        advanceTo(2);
        elector.stop();
        advanceTo(4);
        assertThat(log.told(CoreEvent.CANDIDATE_STARTED))
                .containsExactly(Map.of("role", ROLE, "key", KEY, "store", "scripted", "instance", "a"));
        assertThat(log.told(CoreEvent.LEADERSHIP_ACQUIRED))
                .containsExactly(Map.of("role", ROLE, "token", token, "term", 1L, "key", KEY, "store", "scripted"));
        assertThat(log.told(CoreEvent.LEADERSHIP_ENDED))
                .containsExactly(
                        Map.of("role", ROLE, "token", token, "term", 1L, "reason", "stopped", "held_ms", 2_000L));
        assertThat(log.told(CoreEvent.LEASE_RELEASED))
                .containsExactly(Map.of("role", ROLE, "token", token, "term", 1L));
        assertThat(log.told(CoreEvent.CANDIDATE_STOPPED))
                .containsExactly(Map.of("role", ROLE, "key", KEY, "store", "scripted"));
    }

    @Test
    void B46_aLossTellsWhy() {
        LeaderElector elector = leader(process("a"));
        long token = leaseOf(elector).fencingToken().value();
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        assertThat(log.told(CoreEvent.LEADERSHIP_LOST))
                .containsExactly(
                        Map.of("role", ROLE, "token", token, "term", 1L, "reason", "taken_over", "held_ms", 3_000L));
        assertThat(elector.term()).isGreaterThan(0);
    }

    /**
     * Renewed at 3 s, so held until 12 s.
     */
    @Test
    void B46_aFrozenTermLastedUntilItsDeadline() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        long token = leaseOf(elector).fencingToken().value();
        advanceTo(4);
        a.pause();
        advanceTo(24);
        a.resume();
        assertThat(log.told(CoreEvent.LEADERSHIP_LOST))
                .containsExactly(Map.of(
                        "role", ROLE, "token", token, "term", 1L, "reason", "deadline_exceeded", "held_ms", 12_000L));
    }

    /**
     * Two lines for a lease and one for its return, and none at this level for who asks in vain.
     */
    @Test
    void B46_whoAcquiresOnceBeginsAndEndsInDebug() {
        VirtualTenure a = process("a");
        OwnedLease lease = now(a.tenure().tryAcquireAsync(ROLE)).orElseThrow();
        assertThat(now(process("b").tenure().tryAcquireAsync(ROLE))).isEmpty();
        lease.release();
        world.settle();
        assertThat(log.pairs(CoreEvent.CANDIDATE_STARTED, Level.DEBUG)).hasSize(2);
        assertThat(log.pairs(CoreEvent.CANDIDATE_STOPPED, Level.DEBUG)).hasSize(2);
        assertThat(log.told(CoreEvent.CANDIDATE_STARTED)).isEmpty();
        assertThat(log.lines("INFO")).hasSize(3);
    }

    @Test
    void aRecordThatCouldNotBeGivenBackIsTold() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        store().on(Kind.RELEASE).hold();
        elector.stop();
        advanceTo(30);
        assertThat(log.told(CoreEvent.LEASE_NOT_RELEASED))
                .hasSize(1)
                .allMatch(pairs -> pairs.get("outcome").equals("left_to_expire"));
    }

    @Test
    void R059_anElectionAndAWatchShareAnOutage() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.stand(ROLE);
        LeaderWatch watch = a.tenure().watch(ROLE);
        world.settle();
        store().cut("a");
        advanceTo(12);
        assertThat(elector.isLeader()).isFalse();
        assertThat(log.told(CoreEvent.STORE_UNAVAILABLE)).hasSize(1);
        store().heal();
        advanceTo(30);
        assertThat(log.told(CoreEvent.STORE_RECOVERED)).hasSize(1);
        assertThat(log.lines("WARN", "store gives no answer").get(0)).contains(" error=");
        watch.close();
    }

    @Test
    void R059_aWatchThatIsClosedEndsNoOutage() {
        VirtualTenure a = process("a");
        LeaderWatch watch = a.tenure().watch(ROLE);
        world.settle();
        store().cut("a");
        advanceTo(12);
        assertThat(log.told(CoreEvent.STORE_UNAVAILABLE)).hasSize(1);
        watch.close();
        advanceTo(300);
        assertThat(log.told(CoreEvent.STORE_STILL_FAILING)).isEmpty();
        assertThat(log.told(CoreEvent.STORE_RECOVERED)).isEmpty();
    }

    @Test
    void R059_eachOutageHasItsKindOnce() {
        VirtualTenure a = process("a");
        store().on(Kind.ACQUIRE).times(2).fail(EngineTest::outage);
        LeaderElector elector = a.stand(ROLE);
        advanceTo(10);
        assertThat(elector.isLeader()).isTrue();
        store().on(Kind.RENEW).once().fail(() -> new StoreRejectedException("no permission", null));
        advanceTo(16);
        store().on(Kind.RENEW).once().fail(() -> new TokenImplausibleException(KEY, 9, 1));
        advanceTo(30);
        assertThat(log.told(CoreEvent.STORE_UNAVAILABLE)).hasSize(1);
        assertThat(log.told(CoreEvent.STORE_REJECTS))
                .containsExactly(Map.of("role", ROLE, "store", "scripted", "error", "no permission"));
        assertThat(log.told(CoreEvent.TOKEN_IMPLAUSIBLE)).hasSize(1);
        assertThat(log.told(CoreEvent.STORE_RECOVERED)).hasSize(3);
    }

    @Test
    void B46_whatUserCodeThrowsIsToldByItsKind() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(lease -> {}, (lease, reason) -> {
            throw new IllegalStateException("listener");
        });
        elector.start();
        world.settle();
        a.tenure().watch(ROLE).onChange(leader -> {
            throw new IllegalStateException("watch");
        });
        leaseOf(elector).onLost(reason -> {
            throw new IllegalStateException("callback");
        });
        elector.stop();
        advanceTo(2);
        assertThat(log.told(CoreEvent.LISTENER_FAILED)).containsExactly(Map.of("role", ROLE, "where", "lost listener"));
        assertThat(log.told(CoreEvent.CALLBACK_FAILED))
                .containsExactly(Map.of("where", "onLost callback", "role", ROLE));
        assertThat(log.told(CoreEvent.WATCH_LISTENER_FAILED)).isNotEmpty().containsOnly(Map.of("role", ROLE));
    }

    @Test
    void B46_aChannelTellsWhatItDropsByReason() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        LeaderChannel<Integer> channel = LeaderChannel.<Integer>builder("changes", elector)
                .capacity(1)
                .whenFull(FullMode.DROP_OLDEST)
                .drainOnLoss(true)
                .dropReportInterval(Duration.ofNanos(1)) // on the clock of the machine: at once
                .build();
        channel.offer(1);
        assertThat(log.told(CoreEvent.CHANNEL_DROPPED))
                .containsExactly(Map.of(
                        "channel", "changes", "role", ROLE, "items", 1L, "follower", 1L, "full", 0L, "loss", 0L));
        elector.start();
        advanceTo(2);
        channel.offer(2);
        channel.offer(3);
        assertThat(log.told(CoreEvent.CHANNEL_FULL))
                .containsExactly(Map.of(
                        "channel", "changes", "role", ROLE, "items", 1L, "follower", 0L, "full", 1L, "loss", 0L));
        elector.stop();
        advanceTo(4);
        assertThat(channel.poll()).isEmpty();
        assertThat(log.told(CoreEvent.CHANNEL_DISCARDED))
                .containsExactly(Map.of("channel", "changes", "role", ROLE, "items", 1L));
    }

    @Test
    void anExecutorThatRefusesIsToldOnce() {
        VirtualTenure a = processWith(
                "a",
                setup -> setup.executor(task -> {
                    throw new RejectedExecutionException("full");
                }));
        LeaderElector elector = a.tenure().elector(ROLE);
        elector.onChange(lease -> {}, (lease, reason) -> {});
        elector.start();
        advanceTo(2);
        elector.resign();
        advanceTo(4);
        assertThat(log.told(CoreEvent.EXECUTOR_REFUSES)).hasSize(1);
    }

    @Test
    void K113_aSecondInstanceOfOneNameIsTold() {
        leader(process("a"));
        processWith("b", setup -> setup.instance("a")).stand(ROLE);
        advanceTo(2);
        assertThat(log.told(CoreEvent.INSTANCE_NAME_TAKEN)).isEqualTo(List.of(Map.of("role", ROLE, "instance", "a")));
    }
}
