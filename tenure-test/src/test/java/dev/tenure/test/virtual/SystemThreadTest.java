package dev.tenure.test.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class SystemThreadTest {
    private static void becomes(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as(what).isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    void aThreadIsRunnableUnlessItWaits() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/thread-self")), "only Linux tells");
        CompletableFuture<SystemThread> known = new CompletableFuture<>();
        CompletableFuture<Void> go = new CompletableFuture<>();
        AtomicBoolean end = new AtomicBoolean();
        Thread other = new Thread(() -> {
            known.complete(SystemThread.ofCaller());
            go.join();
            while (!end.get()) {
                Thread.onSpinWait();
            }
        });
        other.start();
        SystemThread system = known.get(60, TimeUnit.SECONDS);
        becomes("waits", () -> !system.isRunnable() && other.getState() == Thread.State.WAITING);
        go.complete(null);
        becomes("was let go", system::isRunnable);
        end.set(true);
        becomes("has ended", () -> !system.isRunnable() && !other.isAlive());
    }
}
