package dev.tenure.verification.documents;

import dev.tenure.Tenure;
import dev.tenure.micrometer.TenureMeters;
import dev.tenure.opentelemetry.TenureSpans;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.opentelemetry.api.OpenTelemetry;

/**
 * The Java of the page on observability, so that it compiles.
 */
final class ObservabilityExamples {
    private ObservabilityExamples() {}

    static Tenure measured(MeterRegistry registry) {
        Tenure tenure = Tenure.builder("redis://localhost:6379")
                .monitor(new TenureMeters(registry).register("billing"))
                .build();
        return tenure;
    }

    static TenureMeters apart(MeterRegistry registry) {
        return new TenureMeters(registry, Tags.of("store", "eu"));
    }

    static Tenure traced(OpenTelemetry openTelemetry) {
        Tenure tenure = Tenure.builder("redis://localhost:6379")
                .monitor(new TenureSpans(openTelemetry))
                .build();
        return tenure;
    }
}
