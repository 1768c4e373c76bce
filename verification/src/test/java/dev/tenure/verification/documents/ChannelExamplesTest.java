package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.verification.documents.ChannelExamples.Change;
import dev.tenure.verification.documents.ChannelExamples.WarmStandby;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The guide's warm standby does what the guide says.
 */
@Timeout(120)
class ChannelExamplesTest {
    private static final int ITEMS = 200;

    @Test
    void B59_theShutdownOfTheGuideSendsWhatIsBuffered() throws Exception {
        AtomicReference<Consumer<Change>> feed = new AtomicReference<>();
        CountDownLatch goOn = new CountDownLatch(1);
        List<Long> sent = new CopyOnWriteArrayList<>();
        WarmStandby standby = new WarmStandby("memory:", feed::set, (change, token) -> {
            sent.add(change.id());
            awaitUninterrupted(goOn);
        });
        await(() -> {
            feed.get().accept(new Change(0)); // discarded until it leads
            return !sent.isEmpty();
        });
        LongStream.rangeClosed(1, ITEMS).forEach(id -> feed.get().accept(new Change(id)));
        Thread closer = new Thread(standby::close, "closer");
        closer.start();
        await(() -> closer.getState() == Thread.State.TIMED_WAITING || !closer.isAlive());
        goOn.countDown();
        closer.join(TimeUnit.SECONDS.toMillis(60));
        assertThat(closer.isAlive()).isFalse();
        assertThat(sent.stream().filter(id -> id > 0)).hasSize(ITEMS);
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    private static void await(BooleanSupplier condition) {
        long from = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - from > TimeUnit.SECONDS.toNanos(30)) {
                throw new AssertionError("not within 30 s");
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
