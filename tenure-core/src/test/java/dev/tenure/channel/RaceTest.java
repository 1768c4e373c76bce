package dev.tenure.channel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Leadership;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each item is buffered or counted, whatever happens at the same time.
 */
class RaceTest extends ChannelTestBase {
    private static final int WRITERS = 4;
    private static final int ITEMS = 2_000;
    private static final int FLIPS = 50;

    private final AtomicInteger progress = new AtomicInteger();

    @ParameterizedTest
    @CsvSource({
        "WAIT,false,false", "DROP_OLDEST,false,false", "DROP_NEWEST,false,false", "DROP_WRITE,false,false",
        "WAIT,true,true", "DROP_OLDEST,true,true", "DROP_NEWEST,true,true", "DROP_WRITE,true,true",
        "WAIT,true,false", "WAIT,false,true"
    })
    void B60_R071_bufferedAndCountedIsWritten(FullMode mode, boolean drainOnLoss, boolean reading) throws Exception {
        race(leadership, leadership, mode, drainOnLoss, reading);
    }

    @ParameterizedTest
    @CsvSource({
        "WAIT,false,false", "DROP_OLDEST,false,false", "DROP_NEWEST,false,false", "DROP_WRITE,false,false",
        "WAIT,true,true", "DROP_OLDEST,false,true", "DROP_NEWEST,true,true", "DROP_WRITE,false,true",
        "WAIT,true,false", "WAIT,false,true"
    })
    void B60_R071_bufferedAndCountedIsWrittenThoughFewWritesLookAtTheClock(
            FullMode mode, boolean drainOnLoss, boolean reading) throws Exception {
        ScriptedHost host = new ScriptedHost(time); // its clock stands: all that counts as soon
        race(host, host, mode, drainOnLoss, reading);
    }

    @ParameterizedTest
    @CsvSource({
        "WAIT,false,false",
        "DROP_OLDEST,true,false",
        "WAIT,true,true",
        "DROP_OLDEST,true,true",
        "DROP_NEWEST,true,true",
        "WAIT,true,false",
        "WAIT,false,true"
    })
    void B60_R071_bufferedAndCountedIsWrittenThoughEachLeaseIsANewObject(
            FullMode mode, boolean drainOnLoss, boolean reading) throws Exception {
        race(leadership, WrappingLeadership.of(leadership, method -> {}), mode, drainOnLoss, reading);
    }

    private void race(
            ScriptedLeadership leadership, Leadership gate, FullMode mode, boolean drainOnLoss, boolean reading)
            throws Exception {
        LeaderChannel<Integer> channel =
                channel(gate, options -> options.capacity(100).whenFull(mode).drainOnLoss(drainOnLoss));
        List<Future<Integer>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            int from = i * ITEMS;
            writers.add(begin(() -> write(channel, from)));
        }
        List<Integer> read = new ArrayList<>();
        Future<Boolean> reader = begin(() -> reading && read(channel, read));
        for (int flip = 0; flip < FLIPS; flip++) {
            int led = (2 * flip + 1) * WRITERS * ITEMS / (2 * FLIPS);
            leadership.elect();
            await(() -> progress.get() >= led || channel.size() == 100 || reading);
            leadership.lose();
            int followed = (2 * flip + 2) * WRITERS * ITEMS / (2 * FLIPS);
            await(() -> progress.get() >= followed);
        }
        int takenBack = 0;
        for (Future<Integer> writer : writers) {
            takenBack += writer.get(30, TimeUnit.SECONDS);
        }
        channel.close();
        reader.get(30, TimeUnit.SECONDS);
        read.addAll(items(channel));
        LeaderChannel.Drops drops = channel.drops();
        assertThat(read).doesNotHaveDuplicates();
        assertThat(read.size() + drops.follower() + drops.full() + drops.loss() + takenBack)
                .as("%s, %s taken back", drops, takenBack)
                .isEqualTo(WRITERS * ITEMS);
        assertThat(drops.follower()).isPositive();
    }

    /**
     * In every way there is; how many stayed with the writer.
     */
    private int write(LeaderChannel<Integer> channel, int from) throws InterruptedException {
        int takenBack = 0;
        List<CompletableFuture<Void>> open = new ArrayList<>();
        for (int i = from; i < from + ITEMS; i++) {
            switch (i % 4) {
                case 0 -> takenBack += channel.offer(i) ? 0 : 1;
                case 1 -> open.add(channel.putAsync(i));
                case 2 -> {
                    CompletableFuture<Void> withdrawn = channel.putAsync(i);
                    takenBack += withdrawn.cancel(false) ? 1 : 0;
                }
                default -> channel.put(i);
            }
            progress.incrementAndGet();
        }
        for (CompletableFuture<Void> future : open) {
            future.join();
        }
        return takenBack;
    }

    private static boolean read(LeaderChannel<Integer> channel, List<Integer> into) throws InterruptedException {
        while (true) {
            try {
                into.add(channel.take().item());
            } catch (CancellationException closed) {
                return true;
            }
        }
    }
}
