package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.ElectorHealth;
import dev.tenure.FencingToken;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.Leadership;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LeaseStores;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Registration;
import dev.tenure.Tenure;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.spi.LeaseStore;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.FakeLeadership;
import dev.tenure.test.FakeRole;
import dev.tenure.test.LeadershipLeaks;
import dev.tenure.test.LeaseStoreContract;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The Java of the guide to tests, which runs.
 */
class TestingExamples {
    // code under test

    static final class Heating implements AutoCloseable {
        private final Registration registration;
        private volatile boolean on;

        Heating(Leadership leadership) {
            registration = leadership.onChange(lease -> on = true, (lease, reason) -> on = false);
        }

        boolean isOn() {
            return on;
        }

        @Override
        public void close() {
            registration.remove();
        }
    }

    interface Ledger {
        void close(long batch, FencingToken token);
    }

    static final class Batches {
        private final List<Long> open;
        private final Ledger ledger;

        Batches(List<Long> open, Ledger ledger) {
            this.open = open;
            this.ledger = ledger;
        }

        void closeAll(Lease lease) {
            for (long batch : open) {
                lease.ensureHeld();
                ledger.close(batch, lease.fencingToken());
            }
        }

        void keepClosing(Lease lease) throws InterruptedException {
            do {
                closeAll(lease);
            } while (!lease.awaitLost(Duration.ofSeconds(5)));
        }
    }

    /**
     * Finishes what it has begun when it is asked to stop, and commits nothing once the lease is lost.
     */
    static final class Consumer {
        private final List<String> committed = new ArrayList<>();

        void consume(Lease lease, Runnable poll) {
            while (lease.isHeld()) {
                poll.run();
                if (!lease.remaining().isZero()) {
                    committed.add("batch");
                }
            }
        }
    }

    static String address(LeaderWatch watch) {
        return watch.leader().flatMap(leader -> leader.metadata("url")).orElse("nobody");
    }

    static int status(LeaderElector elector) {
        return elector.health().isHealthy() ? 200 : 503;
    }

    // the guide

    @Nested
    @ExtendWith(LeadershipLeaks.class)
    class HeatingTest {
        private final FakeLeadership billing = FakeLeadership.of("billing");

        @Test
        void heatsOnTheLeaderOnly() {
            try (Heating heating = new Heating(billing)) {
                billing.elect();
                assertThat(heating.isOn()).isTrue();
                billing.lose(LossReason.TAKEN_OVER);
                assertThat(heating.isOn()).isFalse();
            }
            assertThat(billing.history()).containsExactly("elected billing=1", "lost billing=1 TAKEN_OVER");
        }
    }

    @Nested
    @ExtendWith(LeadershipLeaks.class)
    class HandedTest {
        @Test
        void leavesNothingBehind(@FakeRole("shipping") FakeLeadership shipping) {
            new Heating(shipping).close();
        }
    }

    private final FakeLeadership billing = FakeLeadership.of("billing");

    @Test
    void stopsBetweenTwoBatches() {
        List<Long> closed = new ArrayList<>();
        Batches batches = new Batches(List.of(1L, 2L, 3L), (batch, token) -> closed.add(batch));

        Lease lease = billing.electForChecks(2); // held twice, lost at the third look
        assertThatThrownBy(() -> batches.closeAll(lease)).isInstanceOf(LeadershipLostException.class);
        assertThat(closed).containsExactly(1L, 2L);
    }

    @Test
    void worksUntilItsTermIsOver() {
        List<Long> closed = new ArrayList<>();
        Batches batches = new Batches(List.of(1L), (batch, token) -> closed.add(batch));

        billing.runs(batches::keepClosing); // as for tenure.elector("billing", batches::keepClosing)
        billing.electForChecks(3); // returns when the work has
        assertThat(closed).containsExactly(1L, 1L);
        assertThat(billing.failures()).isEmpty();
    }

    @Test
    void finishesWhatItHasBegun() {
        Consumer consumer = new Consumer();
        Lease lease = billing.elect();
        consumer.consume(lease, () -> billing.beginEnd(LossReason.RESIGNED)); // asked to stop in the midst of a batch
        billing.finishEnd();
        assertThat(consumer.committed).hasSize(1);
    }

