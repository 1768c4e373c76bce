package dev.tenure.verification.documents;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.Lease;
import dev.tenure.jdbc.JdbcFence;
import dev.tenure.redis.RedisFence;
import io.lettuce.core.api.StatefulRedisConnection;
import java.net.URI;
import java.net.http.HttpRequest;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The Java of the guide to fencing, so that it compiles.
 */
final class FencingExamples {
    interface Ledger {
        void append(Connection transaction, String entry) throws SQLException;
    }

    private final JdbcFence fence = JdbcFence.guardTable();
    private final JdbcFence jdbcFence = fence;
    private final Ledger ledger;

    FencingExamples(Ledger ledger) {
        this.ledger = ledger;
    }

    void assign(Connection connection, long shard, String owner, FencingToken token) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update shard set owner = ?, token = ? where id = ? and token <= ?")) {
            update.setString(1, owner);
            update.setLong(2, token.value());
            update.setLong(3, shard);
            update.setLong(4, token.value());
            JdbcFence.requireWritten(update.executeUpdate(), token); // FencedOutException if no row was written
        }
    }

    static CompletionStage<Void> inRedis(
            StatefulRedisConnection<String, String> connection, Lease lease, String prices) {
        RedisFence fence = RedisFence.on(connection); // once; the connection stays the application's
        CompletionStage<Void> written = fence.set("prices:current", prices, lease.fencingToken());
        return written;
    }

    static HttpRequest overHttp(URI ledger, Lease lease, String entry) {
        HttpRequest request = HttpRequest.newBuilder(ledger)
                .header(FencingToken.HEADER, lease.fencingToken().toHeader())
                .POST(HttpRequest.BodyPublishers.ofString(entry))
                .build();
        return request;
    }

    int post(Optional<String> header, String entry, Connection transaction) throws SQLException {
        if (header.isEmpty()) {
            return 428; // a write without a token goes around the fence
        }
        FencingToken token;
        try {
            token = FencingToken.fromHeader(header.get());
        } catch (IllegalArgumentException none) {
            return 400;
        }
        if (!token.role().equals("billing")) {
            return 403; // another role's tokens have another order
        }
        try {
            fence.check(transaction, token);
            ledger.append(transaction, entry);
            transaction.commit();
            return 201;
        } catch (FencedOutException stale) {
            transaction.rollback();
            return 412; // not worth another try
        }
    }

    void afterRestore(Connection connection, RedisFence redisFence, long highest) throws SQLException {
        jdbcFence.reset(connection, "billing", highest); // the resource is named like the role unless you named it
        redisFence.reset("prices:current", highest).toCompletableFuture().join();
    }
}
