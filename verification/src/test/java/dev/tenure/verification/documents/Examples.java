package dev.tenure.verification.documents;

import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.jdbc.JdbcFence;
import dev.tenure.jdbc.JdbcLeaseStore;
import dev.tenure.spi.LeaseStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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
}
