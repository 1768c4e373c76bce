package dev.tenure.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.LossReason;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The double.
 */
final class FakeSubject implements Subject {
    private final FakeLeadership fake;

    FakeSubject(boolean coordinated, LeaderWork work) {
        ElectionOptions.Builder options = ElectionOptions.builder();
        Subject.options(options);
        fake = FakeLeadership.of(ROLE, options.build())
                .announce(METADATA)
                .setCoordinated(coordinated)
                .runs(work);
    }

    @Override
    public LeaderElector elector() {
        return fake;
    }

    @Override
    public void elect() {
        fake.elect();
    }

    @Override
    public void lose(LossReason reason) {
        if (reason == LossReason.DEADLINE_EXCEEDED) {
            fake.advance(fake.lease().orElseThrow().remaining());
        } else {
            fake.lose(reason);
        }
    }

    @Override
    public void advance(Duration time) {
        fake.advance(time);
    }

    @Override
    public void settle() {}

    @Override
    public void until(BooleanSupplier condition) {
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @Override
    public void pass(Duration time) throws InterruptedException {
        fake.advance(time);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    @Override
    public <T> CompletableFuture<T> call(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(call.call());
            } catch (Throwable thrown) {
                result.completeExceptionally(thrown);
            }
        });
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    @Override
    public void close() {}
}
