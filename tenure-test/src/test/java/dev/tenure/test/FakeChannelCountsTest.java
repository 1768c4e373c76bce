package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.channel.FullMode;
import dev.tenure.channel.LeaderChannel;
import dev.tenure.channel.LeaderChannel.Drops;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Channels on a double that ends a term from within a look at its lease.
 */
@Timeout(60)
class FakeChannelCountsTest {
    private final FakeLeadership billing = FakeLeadership.of("billing");
    private final LeaderChannel<Integer> channel = LeaderChannel.<Integer>builder("changes", billing)
            .capacity(10)
            .whenFull(FullMode.WAIT)
            .drainOnLoss(true)
            .build();
    private final List<Integer> sizes = new ArrayList<>();

    /**
     * It would get no answer if this thread held a lock.
     */
    private int sizeElsewhere() {
        return CompletableFuture.supplyAsync(channel::size)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
    }

    @Test
    void B60_aReadThatEndsTheTermCountsEachItemOnce() {
        billing.onChange(lease -> {}, (lease, reason) -> sizes.add(sizeElsewhere()));
        billing.electForChecks(5);
        for (int i = 0; i < 5; i++) {
            assertThat(channel.offer(i)).isTrue();
        }
        assertThat(channel.poll()).isEmpty();
        assertThat(channel.drops()).isEqualTo(new Drops(0, 0, 5));
        assertThat(sizes).hasSize(1);
        assertThat(billing.failures()).isEmpty();
    }

    @Test
    void B60_aWriteThatEndsTheTermWhoseListenerWritesCountsEachItemOnce() {
        billing.onChange(lease -> {}, (lease, reason) -> {
            assertThat(channel.offer(10)).isTrue();
            sizes.add(sizeElsewhere());
        });
        billing.electForChecks(2);
        for (int i = 0; i < 3; i++) {
            assertThat(channel.offer(i)).isTrue();
        }
        assertThat(channel.size()).isZero();
        assertThat(channel.drops()).isEqualTo(new Drops(2, 0, 2));
        assertThat(sizes).hasSize(1);
        assertThat(billing.failures()).isEmpty();
    }
}
