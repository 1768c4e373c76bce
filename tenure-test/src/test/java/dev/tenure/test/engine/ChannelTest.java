package dev.tenure.test.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.channel.FullMode;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.channel.LeaderChannel.Admitted;
import dev.tenure.channel.LeaderChannel.Drops;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.RenewResult;
import dev.tenure.test.virtual.StoreCall.Kind;
import dev.tenure.test.virtual.VirtualCall;
import dev.tenure.test.virtual.VirtualTenure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The channel on real elections.
 */
class ChannelTest extends EngineTest {
    private static final Duration TICK = Duration.ofMillis(10);

    private static LeaderChannel<Integer> channel(LeaderElector elector, int capacity, boolean drainOnLoss) {
        return LeaderChannel.<Integer>builder("changes", elector)
                .capacity(capacity)
                .whenFull(FullMode.WAIT)
                .drainOnLoss(drainOnLoss)
                .build();
    }

    @Test
    void R065_oneLeadsAndItsItemsAreKeptWhileTheOthersAreDiscarded() {
        LeaderElector a = leader(process("a"));
        LeaderElector b = process("b").stand(ROLE);
        world.settle();
        LeaderChannel<Integer> ofA = channel(a, 10, false);
        LeaderChannel<Integer> ofB = channel(b, 10, false);
        assertThat(ofA.offer(1)).isTrue();
        assertThat(ofB.offer(1)).isTrue();
        assertThat(ofA.poll()).contains(new Admitted<>(1, leaseOf(a)));
        assertThat(ofB.poll()).isEmpty();
        assertThat(ofB.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @Test
    void R065_aWriteAtTheDeadlineIsAFollowersThoughItsProcessStandsStill() {
        VirtualTenure a = process("a");
        LeaderChannel<Integer> channel = channel(leader(a), 10, false);
        a.pause(); // neither loop nor callbacks run
        world.advance(seconds(9).minusNanos(1));
        channel.offer(1);
        world.advance(Duration.ofNanos(1));
        channel.offer(2);
        assertThat(channel.size()).isEqualTo(1);
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
        a.resume();
    }

    @Test
    void R065_aFrozenProcessKeepsAtMostFifteenItemsPastItsDeadlineWhichForEachDrops() throws Exception {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        Lease lease = leaseOf(elector);
        LeaderChannel<Integer> channel = channel(elector, 10_000, false);
        writeAtOnce(channel, 1_000);
        channel.drainTo(new ArrayList<>());
        a.pause(); // neither loop nor callbacks run
        world.advance(seconds(60));
        LeaderElector b = process("b").stand(ROLE);
        world.settle();
        assertThat(b.isLeader()).isTrue();
        writeAtOnce(channel, 1_000);
        int late = channel.size();
        assertThat(late).isLessThanOrEqualTo(15);
        assertThat(channel.drops()).isEqualTo(new Drops(1_000 - late, 0, 0));
        channel.close();
        channel.forEach((item, admitting) -> {
            throw new AssertionError("of an ended term: " + item);
        });
        assertThat(channel.drops()).isEqualTo(new Drops(1_000 - late, 0, late));
        assertThat(lease.isHeld()).isFalse();
        a.resume();
    }

    @Test
    void R065_inAFrozenProcessTheFirstLookOfAnybodyEndsAdmission() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderChannel<Integer> channel = channel(elector, 10_000, false);
        writeAtOnce(channel, 1_000);
        a.pause();
        world.advance(seconds(60));
        assertThat(elector.isLeader()).isFalse();
        writeAtOnce(channel, 100);
        assertThat(channel.size()).isEqualTo(1_000);
        assertThat(channel.drops()).isEqualTo(new Drops(100, 0, 0));
        a.resume();
    }

    @Test
    void R065_whatEndsATermEndsAdmissionOfABusyWriter() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderChannel<Integer> channel = channel(elector, 10_000, false);
        writeAtOnce(channel, 1_000);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        world.advance(seconds(3)); // before the deadline
        writeAtOnce(channel, 100);
        assertThat(channel.size()).isEqualTo(1_000);
        assertThat(channel.drops()).isEqualTo(new Drops(100, 0, 0));
    }

