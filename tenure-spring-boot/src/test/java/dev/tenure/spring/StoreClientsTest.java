package dev.tenure.spring;

import static dev.tenure.spring.TenureAutoConfigurationTest.analysis;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Tenure;
import dev.tenure.redis.RedisLeaseStore;
import io.lettuce.core.RedisClient;
import java.nio.file.Path;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.sqlite.SQLiteDataSource;

/**
 * Which of several clients of an application the elections are held on, and what is said if something is missing.
 */
class StoreClientsTest {
    private final ApplicationContextRunner billing = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class))
            .withPropertyValues("tenure.start=manual", "tenure.roles.billing.lease=15s");

    @TempDir
    Path folder;

    @Test
    void R014_severalDataSourcesAreRefusedUnlessOneIsNamed() {
        ApplicationContextRunner two = billing.withBean("orders", DataSource.class, () -> database("orders"))
                .withBean("audit", DataSource.class, () -> database("audit"));
        two.run(context -> {
            FailureAnalysis refused = analysis(context);
            assertThat(refused.getDescription()).contains("DataSource 'orders'", "DataSource 'audit'");
            assertThat(refused.getAction()).contains("tenure.store.bean to one of orders, audit");
        });
        two.withPropertyValues("tenure.store.bean=audit")
                .run(context -> assertThat(storeOf(context)).contains("sqlite"));
        two.withPropertyValues("tenure.store.bean=adit")
                .run(context -> assertThat(analysis(context).getDescription()).contains("tenure.store.bean is adit"));
    }

    @Test
    void R014_thePrimaryDataSourceIsTaken() {
        billing.withBean(
                        "orders", DataSource.class, () -> database("orders"), definition -> definition.setPrimary(true))
                .withBean("audit", DataSource.class, StoreClientsTest::untouched)
                .run(context -> assertThat(storeOf(context)).contains("sqlite"));
        billing.withBean("orders", DataSource.class, () -> database("orders"))
                .withBean("audit", DataSource.class, StoreClientsTest::untouched, definition -> {
                    definition.setFallback(true);
                    definition.setLazyInit(true);
                })
                .run(context -> assertThat(storeOf(context)).contains("sqlite"));
    }

    @Test
    void R014_severalRedisClientsAreRefusedUnlessOneIsNamed() {
        ApplicationContextRunner two = billing.withBean("cache", RedisClient.class, StoreClientsTest::client)
                .withBean("locks", RedisClient.class, StoreClientsTest::client);
        two.run(context -> assertThat(analysis(context).getDescription())
                .contains("Redis client 'cache'", "Redis client 'locks'"));
        two.withPropertyValues("tenure.store.bean=locks")
                .run(context -> assertThat(storeOf(context)).contains("redis"));
    }

    @Test
    void R014_severalConnectionFactoriesAreRefusedUnlessOneIsNamed() {
        ApplicationContextRunner two =
                billing.withBean("one", LettuceConnectionFactory.class).withBean("two", LettuceConnectionFactory.class);
        two.run(context -> assertThat(analysis(context).getDescription())
                .contains("LettuceConnectionFactory 'one'", "LettuceConnectionFactory 'two'"));
        two.withPropertyValues("tenure.store.bean=two")
                .run(context -> assertThat(storeOf(context)).contains("redis"));
    }

    @Test
    void aClientIsNotMadeForAStoreThatIsNotUsed() {
        billing.withPropertyValues("tenure.store.url=memory:")
                .withBean(
                        "orders",
                        DataSource.class,
                        StoreClientsTest::untouched,
                        definition -> definition.setLazyInit(true))
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aMissingDriverIsNamed() throws SQLException {
        Driver driver = DriverManager.getDriver("jdbc:sqlite:");
        DriverManager.deregisterDriver(driver);
        try {
            billing.withPropertyValues("tenure.store.url=jdbc:sqlite:" + folder.resolve("a.db"))
                    .run(context -> {
                        FailureAnalysis refused = analysis(context);
                        assertThat(refused.getDescription()).contains("no JDBC driver takes the URL");
                        assertThat(refused.getAction()).contains("add the driver org.xerial:sqlite-jdbc");
                    });
        } finally {
            DriverManager.registerDriver(driver);
        }
    }

    @Test
    void aMissingModuleIsNamed() {
        billing.withClassLoader(new FilteredClassLoader(RedisLeaseStore.class)).run(context -> {
            assertThat(StoreArtifacts.missingFor("rediss://h")).contains("dev.tenure:tenure-redis");
            for (String url : List.of("consul+https://h", "jdbc:sqlite:a", "jdbc:postgresql://h/a", "ldap://h", "h")) {
                assertThat(StoreArtifacts.missingFor(url)).as(url).isEmpty();
            }
        });
        assertThat(StoreArtifacts.missingFor("redis-cluster://h")).isEmpty();
        billing.withPropertyValues("tenure.store.url=jdbc:oracle:thin:@h")
                .run(context ->
                        assertThat(analysis(context).getDescription()).contains("store must begin with one of"));
    }

    private static String storeOf(AssertableApplicationContext context) {
        return context.getBean(Tenure.class).describe().store().toLowerCase(Locale.ROOT);
    }

    private static RedisClient client() {
        return RedisClient.create("redis://127.0.0.1:1");
    }

    private static DataSource untouched() {
        SQLiteDataSource never = new SQLiteDataSource();
        never.setUrl("jdbc:nothing:");
        return never;
    }

    private DataSource database(String name) {
        SQLiteDataSource dataSource = new SQLiteDataSource();
        dataSource.setUrl("jdbc:sqlite:" + folder.resolve(name + ".db"));
        return dataSource;
    }
}
