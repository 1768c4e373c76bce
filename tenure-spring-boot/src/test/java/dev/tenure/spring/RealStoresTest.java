package dev.tenure.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import dev.tenure.LeaseStores;
import dev.tenure.spi.LeaseRecord;
import dev.tenure.spi.LeaseStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Contexts that start, hand over and close on real servers.
 */
class RealStoresTest {
    /**
     * Of stores, their drivers and pools; not of what lives as long as the JVM.
     */
    private static final Pattern OURS = Pattern.compile("(tenure|lettuce|Hikari|PostgreSQL).*");

    /**
     * The lease outlasts the test: who comes next was let in, and did not wait for its end.
     */
    private final ApplicationContextRunner billing = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(TenureAutoConfiguration.class))
            .withPropertyValues("tenure.roles.billing.lease=10m", "tenure.namespace=shop");

    @TempDir
    Path folder;

    private Set<Thread> before;

    @BeforeEach
    void remember() {
        before = threads();
    }

    @AfterEach
    void threadsOfTheContextsAreGone() {
        Settled.until("ended: " + before, () -> before.containsAll(threads()));
    }

    @Test
    void R015_K081_redis() {
        try (ServerPrograms.Running server = ServerPrograms.redis(folder)) {
            String url = "redis://" + server.address();
            RedisClient probe = RedisClient.create(url);
            try (StatefulRedisConnection<String, String> own = probe.connect()) {
                handsOver(billing.withPropertyValues("tenure.store.url=" + url), url);
                assertOnlyOne(own);
                handsOver(
                        billing.withBean(
                                RedisClient.class,
                                () -> RedisClient.create(url),
                                definition -> definition.setDestroyMethodName("shutdown")),
                        url);
                assertOnlyOne(own);
                handsOver(
                        billing.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                                .withPropertyValues(
                                        "spring.data.redis.host=127.0.0.1",
                                        "spring.data.redis.port="
                                                + server.address().substring("127.0.0.1:".length())),
                        url);
                assertOnlyOne(own);
            } finally {
                probe.shutdown(Duration.ZERO, Duration.ofSeconds(10));
            }
        }
    }

    @Test
    void R015_K081_postgres() throws IOException, SQLException {
        try (EmbeddedPostgres server = ServerPrograms.postgres()) {
            String url = server.getJdbcUrl("postgres", "postgres");
            try (Connection own = DriverManager.getConnection(url)) {
                handsOver(billing.withPropertyValues("tenure.store.url=" + url), url);
                Settled.until("one connection", () -> connections(own) == 1);
                handsOver(
                        billing.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class))
                                .withPropertyValues("spring.datasource.url=" + url),
                        url);
                Settled.until("one connection", () -> connections(own) == 1);
            }
        }
    }

    @Test
    void R015_K081_consul() {
        try (ServerPrograms.Running server = ServerPrograms.consul(folder)) {
            String url = "consul://" + server.address();
            handsOver(billing.withPropertyValues("tenure.store.url=" + url), url);
        }
    }

    @Test
    void aContextClosesThoughWorkHangs() {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicReference<CompletableFuture<Void>> run = new AtomicReference<>();
        try (ServerPrograms.Running server = ServerPrograms.redis(folder)) {
            try {
                billing.withPropertyValues(
                                "tenure.store.url=redis://" + server.address(), "tenure.defaults.drain-timeout=1s")
                        .withBean(Hanging.class, mayEnd)
                        .run(context -> {
                            lead(context);
                            Hanging bean = context.getBean(Hanging.class);
                            run.set(CompletableFuture.runAsync(bean::hang));
                            Settled.until("entered", bean::isEntered);
                        });
                assertThat(run.get()).isNotDone(); // the context has closed
            } finally {
                mayEnd.countDown();
            }
            run.get().join();
        }
    }

    @Test
    void aContextClosesThoughItsServerIsGone() {
        ServerPrograms.Running server = ServerPrograms.redis(folder);
        try {
            billing.withPropertyValues(
                            "tenure.store.url=redis://" + server.address(),
                            "tenure.roles.billing.lease=6s", // the release waits for an answer in proportion to it
                            "tenure.defaults.drain-timeout=1s")
                    .run(context -> {
                        lead(context);
                        server.close();
                    });
        } finally {
            server.close();
        }
        assertThat(server.shell().isAlive()).isFalse();
    }

    /**
     * One context leads, another follows, the first closes and the other leads, and nothing is left when both are closed.
     */
    private static void handsOver(ApplicationContextRunner runner, String url) {
        AtomicReference<String> key = new AtomicReference<>("");
        runner.run(first -> {
            LeaderElector leading = lead(first);
            key.set(leading.key());
            assertThat(read(url, leading.key())).isPresent();
            runner.run(second -> {
                Leadership waiting = second.getBean(Leadership.class);
                Settled.until(
                        "following",
                        () -> waiting.leader().isPresent() && waiting.lease().isEmpty());
                first.getSourceApplicationContext().close();
                assertThat(waiting.awaitLeadership(Settled.LONGEST)).isPresent();
            });
        });
        assertThat(read(url, key.get())).isEmpty();
    }

    private static LeaderElector lead(AssertableApplicationContext context) throws InterruptedException {
        assertThat(context).hasNotFailed();
        LeaderElector elector = context.getBean(LeaderElector.class);
        assertThat(elector.awaitLeadership(Settled.LONGEST)).isPresent();
        return elector;
    }

    /**
     * As another program would see it.
     */
    private static Optional<LeaseRecord> read(String url, String key) {
        LeaseStore store = LeaseStores.open(url, java.util.Map.of("namespace", "shop"));
        try {
            return store.read(key).toCompletableFuture().get(2, TimeUnit.MINUTES);
        } catch (Exception failed) {
            throw new AssertionError(key, failed);
        } finally {
            store.close();
        }
    }

    private static void assertOnlyOne(StatefulRedisConnection<String, String> own) {
        Settled.until("one connection", () -> own.sync().clientList().lines().count() == 1);
    }

    private static long connections(Connection own) {
        try (Statement statement = own.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select count(*) from pg_stat_activity where backend_type = 'client backend'")) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> OURS.matcher(thread.getName()).matches())
                .collect(Collectors.toSet());
    }

    static class Hanging {
        private final CountDownLatch mayEnd;
        private final CountDownLatch entered = new CountDownLatch(1);

        Hanging(CountDownLatch mayEnd) {
            this.mayEnd = mayEnd;
        }

        public boolean isEntered() {
            return entered.getCount() == 0;
        }

        /**
         * Hears no interrupt.
         */
        @LeaderOnly("billing")
        public void hang() {
            entered.countDown();
            boolean ended = false;
            while (!ended) {
                try {
                    mayEnd.await();
                    ended = true;
                } catch (InterruptedException ignored) {
                    assertThat(ended).isFalse();
                }
            }
        }
    }
}
