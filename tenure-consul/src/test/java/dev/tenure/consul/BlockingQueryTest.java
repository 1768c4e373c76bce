package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Registration;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Asker;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * The index of blocking queries, and how often they are asked.
 */
class BlockingQueryTest {
    private final String key = "service/" + UUID.randomUUID() + "/leader";

    @Test
    void K119_indexThatGoesBackIsFollowed() throws InterruptedException {
        try (ConsulAgent agent = new ConsulAgent().start();
                FaultProxy proxy = new FaultProxy(agent);
                Asker asker = Asker.at(agent.url());
                Asker waiting = Asker.at(proxy.url())) {
            for (int i = 0; i < 30; i++) {
                asker.release(asker.grant(key));
            }
            Semaphore woken = new Semaphore(0);
            Registration watch = waiting.store().watch(key, woken::release);
            Eventually.becomes("a held query", () -> proxy.held() == 1);
            agent.restart();
            Eventually.becomes("a grant", () -> asker.grant(key) != null);
            Eventually.becomes("a query held by the new agent", () -> proxy.held() == 1 && entryIsLocked(agent));
            woken.drainPermits();
            asker.forceRelease(key);
            assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
            watch.remove();
        }
    }

    private boolean entryIsLocked(ConsulAgent agent) {
        return agent.entry(key).isLocked();
    }

    @Test
    void K119_indexIsUnsignedAndNeverNull() {
        AtomicInteger asked = new AtomicInteger();
        String[] indexes = {"9223372036854775809", "0", "nonsense", ""};
        try (FakeConsul fake = new FakeConsul(path -> new FakeConsul.Answer(
                        200, indexes[asked.getAndIncrement() % indexes.length], FakeConsul.entry("k", "s", 7)));
                LeaseStore store = ConsulLeaseStore.connect(fake.url())) {
            store.watch("k", () -> {});
            Eventually.becomes("five queries", () -> fake.paths().size() >= 5);
            assertThat(fake.paths().get(1)).contains("index=9223372036854775809");
            assertThat(fake.paths().subList(2, 5)).noneMatch(path -> path.contains("index=0"));
        }
    }

    @Test
    void K120_agentThatAnswersAtOnceWithoutAChangeIsNotFlooded() {
        AtomicInteger index = new AtomicInteger();
        AtomicInteger woken = new AtomicInteger();
        try (FakeConsul fake = new FakeConsul(path -> new FakeConsul.Answer(
                        200, Integer.toString(index.incrementAndGet()), FakeConsul.entry("k", "s", 7)));
                LeaseStore store = ConsulLeaseStore.connect(fake.url())) {
            long began = System.nanoTime();
            Registration watch = store.watch("k", woken::incrementAndGet);
            Eventually.becomes("eight queries", () -> fake.paths().size() >= 8);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(4));
            watch.remove();
            assertThat(woken).hasValue(0);
        }
    }

    @Test
    void keyThatChangesAllTheTimeIsAskedForTwentyTimesASecond() {
        AtomicInteger index = new AtomicInteger();
        try (FakeConsul fake = new FakeConsul(path -> new FakeConsul.Answer(
                        200, Integer.toString(index.incrementAndGet()), FakeConsul.entry("k", "s", index.get())));
                LeaseStore store = ConsulLeaseStore.connect(fake.url())) {
            long began = System.nanoTime();
            store.watch("k", () -> {});
            Eventually.becomes("a hundred queries", () -> fake.paths().size() >= 100);
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(2_500));
        }
    }

    @Test
    void K125_clientWaitsLongerThanConsulHolds() {
        Duration held = BlockingQuery.WAIT.plus(BlockingQuery.WAIT.dividedBy(16));
        assertThat(BlockingQuery.LIMIT).isGreaterThan(held.plusSeconds(5));
        AtomicInteger index = new AtomicInteger();
        try (FakeConsul fake = new FakeConsul(path -> new FakeConsul.Answer(
                        200, Integer.toString(index.incrementAndGet()), FakeConsul.entry("k", "s", 7)));
                LeaseStore store = ConsulLeaseStore.connect(fake.url())) {
            store.watch("k", () -> {});
            Eventually.becomes("two queries", () -> fake.paths().size() >= 2);
            assertThat(fake.paths().get(1)).contains("wait=" + BlockingQuery.WAIT.toSeconds() + "s");
        }
    }

    @Test
    void aPaceLetsABurstThroughAndThenARate() {
        Pace pace = new Pace(2, Duration.ofMillis(100), 0);
        assertThat(pace.next(0)).isZero();
        assertThat(pace.next(0)).isZero();
        assertThat(pace.next(0)).isEqualTo(Duration.ofMillis(100));
        assertThat(pace.next(100_000_000)).isEqualTo(Duration.ofMillis(100));
        assertThat(pace.next(1_000_000_000)).isZero();
    }
}
