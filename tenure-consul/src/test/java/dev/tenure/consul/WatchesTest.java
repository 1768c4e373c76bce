package dev.tenure.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.net.httpserver.HttpServer;
import dev.tenure.Registration;
import dev.tenure.spi.Claim;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.Asker;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Blocking queries.
 */
class WatchesTest {
    private final String key = "service/" + UUID.randomUUID() + "/leader";

    @Test
    void aReleaseWakesWithinMilliseconds() throws InterruptedException {
        try (Asker asker = Asker.at(ConsulAgent.shared().url());
                Asker other = Asker.at(ConsulAgent.shared().url())) {
            Semaphore woken = new Semaphore(0);
            Claim claim = asker.grant(key);
            Registration watch = other.store().watch(key, woken::release);
            TimeUnit.SECONDS.sleep(1);
            assertThat(woken.availablePermits()).as("held all the time").isZero();
            long began = System.nanoTime();
            assertThat(asker.release(claim)).isTrue();
            assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
            assertThat((System.nanoTime() - began) / 1e9).isCloseTo(0, within(0.5));
            watch.remove();
        }
    }

    @Test
    void K119_anIndexThatGoesBackIsFollowed() throws InterruptedException {
        try (ConsulAgent agent = new ConsulAgent().start();
                Asker asker = Asker.at(agent.url())) {
            for (int i = 0; i < 30; i++) {
                asker.release(asker.grant(key));
            }
            Semaphore woken = new Semaphore(0);
            Registration watch = asker.store().watch(key, woken::release);
            TimeUnit.SECONDS.sleep(1);
            agent.restart();
            TimeUnit.SECONDS.sleep(2);
            Eventually.becomes("a grant", () -> asker.grant(key) != null);
            woken.drainPermits();
            TimeUnit.SECONDS.sleep(1);
            asker.forceRelease(key);
            assertThat(woken.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
            watch.remove();
        }
    }

    @Test
    void K120_anAgentThatAnswersAtOnceIsNotFlooded() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        HttpServer fake = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        fake.setExecutor(Executors.newCachedThreadPool());
        fake.createContext("/", exchange -> {
            byte[] body = "[{\"Key\":\"k\",\"Value\":\"\",\"Session\":\"s\",\"ModifyIndex\":7}]"
                    .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("X-Consul-Index", Integer.toString(asked.incrementAndGet()));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        fake.start();
        AtomicInteger woken = new AtomicInteger();
        try (LeaseStore store = ConsulLeaseStore.connect(
                "consul://127.0.0.1:" + fake.getAddress().getPort())) {
            Registration watch = store.watch("k", woken::incrementAndGet);
            TimeUnit.SECONDS.sleep(5);
            watch.remove();
            int then = asked.get();
            assertThat(then).isBetween(4, 8);
            TimeUnit.SECONDS.sleep(1);
            assertThat(asked.get()).as("after the removal").isEqualTo(then);
            assertThat(woken).hasValue(0);
        } finally {
            fake.stop(0);
        }
    }

    @Test
    void closingLeavesNoThreadOfTheStore() {
        try (ConsulAgent agent = new ConsulAgent().start()) { // another port, other names
            LeaseStore store = ConsulLeaseStore.connect(agent.url());
            Asker asker = Asker.of(store);
            Registration watch = store.watch(key, () -> {});
            asker.release(asker.grant(key));
            assertThat(threads(agent.port())).isPositive();
            store.close();
            watch.remove();
            Eventually.becomes("end of threads", () -> threads(agent.port()) == 0);
        }
    }

    private static long threads(int port) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("tenure-consul-" + port + "-"))
                .count();
    }
}
