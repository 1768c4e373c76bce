package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import dev.tenure.LeaseStores;
import dev.tenure.Tenure;
import dev.tenure.jdbc.JdbcLeaseStore;
import dev.tenure.redis.RedisLeaseStore;
import dev.tenure.spi.LeaseStore;
import dev.tenure.test.FakeLeadership;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.sqlite.SQLiteDataSource;

/**
 * Which beans an application gets, from what it has and what it sets.
 */
@ExtendWith(OutputCaptureExtension.class)
class TenureAutoConfigurationTest {
    private final ApplicationContextRunner bare = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    TenureAutoConfiguration.class,
                    TenureActuatorAutoConfiguration.class,
                    TenureHealthAutoConfiguration.class,
                    TenureHttpAutoConfiguration.class));
    private final ApplicationContextRunner billing = bare.withPropertyValues("tenure.roles.billing.start=manual");

    @TempDir
    Path folder;

    // the store

    @Test
    void R014_withoutAStoreItIsMemoryToldLoudlyOnce(CapturedOutput output) {
        billing.run(context -> {
            assertThat(storeName(context)).isEqualTo("memory");
            assertThat(output.getAll()).containsOnlyOnce("ELECTIONS ARE HELD IN THIS PROCESS'S MEMORY");
        });
    }

    @Test
    void memoryIsRefusedInProduction() {
        billing.withPropertyValues("spring.profiles.active=production")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("memory", "no store is configured", "profile production"));
        billing.withPropertyValues("spring.profiles.active=Prod", "tenure.store.url=memory:")
                .run(context ->
                        assertThat(analysis(context).getAction()).contains("tenure.store.embedded-allowed=true"));
    }

    @Test
    void memoryIsAllowedInProductionIfSaidSo() {
        billing.withPropertyValues("spring.profiles.active=prod", "tenure.store.embedded-allowed=true")
                .run(context -> assertThat(storeName(context)).isEqualTo("memory"));
    }

    @Test
    void R014_R015_theStoreAtTheUrlIsUsed() {
        billing.withPropertyValues("tenure.store.url=jdbc:sqlite:" + folder.resolve("tenure.db"))
                .run(context -> {
                    assertThat(storeName(context)).contains("sqlite");
                    context.getBean(LeaderElector.class).start();
                    assertThat(context.getBean(Leadership.class).awaitLeadership(Duration.ofMinutes(1)))
                            .isPresent();
                });
    }

    @Test
    void anUnusableUrlIsExplained() {
        billing.withPropertyValues("tenure.store.url=ldap://localhost")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("tenure.store.url cannot be used", "store must begin with one of"));
        billing.withPropertyValues(
                        "tenure.store.url=redis://localhost",
                        "tenure.store.options.colour=blue",
                        "tenure.namespace=app")
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("option is unknown: option=colour"));
    }

    @Test
    void R014_aStoreBeanWinsOverEverything() {
        billing.withUserConfiguration(OwnStore.class, Sqlite.class)
                .withPropertyValues("tenure.store.url=redis://localhost", "spring.profiles.active=prod")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .getBean(LeaseStore.class)
                        .isSameAs(OwnStore.STORE));
    }

    @Test
    void R014_R016_theDataSourceOfTheApplicationIsUsedAndStaysItsOwn() {
        billing.withUserConfiguration(Sqlite.class)
                .withPropertyValues("test.db=" + folder.resolve("app.db"))
                .run(context -> {
                    assertThat(storeName(context)).contains("sqlite");
                    LeaderElector elector = context.getBean(LeaderElector.class).start();
                    assertThat(elector.awaitLeadership(Duration.ofMinutes(1))).isPresent();
                    DataSource dataSource = context.getBean(DataSource.class);
                    context.getSourceApplicationContext().close();
                    try (var connection = dataSource.getConnection();
                            var rows = connection.createStatement().executeQuery("select count(*) from tenure_lease")) {
                        assertThat(rows.next()).isTrue();
                    }
                });
    }

    @Test
    void R014_theRedisClientOfTheApplicationIsUsed() {
        billing.withUserConfiguration(Redis.class)
                .withPropertyValues("tenure.namespace=app")
                .run(context -> {
                    assertThat(storeName(context)).contains("redis");
                    assertThat(context).hasSingleBean(Tenure.class);
                });
    }

    @Test
    void severalClientsAreRefusedUnlessOneIsNamed() {
        ApplicationContextRunner both = billing.withUserConfiguration(Redis.class, Sqlite.class)
                .withPropertyValues("test.db=" + folder.resolve("both.db"));
        both.run(context -> assertThat(analysis(context).getDescription()).contains("DataSource", "Redis client"));
        both.withPropertyValues("tenure.store.use=jdbc")
                .run(context -> assertThat(storeName(context)).contains("sqlite"));
        billing.withPropertyValues("tenure.store.use=jdbc")
                .run(context -> assertThat(analysis(context).getDescription()).contains("tenure.store.use is jdbc"));
    }

    @Test
    void withoutTheStoresModulesItStarts() {
        billing.withClassLoader(new FilteredClassLoader(JdbcLeaseStore.class, RedisLeaseStore.class))
                .withUserConfiguration(Sqlite.class)
                .withPropertyValues("test.db=" + folder.resolve("unused.db"))
                .run(context -> assertThat(storeName(context)).isEqualTo("memory"));
    }

    @Test
    void withoutDriversActuatorAndWebItStarts() {
        billing.withClassLoader(new FilteredClassLoader(
                        "dev.tenure.jdbc",
                        "dev.tenure.redis",
                        "io.lettuce",
                        "org.springframework.data",
                        "org.springframework.boot.actuate",
                        "org.springframework.boot.health",
                        "org.springframework.boot.web",
                        "org.springframework.web",
                        "org.springframework.http",
                        "jakarta.servlet"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(LeaderElector.class)
                        .doesNotHaveBean("leadershipEndpoint")
                        .doesNotHaveBean("leadershipHealthIndicator")
                        .doesNotHaveBean("fencingTokenInterceptor"));
    }

    // options

    @Test
    void R111_optionsBindByRoleOverDefaults() {
        bare.withUserConfiguration(Checks.class)
                .withPropertyValues(
                        "tenure.start=manual",
                        "tenure.instance=node-a",
                        "tenure.metadata.url=http://node-a",
                        "tenure.defaults.lease=30s",
                        "tenure.defaults.drain-timeout=2s",
                        "tenure.roles.billing.lease=1m",
                        "tenure.roles.billing.work-backoff.first=3s",
                        "tenure.roles.billing.key=the/key",
                        "tenure.roles.billing.health-check=healthy",
                        "tenure.roles.billing.health-grace=7s",
                        "tenure.roles[close/batches].retry-interval=PT1.5S")
                .run(context -> {
                    LeaderElector elector = context.getBean("billing", LeaderElector.class);
                    assertThat(elector.key()).isEqualTo("the/key");
                    var options = elector.describe().options();
                    assertThat(options.lease()).isEqualTo(Duration.ofMinutes(1));
                    assertThat(options.drainTimeout()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(options.firstWorkBackoff()).isEqualTo(Duration.ofSeconds(3));
                    assertThat(options.longestWorkBackoff()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(options.healthCheck().orElseThrow().getAsBoolean())
                            .isTrue();
                    assertThat(options.healthGrace()).isEqualTo(Duration.ofSeconds(7));
                    var other = context.getBean("close/batches", LeaderElector.class)
                            .describe()
                            .options();
                    assertThat(other.lease()).isEqualTo(Duration.ofSeconds(30));
                    assertThat(other.retryInterval()).isEqualTo(Duration.ofMillis(1500));
                    assertThat(context.getBean(Tenure.class).describe().instance())
                            .isEqualTo("node-a");
                });
    }

    @Test
    void K157_violationsNameTheirProperties() {
        billing.withPropertyValues("tenure.roles.billing.lease=10s", "tenure.roles.billing.renew-interval=8s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("tenure.roles.billing.renew-interval must be at most", "lease=10s: 8s"));
        billing.withPropertyValues("tenure.defaults.renew-interval=5s", "tenure.roles.billing.lease=6s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("tenure.defaults.renew-interval (for role billing) must be at most"));
        billing.withPropertyValues("tenure.defaults.safety-margin=-1s", "tenure.instance= ")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("tenure.defaults.safety-margin must be zero or more"));
        billing.withPropertyValues("tenure.defaults.key=x")
                .run(context -> assertThat(analysis(context).getDescription()).contains("tenure.defaults.key"));
        bare.withPropertyValues("tenure.roles.a.key=k", "tenure.roles.b.key=k", "tenure.start=manual")
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("tenure.roles.b.key", "role=a"));
    }

    @Test
    void R015_theCommandsVariableIsTheStoreUnlessPropertiesNameOne() {
        ApplicationContextRunner underTheCommand = billing.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        Map.of(
                                "TENURE_STORE", "redis://localhost:1",
                                "TENURE_ROLE", "nightly",
                                "TENURE_NAME", "web-1",
                                "TENURE_TERM", "7",
                                "TENURE_FENCING_TOKEN", "9"))));
        underTheCommand.run(context -> assertThat(storeName(context)).contains("localhost:1"));
        underTheCommand
                .withPropertyValues("tenure.store.url=jdbc:sqlite:" + folder.resolve("a.db"))
                .run(context -> assertThat(storeName(context)).startsWith("sqlite"));
    }

    @Test
    void K157_propertiesThatDoNotExistAreRefusedByName() {
        billing.withPropertyValues("tenure.roles.billing.leese=5s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("[tenure.roles.billing.leese] were left unbound"));
        billing.withPropertyValues("tenure.store.uri=memory:")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("[tenure.store.uri] were left unbound"));
    }

    @Test
    void K157_rolesInOtherSpellingsAreNamedAsTheirPropertiesAre() {
        bare.withPropertyValues("tenure.roles.close-batches.renew-interval=1h")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("tenure.roles.close-batches.renew-interval must be at most"));
        bare.withPropertyValues("tenure.roles.closeBatches.renewInterval=1h")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("tenure.roles[closeBatches].renew-interval must be at most"));
        bare.withInitializer(context -> context.getEnvironment()
                        .getPropertySources()
                        .addFirst(new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                Map.of("TENURE_ROLES_BATCHES_RENEWINTERVAL", "1h"))))
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("tenure.roles.batches.renew-interval must be at most"));
    }

    // roles as beans

    @Test
    void R077_aSingleRoleIsInjectedUnqualified() {
        billing.withUserConfiguration(Unqualified.class)
                .run(context -> assertThat(
                                context.getBean(Consumer.class).leadership.role())
                        .isEqualTo("billing"));
    }

    @Test
    void R077_severalRolesAreInjectedByQualifierOrName() {
        bare.withUserConfiguration(Qualified.class)
                .withPropertyValues(
                        "tenure.start=manual", "tenure.roles.billing.lease=15s", "tenure.roles.reports.lease=15s")
                .run(context -> {
                    assertThat(context.getBean(Pair.class).reports.role()).isEqualTo("reports");
                    assertThat(context.getBean(Pair.class).billing.role()).isEqualTo("billing");
                });
    }

    @Test
    void R077_anUnqualifiedInjectionOfSeveralFailsNamingThem() {
        bare.withUserConfiguration(Unqualified.class)
                .withPropertyValues(
                        "tenure.start=manual", "tenure.roles.billing.lease=15s", "tenure.roles.reports.lease=15s")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class)
                        .rootCause()
                        .hasMessageContainingAll("billing", "reports"));
    }

    @Test
    void B62_aBeanThatWouldShadowAnElectorIsRefused() {
        billing.withBean("billing", Leadership.class, () -> FakeLeadership.of("billing"))
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("The bean 'billing' would shadow the elector of the role 'billing'"));
        billing.withUserConfiguration(PrimaryLeadership.class)
                .run(context -> assertThat(analysis(context).getDescription()).contains("'own'", "primary"));
    }

    @Test
    void B62_anotherBeanOfTheRolesNameIsLeftAlone() {
        billing.withBean("billing", String.class, () -> "text").run(context -> {
            assertThat(context.getBean("billing")).isEqualTo("text");
            assertThat(context.getBean(Leadership.class).role()).isEqualTo("billing");
        });
    }

    @Test
    void B62_aRepeatedRoleIsRefused() {
        bare.withPropertyValues("tenure.roles.close-batches.lease=15s", "tenure.roles.closebatches.lease=15s")
                .run(context -> assertThat(analysis(context).getDescription())
                        .contains("'close-batches' is repeated as 'closebatches'"));
    }

    @Test
    void withoutRolesNothingStands() {
        bare.run(context ->
                assertThat(context).hasNotFailed().hasSingleBean(Tenure.class).doesNotHaveBean(LeaderElector.class));
    }

    private static String storeName(AssertableApplicationContext context) {
        return context.getBean(Tenure.class).describe().store().toLowerCase(java.util.Locale.ROOT);
    }

    static FailureAnalysis analysis(AssertableApplicationContext context) {
        assertThat(context).hasFailed();
        return Optional.ofNullable(new RefusalAnalyzer().analyze(context.getStartupFailure()))
                .orElseThrow(() -> new AssertionError("not analyzed", context.getStartupFailure()));
    }

    record Consumer(Leadership leadership) {}

    record Pair(Leadership billing, Leadership reports) {}

    @Configuration(proxyBeanMethods = false)
    static class Unqualified {
        @Bean
        Consumer consumer(Leadership leadership) {
            return new Consumer(leadership);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Qualified {
        @Bean
        Pair pair(Leadership billing, @Qualifier("reports") Leadership other) {
            return new Pair(billing, other);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class PrimaryLeadership {
        @Bean
        @Primary
        Leadership own() {
            return FakeLeadership.of("other");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Checks {
        @Bean
        BooleanSupplier healthy() {
            return () -> true;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnStore {
        static final LeaseStore STORE = LeaseStores.inMemory();

        @Bean
        LeaseStore ownStore() {
            return STORE;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Sqlite {
        @Bean
        DataSource dataSource(org.springframework.core.env.Environment environment) {
            SQLiteDataSource dataSource = new SQLiteDataSource();
            dataSource.setUrl("jdbc:sqlite:" + environment.getProperty("test.db"));
            return dataSource;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Redis {
        @Bean(destroyMethod = "shutdown")
        RedisClient redisClient() {
            return RedisClient.create("redis://localhost:1");
        }
    }
}
