package dev.tenure.spring;

import dev.tenure.opentelemetry.TenureSpans;
import io.opentelemetry.api.OpenTelemetry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Spans of the elections, if the application has OpenTelemetry as a bean and {@code tenure-opentelemetry} is there.
 */
@AutoConfiguration(
        after = TenureAutoConfiguration.class,
        afterName = "org.springframework.boot.opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration")
@ConditionalOnClass({OpenTelemetry.class, TenureSpans.class})
@ConditionalOnSingleCandidate(OpenTelemetry.class)
@ConditionalOnBooleanProperty(name = "tenure.tracing.enabled", matchIfMissing = true)
public final class TenureTracingAutoConfiguration {
    TenureTracingAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    TenureSpans tenureSpans(OpenTelemetry openTelemetry) {
        return new TenureSpans(openTelemetry);
    }
}
