package dev.tenure.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.LeaseStores;
import dev.tenure.Tenure;
import dev.tenure.spi.ElectionMonitor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * On threads and in real time.
 */
@Timeout(120)
class RealTenureMetersTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void metersAreThereWhileItRunsAndGoneWhenItHasClosed() throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        Tenure tenure = Tenure.builder(LeaseStores.inMemory())
                .monitor(new TenureMeters(registry).register("billing"))
                .monitor(new ElectionMonitor() {
                    @Override
                    public void closed() {
                        told.countDown();
                    }
                })
                .build();
        try (tenure) {
            LeaderElector elector = tenure.elector("billing").start();
            assertThat(elector.awaitLeadership(LONG)).isPresent();
            awaitGauge(1);
            elector.stop().join();
            assertThat(leader()).isZero(); // the lease is asked, whoever was told
        }
        assertThat(told.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
        awaitNoMeters();
    }

    private double leader() {
        return registry.get(TenureMeters.LEADER).gauge().value();
    }

    private void awaitGauge(double value) throws InterruptedException {
        Object pause = new Object();
        synchronized (pause) {
            while (leader() != value) {
                pause.wait(5);
            }
        }
    }

    private void awaitNoMeters() throws InterruptedException {
        Object pause = new Object();
        synchronized (pause) {
            while (!registry.getMeters().isEmpty()) {
                pause.wait(5);
            }
        }
    }
}
