package dev.tenure.channel;

import static dev.tenure.channel.LeaderChannel.Drops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * What readers get, and what the end of a term does to it.
 */
class ReadingTest extends ChannelTestBase {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void R072_acceptedItemsStayReadableAfterTheLoss() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        channel.offer(2);
        channel.offer(3);
        leadership.lose();
        assertThat(channel.take().item()).isEqualTo(1);
        assertThat(items(channel)).containsExactly(2, 3);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void R073_eachItemCarriesItsTermSoThatTheReaderCanTell() {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        Lease first = leadership.elect();
        channel.offer(1);
        leadership.lose();
        Lease second = leadership.elect();
        channel.offer(2);
        LeaderChannel.Admitted<Integer> stale = channel.poll().orElseThrow();
        LeaderChannel.Admitted<Integer> fresh = channel.poll().orElseThrow();
        assertThat(stale.isCurrent()).isFalse();
        assertThat(stale.lease().fencingToken()).isEqualTo(first.fencingToken());
        assertThat(fresh.isCurrent()).isTrue();
        assertThat(fresh.lease().fencingToken()).isEqualTo(second.fencingToken());
    }

    @Test
    void R074_drainOnLossDiscardsCountsAndLogs() {
        LeaderChannel<Integer> channel =
                channel(leadership, options -> options.capacity(10).drainOnLoss(true));
        leadership.elect();
        channel.offer(1);
        channel.offer(2);
        channel.offer(3);
        leadership.lose();
        assertThat(channel.size()).isZero();
        assertThat(channel.poll()).isEmpty();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 3));
        assertThat(newLines()).hasSize(1).allMatch(line -> line.contains("discarded 3 buffered items"));
    }

    @Test
    void R074_drainOnLossHoldsAtAReadBeforeAnybodyIsTold() {
        LeaderChannel<Integer> channel =
                channel(leadership, options -> options.capacity(10).drainOnLoss(true));
        leadership.elect();
        channel.offer(1);
        channel.offer(2);
        leadership.passDeadline();
        leadership.electSilently();
        channel.offer(3);
        assertThat(channel.poll().orElseThrow().item()).isEqualTo(3);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 2));
        assertThat(newLines()).hasSize(1).allMatch(line -> line.contains("discarded 2 buffered items"));
    }

    @Test
    void R074_drainOnLossMakesRoomForWhoWaitedIntoTheNextTerm() throws Exception {
        LeaderChannel<Integer> channel = channel(
                leadership,
                options -> options.capacity(1).whenFull(FullMode.WAIT).drainOnLoss(true));
        leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> waits = channel.putAsync(2);
        leadership.passDeadline();
        leadership.electSilently();
        assertThat(channel.take().item()).isEqualTo(2);
        assertThat(waits).isCompleted();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 1));
        leadership.lose();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 1));
    }

    @Test
    void R074_drainOnLossDoesNotMakeAReaderWaitBesideAnItem() throws Exception {
        LeaderChannel<Integer> channel = channel(
                leadership,
                options -> options.capacity(1).whenFull(FullMode.WAIT).drainOnLoss(true));
        leadership.elect();
        Waiter reader = waiting(() -> assertThat(channel.take().item()).isEqualTo(1));
        channel.offer(1);
        reader.result().get(30, TimeUnit.SECONDS);
        leadership.lose();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void forEachDropsAndCountsWhatAnEndedTermAdmitted() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        channel.offer(2);
        leadership.lose();
        Lease second = leadership.elect();
        channel.offer(3);
        channel.close();
        List<Object> seen = new ArrayList<>();
        channel.forEach((item, lease) -> {
            seen.add(item);
            seen.add(lease);
        });
        assertThat(seen).containsExactly(3, second);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 2));
    }

    @Test
    void forEachEndsWhenClosedAndEmpty() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        List<Integer> seen = new ArrayList<>();
        Waiter reader = waiting(() -> channel.forEach((item, lease) -> seen.add(item)));
        channel.offer(1);
        channel.offer(2);
        channel.close();
        reader.result().get(30, TimeUnit.SECONDS);
        assertThat(seen).containsExactly(1, 2);
    }

    @Test
    void forEachIsInterruptedThoughThereAreItems() {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        channel.offer(2);
        assertThatThrownBy(() ->
                        channel.forEach((item, lease) -> Thread.currentThread().interrupt()))
                .isInstanceOf(InterruptedException.class);
        assertThat(items(channel)).containsExactly(2);
    }

    @Test
    void theConsumerMayUseTheChannelAndWhatItThrowsEndsTheCallAlone() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        assertThatThrownBy(() -> channel.forEach((item, lease) -> {
                    elsewhere(() -> channel.offer(item + 1));
                    throw new IllegalStateException("no");
                }))
                .hasMessage("no");
        assertThat(channel.take().item()).isEqualTo(2);
    }

    @Test
    void manyReadersWaitAndEachItemWakesOne() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        Waiter one = waiting(() -> channel.take());
        Waiter two = waiting(() -> assertThat(channel.poll(LONG)).isPresent());
        Waiter three = waiting(() -> channel.take());
        two.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> two.result().get(30, TimeUnit.SECONDS))
                .withCauseInstanceOf(InterruptedException.class);
        channel.offer(1);
        channel.offer(2);
        one.result().get(30, TimeUnit.SECONDS);
        three.result().get(30, TimeUnit.SECONDS);
        assertThat(channel.size()).isZero();
    }

    @Test
    void aTimedPollComesBackEmpty() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        assertThat(channel.poll(Duration.ofMillis(20))).isEmpty();
        assertThat(channel.poll(Duration.ofSeconds(-1))).isEmpty();
    }

    @Test
    void aClosedChannelIsReadToItsEnd() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        channel.close();
        assertThat(channel.take().item()).isEqualTo(1);
        assertThatThrownBy(channel::take)
                .isInstanceOf(CancellationException.class)
                .hasMessage("channel is closed: changes");
        assertThat(channel.poll(LONG)).isEmpty();
    }

    @Test
    void closingEndsTheWaitsOfReaders() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        Waiter take = waiting(() -> assertThatThrownBy(channel::take).isInstanceOf(CancellationException.class));
        Waiter poll = waiting(() -> assertThat(channel.poll(LONG)).isEmpty());
        channel.close();
        take.result().get(30, TimeUnit.SECONDS);
        poll.result().get(30, TimeUnit.SECONDS);
    }

    @Test
    void B59_closingStopsFollowingTheLeadership() {
        LeaderChannel<Integer> channel =
                channel(leadership, options -> options.capacity(10).drainOnLoss(true));
        leadership.elect();
        channel.offer(1);
        assertThat(leadership.listeners()).isEqualTo(2);
        channel.close();
        assertThat(leadership.listeners()).isZero();
    }
}
