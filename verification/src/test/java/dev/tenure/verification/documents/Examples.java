package dev.tenure.verification.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.consul.ConsulLeaseStore;
import dev.tenure.jdbc.JdbcFence;
import dev.tenure.jdbc.JdbcLeaseStore;
import dev.tenure.redis.RedisFence;
import dev.tenure.redis.RedisLeaseStore;
import dev.tenure.schedule.LeaderScheduler;
import dev.tenure.schedule.Schedule;
import dev.tenure.spi.LeaseStore;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;

/**
 * The Java of the documents, so that it compiles.
 */
final class Examples {
    private final JdbcFence fence = JdbcFence.guardTable();

    record Batch(long id) {}

    interface Invoices {
        List<Batch> open();

        void close(Batch batch, FencingToken token);
    }

    static void scope(Invoices invoices) throws InterruptedException {
        try (Tenure tenure = Tenure.connect("jdbc:postgresql://db/app?user=app");
                OwnedLease lease = tenure.acquire("nightly-report")) { // waits until this instance leads
            for (Batch batch : invoices.open()) {
                lease.ensureHeld();
                invoices.close(batch, lease.fencingToken()); // the resource compares the token
            }
        }
    }

    LeaderElector standing(Tenure tenure) {
        LeaderElector elector = tenure.elector("billing", term -> {
            do {
                closeBatches(term.fencingToken());
            } while (!term.awaitLost(Duration.ofSeconds(5)));
        });
        elector.onChange(this::startCache, this::stopCache);
        elector.start();
        return elector;
    }

    LeaderScheduler scheduled(LeaderElector elector) {
        LeaderScheduler scheduler = LeaderScheduler.on(elector);
        scheduler.schedule(
                "close", Schedule.fixedRate(Duration.ofMinutes(1)), term -> closeBatches(term.fencingToken()));
        return scheduler;
    }

    void closeBatch(Connection transaction, Lease lease, long batch) throws SQLException {
        fence.check(transaction, lease.fencingToken()); // FencedOutException if a later leader has written
        try (PreparedStatement update =
                transaction.prepareStatement("update invoice_batch set status = 'closed' where id = ?")) {
            update.setLong(1, batch);
            update.executeUpdate();
        }
    }

    static List<LeaseStore> stores(String secret, DataSource dataSource) {
        LeaseStore store =
                JdbcLeaseStore.connect("jdbc:postgresql://db1/app", Map.of("user", "app", "password", secret));
        LeaseStore local = JdbcLeaseStore.connect("jdbc:sqlite:/var/lib/app/lease.db");
        LeaseStore pooled = JdbcLeaseStore.using(dataSource);
        return List.of(store, local, pooled);
    }

    static List<LeaseStore> redis(RedisClient redisClient) {
        LeaseStore single = RedisLeaseStore.connect("redis://app:secret@db1:6379/0");
        LeaseStore sentinel = RedisLeaseStore.connect("redis-sentinel://s1:26379,s2:26379,s3:26379#main");
        LeaseStore cluster = RedisLeaseStore.builder("rediss-cluster://c1,c2,c3")
                .namespace("billing")
                .build();
        LeaseStore own = RedisLeaseStore.using(redisClient).namespace("billing").build();
        return List.of(single, sentinel, cluster, own);
    }

    static void redisFence(StatefulRedisConnection<String, String> connection, Lease lease) {
        RedisFence fence = RedisFence.on(connection); // once; the connection stays the application's
        FencingToken token = lease.fencingToken();

        CompletionStage<Void> written = fence.set("billing:cursor", "4711", token);
        CompletionStage<Long> counted = fence.eval(
                "return redis.call('INCRBY', KEYS[1], ARGV[1])",
                Long.class,
                List.of("billing:count"),
                List.of("3"),
                token);
        try {
            written.toCompletableFuture().join();
            counted.toCompletableFuture().join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof FencedOutException out) {
                stop(out.highest()); // a later leader has written: nothing was changed
            }
        }
    }

    private static void stop(long highest) {
        assertThat(highest).isPositive();
    }

    void fenced(DataSource database, Lease lease) throws SQLException {
        try (Connection transaction = database.getConnection()) {
            transaction.setAutoCommit(false);
            fence.check(transaction, lease.fencingToken()); // JdbcFence.guardTable(), once
            write(transaction);
            transaction.commit();
        }
    }

    private static void write(Connection transaction) {
        System.out.println(transaction);
    }

    private void closeBatches(FencingToken token) {
        System.out.println(token);
    }

    private void startCache(Lease lease) {
        System.out.println(lease);
    }

    private void stopCache(Lease lease, LossReason reason) {
        System.out.println(lease + " " + reason);
    }

    void consulStores(String aclToken) {
        LeaseStore agent = ConsulLeaseStore.connect("consul://127.0.0.1:8500");
        LeaseStore secured = ConsulLeaseStore.builder("consul+https://127.0.0.1:8501?ca=/etc/consul/ca.pem")
                .token(aclToken)
                .lockDelay(Duration.ofSeconds(10))
                .namespace("billing")
                .build();
        assertThat(List.of(agent, secured)).doesNotContainNull();
    }

    void insteadOfHandWrittenSessions() {
        Tenure tenure = Tenure.connect("consul://127.0.0.1:8500");
        LeaderElector elector = tenure.with(options -> options.key("service/billing/leader"))
                .elector("billing", lease -> closeBatches(lease.fencingToken()));
        elector.start();
    }
}
