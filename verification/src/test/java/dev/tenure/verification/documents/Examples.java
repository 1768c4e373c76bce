package dev.tenure.verification.documents;

import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.jdbc.JdbcFence;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

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
