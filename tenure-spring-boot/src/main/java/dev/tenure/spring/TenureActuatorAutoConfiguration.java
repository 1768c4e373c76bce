package dev.tenure.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The endpoint {@code leadership} and what {@code info} says, if the application has an actuator.
 */
@AutoConfiguration(after = TenureAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(Electors.class)
public final class TenureActuatorAutoConfiguration {
    TenureActuatorAutoConfiguration() {}

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(LeadershipEndpoint.class)
    static class EndpointConfiguration {
        @Bean
        @ConditionalOnMissingBean
        LeadershipEndpoint leadershipEndpoint(Electors electors, ElectionNotes notes, MethodRecords methods) {
            return new LeadershipEndpoint(electors, new RoleReport(notes, methods));
        }
    }

    @Bean
    @ConditionalOnEnabledInfoContributor("leadership")
    LeadershipInfoContributor leadershipInfoContributor(Electors electors) {
        return new LeadershipInfoContributor(electors);
    }
}
