package dev.tenure.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.Registration;
import dev.tenure.spi.Claim;
import dev.tenure.test.Asker;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresWakeUpsTest {
    private final String table = PostgresServer.freshName("wake");
    private Asker watching;
    private Asker changing;

    @BeforeEach
    void open() {
        watching = Asker.at(PostgresServer.url() + "&ApplicationName=" + table, "table", table, "namespace", "n:");
        changing = Asker.at(PostgresServer.url(), "table", table, "namespace", "n:");
    }

    @AfterEach
    void close() {
        watching.close();
        changing.close();
    }

    /**
     * The first wake-up says that it listens.
     */
    private Semaphore watch(String key) throws InterruptedException {
        Semaphore woken = new Semaphore(0);
        watching.store().watch(key, woken::release);
        assertWoken(woken);
        return woken;
    }

    private static void assertWoken(Semaphore woken) throws InterruptedException {
        assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).as("woken").isTrue();
    }

    @Test
    void aReleaseElsewhereWakesAWatcher() throws InterruptedException {
        Semaphore woken = watch("k");
        changing.release(changing.grant("k"));
        assertWoken(woken);
    }

    @Test
    void revocationForceAndAcceptanceWakeToo() throws InterruptedException {
        Semaphore woken = watch("k");
        Claim claim = changing.grant("k");
        assertThat(changing.store().revoke("k").toCompletableFuture().join()).isTrue();
        assertWoken(woken);
        assertThat(changing.forceRelease("k")).isTrue();
        assertWoken(woken);
        changing.acceptToken("k", claim.token());
        assertWoken(woken);
    }

    @Test
    void anotherKeyWakesNobodyAndAFailingWatcherHarmsNobody() throws InterruptedException {
        Semaphore woken = watch("k");
        Semaphore removed = new Semaphore(0);
        Registration gone = watching.store().watch("k", removed::release);
        gone.remove();
        gone.remove();
        watching.store().watch("k", () -> {
            throw new IllegalStateException("on purpose");
        });
        changing.release(changing.grant("other"));
        changing.release(changing.grant("k"));
        assertWoken(woken);
        changing.release(changing.grant("k"));
        assertWoken(woken);
        assertThat(woken.availablePermits()).isZero();
        assertThat(removed.availablePermits()).isZero();
    }

    @Test
    void aListeningConnectionThatWasKilledIsReplacedAndEverybodyIsWoken() throws InterruptedException {
        Semaphore woken = watch("k");
        woken.drainPermits();
        PostgresServer.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                + " WHERE query LIKE 'SELECT pg_notify(%' AND application_name = '" + table + "'");
        assertWoken(woken);
        changing.release(changing.grant("k"));
        assertWoken(woken);
    }
}
