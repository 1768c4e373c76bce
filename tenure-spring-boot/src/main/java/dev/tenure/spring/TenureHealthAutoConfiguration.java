package dev.tenure.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What health says of the elections.
 */
@AutoConfiguration(after = TenureAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
public final class TenureHealthAutoConfiguration {
    TenureHealthAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnEnabledHealthIndicator("leadership")
    @ConditionalOnBean(Electors.class)
    static class IndicatorConfiguration {
        @Bean
        @ConditionalOnMissingBean(name = "leadershipHealthIndicator")
        LeadershipHealthIndicator leadershipHealthIndicator(Electors electors, TenureProperties properties) {
            return new LeadershipHealthIndicator(electors, properties.health().unreachable());
        }
    }
}
