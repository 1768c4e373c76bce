package dev.tenure.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.test.virtual.ScriptedStore;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/**
 * Measured elections in a virtual world: lease 10 s, renewed every 3 s, margin 1 s, retried after 1 s.
 */
abstract class MeasuredElections {
    static final String ROLE = "billing";

    VirtualWorld world = VirtualWorld.create();
    final MeterRegistry registry = new SimpleMeterRegistry();
    final TenureMeters meters = new TenureMeters(registry);

    @AfterEach
    void close() {
        world.close();
        world.checker().verify();
    }

    ScriptedStore store() {
        return world.store();
    }

    static void options(ElectionOptions.Builder options) {
        options.lease(Duration.ofSeconds(10))
                .renewInterval(Duration.ofSeconds(3))
                .safetyMargin(Duration.ofSeconds(1))
                .retryInterval(Duration.ofSeconds(1))
                .retryJitter(Duration.ZERO);
    }

    /**
     * A process that is measured.
     */
    VirtualTenure measured() {
        return measured(options -> {});
    }

    VirtualTenure measured(Consumer<ElectionOptions.Builder> more) {
        return world.processWith(
                "a",
                setup -> setup.options(MeasuredElections::options).options(more).monitor(meters));
    }

    /**
     * Another one, which is not.
     */
    VirtualTenure other() {
        return world.process("b", MeasuredElections::options);
    }

    LeaderElector leader(VirtualTenure process) {
        LeaderElector elector = process.stand(ROLE);
        world.settle();
        assertThat(elector.isLeader()).isTrue();
        return elector;
    }

    void advanceTo(double seconds) {
        world.advance(Duration.ofNanos(Math.round(seconds * 1e9)).minus(world.elapsed()));
    }

    // reading

    double gauge(String name) {
        Gauge gauge = registry.find(name).tag(TenureMeters.TAG_ROLE, ROLE).gauge();
        assertThat(gauge).as(name).isNotNull();
        return gauge.value();
    }

    double transitions(String type, String reason) {
        return registry.get(TenureMeters.TRANSITIONS)
                .tags(TenureMeters.TAG_ROLE, ROLE, TenureMeters.TAG_TYPE, type, TenureMeters.TAG_REASON, reason)
                .counter()
                .count();
    }

    /**
     * Of the terms that ended, those that ended so; also asserts that there is none of another reason.
     */
    double onlyLosses(String reason) {
        double all = registry.get(TenureMeters.TRANSITIONS).tag(TenureMeters.TAG_TYPE, "lost").counters().stream()
                .mapToDouble(each -> each.count())
                .sum();
        double these = transitions(TenureMeters.TYPE_LOST, reason);
        assertThat(all).isEqualTo(these);
        return these;
    }

    Timer timer(String name, String... tags) {
        return registry.get(name).tag(TenureMeters.TAG_ROLE, ROLE).tags(tags).timer();
    }

    double faults(String kind) {
        return registry.get(TenureMeters.FAULTS)
                .tags(TenureMeters.TAG_ROLE, ROLE, TenureMeters.TAG_KIND, kind)
                .counter()
                .count();
    }

    static Duration total(Timer timer) {
        return Duration.ofNanos(Math.round(timer.totalTime(java.util.concurrent.TimeUnit.NANOSECONDS)));
    }

    static String id(Meter meter) {
        return meter.getId().getName() + meter.getId().getTags();
    }
}