    @Test
    void commitsNothingWhenTheLeaseIsLost() {
        Consumer consumer = new Consumer();
        Lease lease = billing.elect();
        consumer.consume(lease, () -> billing.lose(LossReason.TAKEN_OVER));
        assertThat(consumer.committed).isEmpty();
    }

    @Test
    void timePasses() {
        Lease lease = billing.elect();
        billing.advance(Duration.ofSeconds(10)); // nothing is renewed
        assertThat(lease.remaining()).isEqualTo(Duration.ofMillis(3_500));
        billing.advanceRenewing(Duration.ofHours(1)); // the term goes on
        assertThat(lease.isHeld()).isTrue();
        billing.advance(Duration.ofSeconds(15));
        assertThat(lease.lossReason()).contains(LossReason.DEADLINE_EXCEEDED);
    }

    @Test
    void runsOnSchedule() {
        List<Instant> reports = new ArrayList<>();
        try (LeaderScheduler scheduler = LeaderScheduler.on(billing)) {
            scheduler.schedule(
                    "report", Schedule.fixedRate(Duration.ofMinutes(10)), (lease, slot) -> reports.add(slot));
            billing.advance(Duration.ofMinutes(10)); // a follower
            billing.elect();
            billing.advanceRenewing(Duration.ofMinutes(20)); // on this thread
        }
        assertThat(reports)
                .containsExactly(Instant.parse("2026-01-01T00:20:00Z"), Instant.parse("2026-01-01T00:30:00Z"));
    }

    @Test
    void buffersOnTheLeaderOnly() {
        try (LeaderChannel<String> changes =
                LeaderChannel.<String>builder("changes", billing).build()) {
            changes.offer("dropped");
            billing.elect();
            changes.offer("kept");
            assertThat(changes.size()).isEqualTo(1);
            assertThat(changes.drops().follower()).isEqualTo(1);
        }
    }

    @Test
    void forwardsToWhoeverLeads() {
        FencingToken token = new FencingToken("billing", 7);
        billing.follow(new Leader("billing", "b", Map.of("url", "http://b"), Optional.of(token)));
        assertThat(address(billing.watch())).isEqualTo("http://b");
        billing.announce(Map.of("url", "http://a")).elect(); // its token is above 7
        assertThat(address(billing.watch())).isEqualTo("http://a");
    }

    @Test
    void reportsAnOutage() {
        billing.setHealth(
                new ElectorHealth(ElectorHealth.Status.UNREACHABLE, billing.now(), "no answer", Optional.empty()));
        assertThat(status(billing)).isEqualTo(503);
        billing.elect(); // the store answers again
        assertThat(status(billing)).isEqualTo(200);
    }

    @Test
    void waitsOnAnotherThread() throws Exception {
        ExecutorService service = Executors.newSingleThreadExecutor();
        Future<Lease> waiting = service.submit(() -> billing.awaitLeadership());
        Lease lease = billing.elect();
        assertThat(waiting.get(30, TimeUnit.SECONDS)).isSameAs(lease);
        service.shutdown();
    }

    @Test
    void worksOnAStoreInMemory() throws InterruptedException {
        LeaseStore store = LeaseStores.inMemory();
        try (Tenure tenure = Tenure.on(store);
                OwnedLease lease = tenure.acquire("nightly-report")) {
            assertThat(tenure.tryAcquire("nightly-report")).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void survivesARefusedRenewal() {
        try (VirtualWorld world = VirtualWorld.create()) {
            VirtualTenure a = world.process("a");
            VirtualTenure b = world.process("b");
            LeaderElector first = a.stand("billing");
            LeaderElector second = b.stand("billing");
            world.settle();
            assertThat(first.isLeader()).isTrue();

            world.store().on(StoreCall.Kind.RENEW).from("a").once().answer(RenewResult.NOT_HOLDER);
            world.advance(Duration.ofSeconds(30)); // takes no time
            a.crash();
            world.advance(Duration.ofSeconds(30));
            assertThat(second.isLeader()).isTrue();
            world.checker().verify();
        }
    }

    static class OwnStoreTest extends LeaseStoreContract {
        private static final LeaseStore DATA = LeaseStores.inMemory();

        @Override
        protected LeaseStore open() {
            return DATA; // what is opened within a test works on the same data
        }
    }
}