    @Test
    void R065_aBusyWriterIsEndedByResign() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderChannel<Integer> channel = channel(elector, 10_000, false);
        writeAtOnce(channel, 1_000);
        elector.resign();
        world.settle();
        writeAtOnce(channel, 100);
        assertThat(channel.size()).isEqualTo(1_000);
    }

    @Test
    void R074_withDrainOnLossAFrozenProcessKeepsNothingPastItsDeadline() {
        VirtualTenure a = process("a");
        LeaderChannel<Integer> channel = channel(leader(a), 10_000, true);
        writeAtOnce(channel, 1_000);
        a.pause();
        world.advance(seconds(9));
        writeAtOnce(channel, 100);
        assertThat(channel.drops()).isEqualTo(new Drops(100, 0, 0));
        a.resume();
        world.settle();
        assertThat(channel.drops()).isEqualTo(new Drops(100, 0, 1_000));
    }

    /**
     * So fast that virtual time stands.
     */
    private static void writeAtOnce(LeaderChannel<Integer> channel, int items) {
        for (int i = 0; i < items; i++) {
            assertThat(channel.offer(i)).isTrue();
        }
    }

    @Test
    void R067_monitorsAreToldWithRoleChannelAndReason() {
        List<String> told = new ArrayList<>();
        VirtualTenure a = processWith(
                "a",
                setup -> setup.monitor(new ElectionMonitor() {
                    @Override
                    public void itemsDropped(String role, String channel, String reason, long count) {
                        told.add(role + " " + channel + " " + reason + " " + count);
                    }
                }));
        LeaderElector elector = a.tenure().elector(ROLE);
        LeaderChannel<Integer> channel = LeaderChannel.<Integer>builder("changes", elector)
                .capacity(1)
                .drainOnLoss(true)
                .build();
        channel.offer(1);
        channel.offer(2);
        elector.start();
        world.settle();
        assertThat(told).containsExactly("billing changes follower 1", "billing changes follower 1");
        channel.offer(3);
        channel.offer(4);
        channel.offer(5);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        channel.close();
        world.settle();
        assertThat(told.subList(2, told.size())).containsExactly("billing changes loss 1", "billing changes full 2");
        assertThat(channel.drops()).isEqualTo(new Drops(2, 2, 1));
    }

    @Test
    void R069_aRefusedRenewalWakesAWaitingPut() {
        VirtualTenure a = process("a");
        LeaderChannel<Integer> channel = channel(leader(a), 1, false);
        channel.offer(1);
        VirtualCall<Boolean> put = a.call(() -> {
            channel.put(2);
            return true;
        });
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        world.advance(seconds(3).minusNanos(1));
        assertThat(put.isDone()).isFalse();
        world.advance(Duration.ofNanos(1));
        assertThat(put.result()).isTrue();
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @Test
    void putAsyncCompletesOnACallbackThread() {
        VirtualTenure a = process("a");
        LeaderChannel<Integer> channel = channel(leader(a), 1, false);
        channel.offer(1);
        AtomicReference<String> thread = new AtomicReference<>();
        CompletableFuture<Void> done = channel.putAsync(2)
                .thenRun(() -> thread.set(Thread.currentThread().getName()));
        channel.poll();
        now(done);
        assertThat(thread.get()).startsWith("virtual-a-");
    }

    @Test
    void R071_anAsyncWriteIsHeardOfThoughItsTermEndedBeforeAnyListenerWasTold() {
        VirtualTenure a = process("a");
        LeaderElector elector = a.tenure().elector(ROLE);
        LeaderChannel<Integer> channel = channel(elector, 1, false);
        a.holdCallbacks();
        elector.start();
        world.settle();
        channel.offer(1);
        CompletableFuture<Void> waits = channel.putAsync(2);
        store().on(Kind.RENEW).once().answer(RenewResult.NOT_HOLDER);
        advanceTo(3);
        a.releaseCallbacks();
        assertThat(isDone(waits)).isTrue();
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @Test
    void R074_aVoluntaryEndDrainsBeforeTheNextOneLeads() {
        VirtualTenure a = process("a");
        LeaderElector elector = leader(a);
        LeaderElector other = process("b").stand(ROLE);
        LeaderChannel<Integer> channel = channel(elector, 10, true);
        channel.offer(1);
        elector.resign();
        world.settle();
        assertThat(channel.size()).isZero();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 1));
        advanceTo(1);
        assertThat(other.isLeader()).isTrue();
    }

    @Test
    void B61_noItemIsOnBothAfterARefusedRenewalAndTheGapIsCounted() {
        LeaderElector a = leader(process("a"));
        LeaderElector b = process("b").stand(ROLE);
        store().on(Kind.RENEW).from("a").once().answer(RenewResult.NOT_HOLDER);
        world.after(seconds(5), () -> store().direct().forceRelease(KEY));
        assertThat(writtenToBothButKeptByNone(a, b)).isBetween(seconds(2), seconds(2.01)); // from 3 s to 5 s
    }

    @Test
    void B61_noItemIsOnBothUnderACutConnection() {
        LeaderElector a = leader(process("a"));
        LeaderElector b = process("b").stand(ROLE);
        world.after(seconds(4), () -> store().cut("a"));
        assertThat(writtenToBothButKeptByNone(a, b))
                .isBetween(seconds(1), seconds(1.01)); // from the deadline to the end: 12 s to 13 s
    }

    /**
     * Feeds both for 20 s; the length of the gap, by the items in it.
     */
    private Duration writtenToBothButKeptByNone(LeaderElector a, LeaderElector b) {
        LeaderChannel<Integer> ofA = channel(a, 10_000, false);
        LeaderChannel<Integer> ofB = channel(b, 10_000, false);
        int written = 0;
        while (world.elapsed().compareTo(seconds(20)) < 0) {
            ofA.offer(written);
            ofB.offer(written++);
            world.advance(TICK);
        }
        List<Admitted<Integer>> all = new ArrayList<>();
        int kept = ofA.drainTo(all);
        kept += ofB.drainTo(all);
        assertThat(all.stream().map(Admitted::item)).doesNotHaveDuplicates().hasSize(kept);
        assertThat(all.stream().map(each -> each.lease().fencingToken()).distinct())
                .hasSize(2);
        assertThat(ofA.drops().follower() + ofB.drops().follower()).isEqualTo(2L * written - kept);
        return TICK.multipliedBy(written - kept);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void K166_everyItemIsDeliveredOrCountedOverAHandOver(boolean discard) {
        LeaderElector a = leader(process("a"));
        Lease first = leaseOf(a);
        LeaderElector b = process("b").stand(ROLE);
        LeaderChannel<Integer> ofA = channel(a, 80, discard);
        LeaderChannel<Integer> ofB = channel(b, 80, discard);
        store().on(Kind.RENEW).from("a").skipping(1).once().answer(RenewResult.NOT_HOLDER);
        world.after(seconds(5), () -> store().wake(KEY));
        world.after(seconds(8), () -> store().direct().forceRelease(KEY));
        List<Admitted<Integer>> sent = new ArrayList<>();
        List<CompletableFuture<Void>> waits = new ArrayList<>();
        int written = 0;
        for (; written < 1_200; written++) {
            waits.add(ofA.putAsync(written));
            waits.add(ofB.putAsync(written));
            boolean stalled = written >= 400 && written < 550; // the reader of A, 80 buffered and more waiting
            if (!stalled) {
                ofA.poll().ifPresent(sent::add);
            }
            ofB.poll().ifPresent(sent::add);
            world.advance(TICK);
            if (!first.isHeld()) {
                assertThat(waits).allMatch(CompletableFuture::isDone);
            }
        }
        ofA.drainTo(sent);
        ofB.drainTo(sent);
        assertThat(first.isHeld()).isFalse();
        assertThat(b.isLeader()).isTrue();
        Drops lostByA = ofA.drops();
        assertThat(lostByA.loss()).isEqualTo(discard ? 80 : 0);
        assertThat(sent.size() + sum(lostByA) + sum(ofB.drops())).isEqualTo(2L * written);
        FencingToken second = leaseOf(b).fencingToken();
        assertThat(sent)
                .allSatisfy(each -> assertThat(each.lease().fencingToken())
                        .isEqualTo(each.item() < 510 ? first.fencingToken() : second));
        assertThat(sent.stream().map(Admitted::item)).doesNotHaveDuplicates();
    }

    private static long sum(Drops drops) {
        return drops.follower() + drops.full() + drops.loss();
    }
}
