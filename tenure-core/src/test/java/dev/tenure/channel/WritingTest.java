package dev.tenure.channel;

import static dev.tenure.channel.LeaderChannel.Drops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.Lease;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of an item that is written.
 */
class WritingTest extends ChannelTestBase {
    private static final Duration LONG = Duration.ofSeconds(60);

    @ParameterizedTest
    @EnumSource
    void R065_aFollowersWriteIsAcceptedDiscardedAndCounted(FullMode mode) throws Exception {
        LeaderChannel<Integer> channel = channel(1, mode);
        assertThat(channel.offer(1)).isTrue();
        assertThat(channel.offer(2, LONG)).isTrue();
        channel.put(3);
        assertThat(channel.putAsync(4)).isCompleted();
        assertThat(channel.poll()).isEmpty();
        assertThat(channel.size()).isZero();
        assertThat(channel.drops()).isEqualTo(new Drops(4, 0, 0));
    }

    @Test
    void R065_aLeadersItemsAreReadInOrderWithTheLeaseThatAdmittedThem() throws Exception {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        Lease lease = leadership.elect();
        assertThat(channel.offer(1)).isTrue();
        assertThat(channel.offer(2, LONG)).isTrue();
        channel.put(3);
        assertThat(channel.putAsync(4)).isCompleted();
        assertThat(channel.take()).isEqualTo(new LeaderChannel.Admitted<>(1, lease));
        assertThat(channel.poll()).contains(new LeaderChannel.Admitted<>(2, lease));
        assertThat(channel.poll(LONG)).contains(new LeaderChannel.Admitted<>(3, lease));
        assertThat(items(channel)).containsExactly(4);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void R065_aWriteAfterTheDeadlineIsAFollowersThoughNobodyIsTold() {
        LeaderChannel<Integer> channel = channel(10, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        leadership.passDeadline();
        assertThat(channel.offer(2)).isTrue();
        assertThat(items(channel)).containsExactly(1);
        assertThat(channel.drops().follower()).isEqualTo(1);
    }

    @Test
    void modeWaitRefusesAnOfferForWantOfRoomAndCountsNothing() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.put(1);
        assertThat(channel.offer(2)).isFalse();
        assertThat(channel.offer(3, Duration.ofMillis(20))).isFalse();
        assertThat(channel.offer(4, Duration.ofSeconds(-1))).isFalse();
        assertThat(items(channel)).containsExactly(1);
        assertThat(items(channel)).isEmpty();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void aTimeOfAnyLengthWillDo() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        Duration always = Duration.ofSeconds(Long.MAX_VALUE);
        Duration past = Duration.ofSeconds(Long.MIN_VALUE);
        assertThat(channel.poll(past)).isEmpty();
        assertThat(channel.offer(1, past)).isTrue();
        assertThat(channel.offer(2, past)).isFalse();
        Waiter offer = waiting(() -> assertThat(channel.offer(3, always)).isTrue());
        assertThat(channel.poll(always).orElseThrow().item()).isEqualTo(1);
        offer.result().get(30, TimeUnit.SECONDS);
        assertThat(items(channel)).containsExactly(3);
    }

    @Test
    void waitingWritesAreKeptInOrderAsRoomIsMade() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.put(1);
        Waiter put = waiting(() -> channel.put(2));
        CompletableFuture<Void> async = channel.putAsync(3);
        Waiter offer = waiting(() -> assertThat(channel.offer(4, LONG)).isTrue());
        for (int i = 1; i <= 4; i++) {
            assertThat(channel.poll().orElseThrow().item()).isEqualTo(i);
        }
        put.result().get(30, TimeUnit.SECONDS);
        offer.result().get(30, TimeUnit.SECONDS);
        assertThat(async).isCompleted();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void dropOldestDropsTheFirstAndIsTheDefault() {
        LeaderChannel<Integer> channel = channel(leadership, options -> options.capacity(2));
        leadership.elect();
        assertThat(channel.offer(1) && channel.offer(2) && channel.offer(3)).isTrue();
        assertThat(items(channel)).containsExactly(2, 3);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 1, 0));
    }

    @Test
    void dropNewestDropsTheLast() {
        LeaderChannel<Integer> channel = channel(2, FullMode.DROP_NEWEST);
        leadership.elect();
        assertThat(channel.offer(1) && channel.offer(2) && channel.offer(3)).isTrue();
        assertThat(items(channel)).containsExactly(1, 3);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 1, 0));
    }

    @Test
    void dropWriteDropsTheWrittenAndDoesNotLookRetryable() throws Exception {
        LeaderChannel<Integer> channel = channel(2, FullMode.DROP_WRITE);
        leadership.elect();
        assertThat(channel.offer(1) && channel.offer(2) && channel.offer(3)).isTrue();
        channel.put(4);
        assertThat(channel.putAsync(5)).isCompleted();
        assertThat(items(channel)).containsExactly(1, 2);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 3, 0));
    }

    @Test
    void R069_losingLeadershipWakesWaitingWritesWhoseItemsAreAFollowersDrops() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.put(1);
        Waiter put = waiting(() -> channel.put(2));
        Waiter offer = waiting(() -> assertThat(channel.offer(3, LONG)).isTrue());
        CompletableFuture<Void> async = channel.putAsync(4);
        leadership.lose();
        put.result().get(30, TimeUnit.SECONDS);
        offer.result().get(30, TimeUnit.SECONDS);
        assertThat(async).isCompleted();
        assertThat(channel.drops()).isEqualTo(new Drops(3, 0, 0));
        assertThat(items(channel)).containsExactly(1);
    }

    @Test
    void R069_aWaitingPutLooksAtTheDeadlineItselfThoughNobodyIsTold() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.remaining(Duration.ofMillis(5));
        leadership.elect();
        channel.put(1);
        Waiter put = waiting(() -> channel.put(2));
        leadership.passDeadline();
        put.result().get(30, TimeUnit.SECONDS);
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @Test
    void R070_aFollowersOfferSucceedsAtOnceWhileTheOldBufferIsFull() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        assertThat(channel.offer(2)).isFalse();
        leadership.lose();
        assertThat(channel.offer(2)).isTrue();
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
        assertThat(channel.size()).isEqualTo(1);
    }

    @Test
    void R071_anItemThatWaitedIntoTheNextTermIsKeptUnderTheNext() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        Lease first = leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> waits = channel.putAsync(2);
        leadership.passDeadline();
        Lease second = leadership.electSilently();
        leadership.tell(first);
        assertThat(waits).isNotDone();
        assertThat(channel.poll().orElseThrow().lease()).isEqualTo(first);
        assertThat(waits).isCompleted();
        assertThat(channel.poll()).contains(new LeaderChannel.Admitted<>(2, second));
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void R071_anItemThatWaitedIntoTheNextTermIsHeardOfAtItsEnd() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        Lease first = leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> waits = channel.putAsync(2);
        leadership.passDeadline();
        leadership.electSilently();
        leadership.tell(first);
        leadership.lose();
        assertThat(waits).isCompleted();
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @Test
    void R071_roomMadeAfterTheDeadlineCountsTheWaitingItemAndKeepsItNot() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> waits = channel.putAsync(2);
        leadership.passDeadline();
        assertThat(channel.poll().orElseThrow().item()).isEqualTo(1);
        assertThat(waits).isCompleted();
        assertThat(channel.poll()).isEmpty();
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @Test
    void cancellingTakesBackAnItemThatWaits() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> cancelled = channel.putAsync(2);
        CompletableFuture<Void> failed = channel.putAsync(3);
        CompletableFuture<Void> stays = channel.putAsync(4);
        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(cancelled.cancel(false)).isTrue();
        assertThat(failed.completeExceptionally(new IllegalStateException("not wanted")))
                .isTrue();
        assertThat(stays.complete(null)).isFalse();
        assertThat(stays).isNotDone();
        channel.poll();
        assertThat(stays).isCompleted();
        assertThat(stays.cancel(true)).isFalse();
        assertThat(items(channel)).containsExactly(4);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void aWaitingWriteIsCompletedByTheChannelOnly() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> waits = channel.putAsync(2);
        List<ThrowingCallable> ways = List.of(
                () -> waits.obtrudeValue(null),
                () -> waits.obtrudeException(new IllegalStateException("not wanted")),
                () -> waits.completeAsync(() -> null),
                () -> waits.completeAsync(() -> null, Runnable::run));
        assertThat(ways).allSatisfy(way -> assertThatThrownBy(way).isInstanceOf(UnsupportedOperationException.class));
        assertThat(waits).isNotDone();
        channel.poll();
        assertThat(waits).isCompleted();
        assertThat(items(channel)).containsExactly(2);
    }

    @Test
    void cancellingAnItemThatDoesNotWaitAnyMoreIsRefused() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> first = channel.putAsync(2);
        CompletableFuture<Void> second = channel.putAsync(3);
        AtomicInteger answers = new AtomicInteger();
        first.thenRun(() -> answers.addAndGet(second.cancel(false) ? 1 : 10)); // both are decided, one is complete
        leadership.lose();
        assertThat(answers).hasValue(10);
        assertThat(second.get(30, TimeUnit.SECONDS)).isNull();
        assertThat(channel.drops()).isEqualTo(new Drops(2, 0, 0));
    }

    @Test
    void anInterruptedPutTakesItsItemBack() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.put(1);
        Waiter put = waiting(() -> channel.put(2));
        put.thread().interrupt();
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> put.result().get(30, TimeUnit.SECONDS))
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(items(channel)).containsExactly(1);
        assertThat(items(channel)).isEmpty();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void whatHangsOnAFutureMayUseTheChannel() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        CompletableFuture<Optional<LeaderChannel.Admitted<Integer>>> read =
                channel.putAsync(2).thenApply(done -> elsewhere(channel::poll));
        channel.poll();
        assertThat(read)
                .isCompletedWithValueMatching(found -> found.orElseThrow().item() == 2);
    }

    @Test
    void B58_aClosedChannelRefusesLeaderAndFollowerAlikeAndCountsNothing() {
        LeaderChannel<Integer> channel = channel(1, FullMode.DROP_OLDEST);
        channel.close();
        for (int i = 0; i < 2; i++) {
            assertThat(channel.offer(1)).isFalse();
            assertThatThrownBy(() -> channel.put(2)).isInstanceOf(CancellationException.class);
            assertThat(channel.putAsync(3)).isCompletedExceptionally();
            leadership.elect();
        }
        assertThat(channel.size()).isZero();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void B58_aClosedChannelRefusesATimedOfferAtOnce() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.offer(1);
        channel.close();
        assertThat(channel.offer(2, LONG)).isFalse();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void B59_closingEndsTheWaitsOfWrites() throws Exception {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        leadership.elect();
        channel.put(1);
        Waiter put = waiting(() -> assertThatThrownBy(() -> channel.put(2)).isInstanceOf(CancellationException.class));
        Waiter offer = waiting(() -> assertThat(channel.offer(3, LONG)).isFalse());
        CompletableFuture<Void> async = channel.putAsync(4);
        channel.close();
        put.result().get(30, TimeUnit.SECONDS);
        offer.result().get(30, TimeUnit.SECONDS);
        assertThat(async).isCompletedExceptionally();
        assertThat(items(channel)).containsExactly(1);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }

    @Test
    void nullIsRefusedByLeaderAndFollower() {
        LeaderChannel<Integer> channel = channel(1, FullMode.WAIT);
        assertThatThrownBy(() -> channel.offer(null)).isInstanceOf(NullPointerException.class);
        leadership.elect();
        assertThatThrownBy(() -> channel.offer(null)).isInstanceOf(NullPointerException.class);
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
    }
}
