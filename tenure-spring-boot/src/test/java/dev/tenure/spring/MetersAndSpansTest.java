package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import dev.tenure.micrometer.TenureMeters;
import dev.tenure.opentelemetry.TenureSpans;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * Elections of an application in its registry of meters and its traces.
 */
@ExtendWith(OutputCaptureExtension.class)
class MetersAndSpansTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TenureAutoConfiguration.class,
                    TenureMetricsAutoConfiguration.class,
                    TenureTracingAutoConfiguration.class))
            .withPropertyValues(
                    "tenure.store.url=memory:", "tenure.start=manual", "tenure.roles[billing/close].lease=15s");
    private final ApplicationContextRunner observed =
            bare.withBean(MeterRegistry.class, () -> registry).withBean(OpenTelemetry.class, this::openTelemetry);

    @Test
    void R076_metersOfARoleAreThereBeforeItsFirstEvent() {
        observed.run(context -> {
            context.getBean(Leadership.class);
            assertThat(registry.get(TenureMeters.LEADER)
                            .tag("role", "billing/close")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(registry.get(TenureMeters.TRANSITIONS)
                            .tag("type", TenureMeters.TYPE_ELECTED)
                            .counter()
                            .count())
                    .isZero();
        });
    }

    @Test
    void R076_electionsAreMeasuredAndTracedUntilTheContextCloses() {
        observed.run(context -> {
            LeaderElector elector = context.getBean(LeaderElector.class);
            elector.start();
            assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
            Gauge leader = registry.get(TenureMeters.LEADER).gauge();
            Settled.until("measured", () -> leader.value() == 1);
            Settled.until("begun", () -> has(TenureSpans.TERM_BEGIN));
            elector.stop().get(2, TimeUnit.MINUTES);
            Settled.until("ended", () -> has(TenureSpans.TERM));
            assertThat(leader.value()).isZero();
        });
        Settled.until(
                "removed",
                () -> registry.getMeters().stream()
                        .noneMatch(meter -> meter.getId().getName().startsWith("tenure.")));
    }

    @Test
    void runsOfLeaderOnlyMethodsAreCounted() {
        observed.withBean(Counted.class).run(context -> {
            Counted job = context.getBean(Counted.class);
            assertThat(runs("ran") + runs("failed") + runs("follower"))
                    .as("there from the start")
                    .isZero();
            job.run();
            LeaderElector elector = context.getBean(LeaderElector.class);
            elector.start();
            assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
            job.run();
            job.run();
            assertThat(runs("follower")).isEqualTo(1);
            assertThat(runs("ran")).isEqualTo(2);
        });
    }

    @Test
    void behindBootsOwnRegistryAndSdk() {
        bare.withConfiguration(AutoConfigurations.of(
                        MetricsAutoConfiguration.class,
                        CompositeMeterRegistryAutoConfiguration.class,
                        SimpleMetricsExportAutoConfiguration.class,
                        OpenTelemetrySdkAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasSingleBean(TenureMeters.class).hasSingleBean(TenureSpans.class);
                    context.getBean(Leadership.class);
                    assertThat(context.getBean(MeterRegistry.class)
                                    .find(TenureMeters.LEADER)
                                    .gauge())
                            .isNotNull();
                });
    }

    @Test
    void eachCanBeSwitchedOff() {
        observed.withPropertyValues("tenure.metrics.enabled=false", "tenure.tracing.enabled=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .doesNotHaveBean(TenureMeters.class)
                        .doesNotHaveBean(TenureSpans.class));
    }

    @Test
    void withoutRegistryModulesOrApisItStarts() {
        bare.run(context -> assertThat(context)
                .hasSingleBean(LeaderElector.class)
                .doesNotHaveBean(TenureMeters.class)
                .doesNotHaveBean(TenureSpans.class));
        observed.withClassLoader(new FilteredClassLoader("dev.tenure.micrometer", "dev.tenure.opentelemetry"))
                .run(context -> assertThat(context)
                        .hasSingleBean(LeaderElector.class)
                        .doesNotHaveBean("tenureMeters")
                        .doesNotHaveBean("tenureSpans"));
        bare.withClassLoader(new FilteredClassLoader("io.micrometer", "io.opentelemetry"))
                .run(context -> assertThat(context)
                        .hasSingleBean(LeaderElector.class)
                        .doesNotHaveBean("tenureMeters")
                        .doesNotHaveBean("tenureSpans"));
    }

    @Test
    void aSecondContextOnOneRegistryStartsUnmeasuredAndSaysSo(CapturedOutput output) {
        observed.run(first -> observed.run(second -> {
            assertThat(second).hasNotFailed();
            assertThat(output.getAll()).contains("elections are not measured", "billing/close");
        }));
    }

    private boolean has(String span) {
        return spans.getFinishedSpanItems().stream().map(SpanData::getName).anyMatch(span::equals);
    }

    private double runs(String outcome) {
        return registry.get(TenureMeters.SCHEDULE_RUNS)
                .tag("role", "billing/close")
                .tag("task", "Counted.run")
                .tag("outcome", outcome)
                .counter()
                .count();
    }

    private OpenTelemetry openTelemetry() {
        return OpenTelemetrySdk.builder()
                .setTracerProvider(SdkTracerProvider.builder()
                        .addSpanProcessor(SimpleSpanProcessor.create(spans))
                        .build())
                .build();
    }

    static class Counted {
        @LeaderOnly
        void run() {}
    }
}
