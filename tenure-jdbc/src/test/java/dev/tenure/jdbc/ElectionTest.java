package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.FencingToken;
import dev.tenure.LeaseStores;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole library on a database.
 */
class ElectionTest {
    @TempDir
    Path folder;

    @Test
    void theLeaseGoesFromOneInstanceToTheNextOnSqlite() throws Exception {
        handsOver("jdbc:sqlite:" + folder.resolve("lease.db"));
    }

    @Test
    void theLeaseGoesFromOneInstanceToTheNextOnPostgres() throws Exception {
        handsOver(PostgresServer.url());
    }

    /**
     * So long a lease that the first answer may take long too.
     */
    private static Tenure lasting(String url) {
        return Tenure.builder(LeaseStores.open(url))
                .defaults(options -> options.lease(Duration.ofHours(1)))
                .build();
    }

    private static void handsOver(String url) throws Exception {
        String role = PostgresServer.freshName("role");
        try (Tenure one = lasting(url);
                Tenure other = lasting(url)) {
            CompletableFuture<OwnedLease> next;
            FencingToken token;
            try (OwnedLease first = one.acquire(role)) {
                assertThat(other.tryAcquire(role)).isEmpty();
                next = other.acquireAsync(role);
                token = first.fencingToken();
                assertThat(first.isHeld()).isTrue();
            }
            try (OwnedLease second = next.get(60, TimeUnit.SECONDS)) {
                assertThat(token.isOlderThan(second.fencingToken())).isTrue();
            }
        }
    }
}
