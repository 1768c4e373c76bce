package dev.tenure.channel;

import static dev.tenure.channel.LeaderChannel.Drops;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which writes look at the clock, on a leadership whose lease is judged by one.
 */
class PaceTest extends ChannelTestBase {
    private static final int MOST = 15; // without a look
    private final ScriptedHost host = new ScriptedHost(time);

    private LeaderChannel<Integer> channelOfHost(int capacity, FullMode mode, boolean drainOnLoss) {
        return channel(
                host, options -> options.capacity(capacity).whenFull(mode).drainOnLoss(drainOnLoss));
    }

    /**
     * As fast as can be, on a clock that stands.
     */
    private static void burst(LeaderChannel<Integer> channel, int items) {
        for (int i = 0; i < items; i++) {
            assertThat(channel.offer(i)).isTrue();
        }
    }

    @Test
    void R065_aRareWriteLooksAtTheClock() {
        LeaderChannel<Integer> channel = channelOfHost(100, FullMode.WAIT, false);
        host.elect();
        for (int i = 0; i < 50; i++) {
            channel.offer(i);
            pass(Duration.ofMillis(1));
        }
        host.passDeadline();
        channel.offer(50);
        assertThat(channel.size()).isEqualTo(50);
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @ParameterizedTest
    @ValueSource(
            ints = {0, 1, 2, 3, 5, 8, 13, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 1000})
    void R065_afterABurstAtMostFifteenWritesGoWithoutALook(int before) {
        LeaderChannel<Integer> channel = channelOfHost(10_000, FullMode.WAIT, false);
        host.elect();
        burst(channel, before);
        host.passDeadline();
        burst(channel, 100);
        assertThat(channel.size()).isBetween(before, before + MOST);
        assertThat(channel.drops()).isEqualTo(new Drops(before + 100 - channel.size(), 0, 0));
    }

    @Test
    void R065_afterABurstTheClockIsLookedAtByOneWriteOfSixteen() {
        LeaderChannel<Integer> channel = channelOfHost(10_000, FullMode.WAIT, false);
        host.elect();
        List<Integer> kept = new ArrayList<>();
        for (int before = 100; before < 132; before++) {
            burst(channel, before);
            int full = channel.size();
            host.passDeadline();
            burst(channel, 100);
            kept.add(channel.size() - full);
            items(channel);
            host.elect();
        }
        assertThat(kept).contains(0, MOST).allMatch(each -> each <= MOST);
    }

    @Test
    void R065_afterABurstAPauseDoesNotAddToTheWritesWithoutALook() {
        LeaderChannel<Integer> channel = channelOfHost(10_000, FullMode.WAIT, false);
        host.elect();
        burst(channel, 1_000);
        host.passDeadline();
        for (int i = 0; i < 100; i++) {
            pass(Duration.ofHours(1));
            channel.offer(i);
        }
        assertThat(channel.size()).isBetween(1_000, 1_000 + MOST);
    }

    @Test
    void R065_theFirstThatSeesTheEndIsEnoughForAllWrites() {
        LeaderChannel<Integer> channel = channelOfHost(10_000, FullMode.WAIT, false);
        Lease lease = host.elect();
        burst(channel, 1_000);
        host.passDeadline();
        assertThat(lease.isHeld()).isFalse();
        burst(channel, 100);
        assertThat(channel.size()).isEqualTo(1_000);
        assertThat(channel.drops()).isEqualTo(new Drops(100, 0, 0));
    }

    @ParameterizedTest
    @EnumSource
    void R074_withDrainOnLossEachWriteLooks(FullMode mode) {
        LeaderChannel<Integer> channel = channelOfHost(10_000, mode, true);
        host.elect();
        burst(channel, 1_000);
        host.passDeadline();
        burst(channel, 1);
        assertThat(channel.drops().follower()).isEqualTo(1);
        assertThat(channel.size()).isEqualTo(1_000);
    }

    @Test
    void R071_aWriteThatHadToWaitLooks() {
        LeaderChannel<Integer> channel = channelOfHost(100, FullMode.WAIT, false);
        host.elect();
        burst(channel, 100);
        channel.putAsync(100);
        host.passDeadline();
        assertThat(channel.poll()).isPresent();
        assertThat(channel.size()).isEqualTo(99);
        assertThat(channel.drops()).isEqualTo(new Drops(1, 0, 0));
    }

    @Test
    void R073_whatWasAdmittedPastTheDeadlineIsSeenAsSuchAndDroppedByForEach() throws Exception {
        LeaderChannel<Integer> channel = channelOfHost(10_000, FullMode.WAIT, false);
        Lease lease = host.elect();
        burst(channel, 1_000);
        items(channel);
        host.passDeadline();
        burst(channel, 100);
        int late = channel.size();
        assertThat(late).isBetween(1, MOST);
        LeaderChannel.Admitted<Integer> first = channel.take();
        assertThat(first.lease()).isEqualTo(lease);
        assertThat(first.isCurrent()).isFalse();
        channel.close();
        channel.forEach((item, admitting) -> {
            throw new AssertionError("of an ended term: " + item);
        });
        assertThat(channel.drops()).isEqualTo(new Drops(100 - late, 0, late - 1));
    }
}
