package dev.tenure.spring;

import dev.tenure.log.LogLine;
import dev.tenure.micrometer.TenureMeters;
import io.micrometer.core.instrument.MeterRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Meters of the elections, if the application has a registry for them and {@code tenure-micrometer} is there.
 */
@AutoConfiguration(
        after = TenureAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass({MeterRegistry.class, TenureMeters.class})
@ConditionalOnSingleCandidate(MeterRegistry.class)
@ConditionalOnBooleanProperty(name = "tenure.metrics.enabled", matchIfMissing = true)
public final class TenureMetricsAutoConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(TenureMetricsAutoConfiguration.class);

    TenureMetricsAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    TenureMeters tenureMeters(MeterRegistry registry, Roles roles) {
        TenureMeters meters = new TenureMeters(registry);
        for (String role : roles.names()) {
            try {
                meters.register(role);
            } catch (IllegalStateException another) { // what is not measured is no reason not to start
                LogLine.of(LOG, SpringEvent.NOT_MEASURED)
                        .with("error", another.getMessage())
                        .write();
            }
        }
        return meters;
    }
}
