package dev.tenure.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Lease;
import dev.tenure.channel.LeaderChannel.Admitted;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ItemRingTest {
    private final ScriptedLeadership leadership = new ScriptedLeadership();
    private final ItemRing<Integer> ring = new ItemRing<>();
    private final ArrayDeque<Admitted<Integer>> model = new ArrayDeque<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void isADequeOfPairs(long seed) {
        Random random = new Random(seed);
        Lease lease = leadership.elect();
        int largest = 0;
        for (int i = 0; i < 20_000; i++) {
            int phase = (i / 500) % 2; // fills and empties in turn, so that it grows around its end
            int what = random.nextInt(100);
            if (what < 40 + 30 * phase) {
                ring.addLast(i, lease);
                model.addLast(new Admitted<>(i, lease));
            } else if (what < 90) {
                assertThat(ring.pollFirst()).isEqualTo(model.pollFirst());
            } else if (what < 98) {
                assertThat(ring.pollLast()).isEqualTo(model.pollLast());
            } else {
                lease = leadership.elect();
            }
            assertThat(ring.size()).isEqualTo(model.size());
            Admitted<Integer> first = model.peekFirst();
            assertThat(ring.firstLease()).isEqualTo(first == null ? null : first.lease());
            largest = Math.max(largest, ring.size());
        }
        assertThat(largest).isGreaterThan(64);
    }
}
