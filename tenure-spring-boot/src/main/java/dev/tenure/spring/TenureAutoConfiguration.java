package dev.tenure.spring;

import dev.tenure.InvalidOptionsException;
import dev.tenure.Tenure;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.spi.LeaseStore;
import java.time.Duration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * A {@link Tenure} on the store that is configured, or over the client that the application has, and an elector for each
 * role.
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableConfigurationProperties(TenureProperties.class)
@Import({StoreConfigurations.Jdbc.class, StoreConfigurations.Redis.class, StoreConfigurations.SpringDataRedis.class})
public final class TenureAutoConfiguration {
    static final String ELECTORS = "tenureElectors";

    TenureAutoConfiguration() {}

    @Bean
    static ElectorRegistrar tenureElectorRegistrar(Environment environment) {
        return new ElectorRegistrar(environment);
    }

    @Bean
    static StoreShorthand tenureStoreShorthand() {
        return new StoreShorthand();
    }

    @Bean
    static LeaderOnlyPostProcessor tenureLeaderOnly(BeanFactory beans) {
        return new LeaderOnlyPostProcessor(beans);
    }

    @Bean
    ElectionNotes tenureElectionNotes() {
        return new ElectionNotes();
    }

    @Bean
    MethodRecords tenureMethodRecords(ObjectProvider<ElectionMonitor> monitors) {
        return new MethodRecords(monitors.orderedStream().toList());
    }

    /**
     * Opened when the first elector is made, or the application asks for it: who has no election needs no store.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    LeaseStore tenureStore(
            TenureProperties properties, Environment environment, ObjectProvider<StoreCandidates> candidates) {
        return new StoreChoice(
                        properties, environment, candidates.orderedStream().toList())
                .open();
    }

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Tenure tenure(
            LeaseStore store,
            TenureProperties properties,
            ObjectProvider<ElectionMonitor> monitors,
            BeanFactory beans) {
        refuseOfOneRole(properties.defaults());
        TenureElectors.refuseUnsoundHealthCheck("tenure.defaults", properties.defaults(), beans);
        Tenure.Builder builder = Tenure.builder(store);
        if (properties.instance() != null) {
            builder.instance(properties.instance());
        }
        properties.metadata().forEach(builder::metadata);
        monitors.orderedStream().forEach(builder::monitor);
        try {
            return builder.defaults(
                            options -> properties.defaults().applyTo(options, TenureElectors.healthChecks(beans)))
                    .build();
        } catch (InvalidOptionsException invalid) {
            throw PropertyNames.refusal(invalid, PropertyNames::common);
        }
    }

    private static void refuseOfOneRole(ElectionProperties defaults) {
        if (defaults.key() != null || defaults.start() != null) {
            throw new RefusedStartException(
                    defaults.key() != null
                            ? "tenure.defaults.key must not be set: a key is of one role."
                            : "tenure.defaults.start must not be set.",
                    "Set tenure.roles.<role>.key or tenure.defaults.key-format; for all roles, tenure.start.");
        }
    }

    @Bean
    LeadershipEvents tenureEvents(ApplicationEventPublisher publisher) {
        return new LeadershipEvents(publisher);
    }

    @Bean(ELECTORS)
    TenureElectors tenureElectors(
            ObjectProvider<Tenure> tenure,
            TenureProperties properties,
            Roles roles,
            BeanFactory beans,
            LeadershipEvents events) {
        return new TenureElectors(tenure, properties, roles, beans, events);
    }

    @Bean
    Electors tenureAllElectors(ObjectProvider<Tenure> tenure, Roles roles, ConfigurableListableBeanFactory beans) {
        return new Electors(tenure, roles, beans);
    }

    @Bean
    TenureLifecycle tenureLifecycle(
            TenureElectors electors,
            LeadershipEvents events,
            Electors all,
            TenureProperties properties,
            Environment environment) {
        Duration timeout = Binder.get(environment)
                .bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                .orElse(Duration.ofSeconds(30));
        return new TenureLifecycle(electors, events, all, properties.publishLeaderChanges(), timeout);
    }
}
