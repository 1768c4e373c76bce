package dev.tenure.channel;

import static dev.tenure.channel.LeaderChannel.Drops;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tenure.Leadership;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A channel on a leadership that is not the engine's, and may do anything when it is asked.
 */
class WrappedLeadershipTest extends ChannelTestBase {
    private final AtomicReference<Consumer<String>> before = new AtomicReference<>(method -> {});
    private final Leadership wrapping =
            WrappingLeadership.of(leadership, method -> before.get().accept(method));

    private LeaderChannel<Integer> channelOnWrapping(int capacity, FullMode mode, boolean drainOnLoss) {
        return channel(
                wrapping, options -> options.capacity(capacity).whenFull(mode).drainOnLoss(drainOnLoss));
    }

    /**
     * The call of this method after {@code calls} others throws, and no other.
     */
    private void fail(String failing, int calls) {
        List<String> seen = new ArrayList<>();
        before.set(method -> {
            if (method.equals(failing)) {
                seen.add(method);
                if (seen.size() == calls + 1) {
                    throw new IllegalStateException("no answer");
                }
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"WAIT,false", "WAIT,true", "DROP_OLDEST,false", "DROP_OLDEST,true", "DROP_NEWEST,true"})
    void B60_itIsAskedWithoutTheLock(FullMode mode, boolean drainOnLoss) throws Exception {
        LeaderChannel<Integer> channel = channelOnWrapping(2, mode, drainOnLoss);
        List<String> asked = new ArrayList<>();
        before.set(method -> {
            asked.add(method);
            elsewhere(channel::size);
        });
        int read = 0;
        int written = 0;
        for (int term = 0; term < 2; term++) {
            leadership.elect();
            for (int i = 0; i < 4; i++) {
                channel.putAsync(written++);
            }
            read += channel.poll().isPresent() ? 1 : 0;
            channel.take();
            read++;
            read += items(channel).size();
            for (int i = 0; i < 4; i++) {
                channel.putAsync(written++);
            }
            leadership.lose();
            channel.put(written++);
            read += channel.poll().isPresent() ? 1 : 0;
        }
        channel.close();
        Drops drops = channel.drops();
        assertThat(read + channel.size() + drops.follower() + drops.full() + drops.loss())
                .isEqualTo(written);
        assertThat(asked).contains("lease", "isHeld");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void B60_aSynchronizedLeadershipAndAWaitingPutDoNotLockEachOtherOut(boolean drainOnLoss) throws Exception {
        LeaderChannel<Integer> channel = channelOnWrapping(1, FullMode.WAIT, drainOnLoss);
        Object monitor = new Object();
        leadership.elect();
        channel.put(1);
        Thread test = Thread.currentThread();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger inside = new AtomicInteger();
        before.set(method -> {
            boolean linedUp =
                    !Thread.currentThread().equals(test) && method.equals("lease") && asked.incrementAndGet() > 1;
            if (linedUp) {
                synchronized (monitor) {
                    inside.incrementAndGet();
                }
            }
        });
        AtomicReference<Thread> writer = new AtomicReference<>();
        Future<Boolean> put;
        synchronized (monitor) {
            put = begin(() -> {
                writer.set(Thread.currentThread());
                channel.put(2);
                return true;
            });
            await(() -> writer.get() != null && writer.get().getState() == Thread.State.BLOCKED);
            elsewhere(() -> channel.size()); // else the next would wait for ever
            assertThat(channel.poll().orElseThrow().item()).isEqualTo(1);
        }
        put.get(30, TimeUnit.SECONDS);
        assertThat(inside).hasPositiveValue();
        assertThat(channel.take().item()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void B60_anItemWhosePutThrewIsNotKept(boolean drainOnLoss) {
        for (int calls = 0; calls < 3; calls++) {
            LeaderChannel<Integer> channel = channelOnWrapping(1, FullMode.WAIT, drainOnLoss);
            leadership.elect();
            channel.offer(1);
            fail("lease", calls);
            assertThatThrownBy(() -> channel.put(2)).hasMessage("no answer");
            fail("lease", calls);
            assertThatThrownBy(() -> channel.putAsync(3)).hasMessage("no answer");
            before.set(method -> {});
            assertThat(items(channel)).containsExactly(1);
            assertThat(items(channel)).isEmpty();
            assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 0));
        }
    }

    @Test
    void B60_anItemIsReadThoughTheLeadershipThrowsAndWhoWaitsIsSeenToNext() {
        LeaderChannel<Integer> channel = channelOnWrapping(1, FullMode.WAIT, false);
        leadership.elect();
        channel.offer(1);
        CompletableFuture<Void> waits = channel.putAsync(2);
        fail("lease", 0);
        assertThat(channel.poll().orElseThrow().item()).isEqualTo(1);
        assertThat(waits).isNotDone();
        assertThat(channel.poll().orElseThrow().item()).isEqualTo(2);
        assertThat(waits).isCompleted();
    }

    @Test
    void B60_aWriteGoesBehindThoseThatWaitThoughTheLeadershipThrewWhenThereWasRoom() {
        LeaderChannel<Integer> channel = channelOnWrapping(2, FullMode.WAIT, false);
        leadership.elect();
        channel.offer(1);
        channel.offer(2);
        channel.putAsync(3);
        fail("lease", 0);
        channel.poll();
        assertThat(channel.offer(4)).isFalse();
        assertThat(items(channel)).containsExactly(2, 3);
        assertThat(channel.offer(5)).isTrue();
    }

    @Test
    void B60_nothingIsLostIfALeaseThrowsAtARead() {
        LeaderChannel<Integer> channel = channelOnWrapping(2, FullMode.WAIT, true);
        leadership.elect();
        channel.offer(1);
        fail("isHeld", 0);
        assertThatThrownBy(channel::poll).hasMessage("no answer");
        assertThat(items(channel)).containsExactly(1);
    }

    @Test
    void R074_whatIsWrittenWhileItsTermEndsIsNotKeptAfterTheDrain() {
        LeaderChannel<Integer> channel = channelOnWrapping(10, FullMode.WAIT, true);
        leadership.elect();
        channel.offer(1);
        List<String> looks = new ArrayList<>();
        before.set(method -> {
            if (method.equals("isHeld") && looks.size() < 2) {
                looks.add(method);
            }
        });
        leadership.afterLook(() -> {
            if (looks.size() == 2) { // the write was told that it is held
                leadership.afterLook(() -> {});
                leadership.lose();
            }
        });
        assertThat(channel.offer(2)).isTrue();
        assertThat(channel.size()).isZero();
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 1));
    }

    @Test
    void R074_theEndOfATermIsHeardOfByOneRegistrationThoughEachLeaseIsANewObject() {
        LeaderChannel<Integer> channel = channelOnWrapping(1_000, FullMode.WAIT, true);
        leadership.elect();
        for (int i = 0; i < 100; i++) {
            channel.offer(i);
        }
        assertThat(leadership.listeners()).isEqualTo(2); // of the election, and of the term
        leadership.lose();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 100));
        leadership.elect();
        channel.offer(100);
        channel.close();
        assertThat(leadership.listeners()).isZero();
    }

    @Test
    void aRegistrationThatFailedIsTriedAgainAndItsItemNotKept() {
        LeaderChannel<Integer> channel = channelOnWrapping(10, FullMode.WAIT, true);
        leadership.elect();
        fail("onLost", 0);
        assertThatThrownBy(() -> channel.offer(1)).hasMessage("no answer");
        assertThat(channel.offer(2)).isTrue();
        leadership.lose();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 1));
    }

    @Test
    void aMockThatGivesNoRegistrationsWillDo() {
        leadership.giveNoRegistrations();
        LeaderChannel<Integer> channel = channel(leadership, options -> options.drainOnLoss(true));
        leadership.elect();
        assertThat(channel.offer(1)).isTrue();
        channel.close();
        assertThat(items(channel)).containsExactly(1);
    }
}
