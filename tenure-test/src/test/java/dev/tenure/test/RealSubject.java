package dev.tenure.test;

import dev.tenure.ElectionOptions.WhenUncoordinated;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.spi.RenewResult;
import dev.tenure.spi.StoreTraits;
import dev.tenure.test.virtual.StoreCall;
import dev.tenure.test.virtual.VirtualTenure;
import dev.tenure.test.virtual.VirtualWorld;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A real elector, on the store in memory and on virtual time.
 */
final class RealSubject implements Subject {
    private static final String NAME = "a";
    private static final Duration LONG = Duration.ofMinutes(1);

    private final VirtualWorld world;
    private final VirtualTenure process;
    private final LeaderElector elector;

    RealSubject(boolean coordinated, LeaderWork work) {
        VirtualWorld.Builder builder = VirtualWorld.builder();
        if (!coordinated) {
            builder.traits(StoreTraits.builder("nothing", StoreTraits.Scope.NONE)
                    .lease(Duration.ofMillis(1), Duration.ofDays(1))
                    .build());
        }
        world = builder.build();
        process = world.processWith(NAME, setup -> {
            setup.options(Subject::options).options(options -> options.whenUncoordinated(WhenUncoordinated.LEAD));
            METADATA.forEach(setup::metadata);
        });
        elector =
                work == null ? process.tenure().elector(ROLE) : process.tenure().elector(ROLE, work);
    }

    @Override
    public LeaderElector elector() {
        return elector;
    }

    @Override
    public void elect() {
        long before = elector.term();
        elector.start();
        until(() -> elector.term() > before);
    }

    @Override
    public void lose(LossReason reason) {
        Lease lease = elector.lease().orElseThrow();
        if (reason == LossReason.DEADLINE_EXCEEDED) {
            world.store().cut(NAME);
        } else {
            refuseNext(reason);
        }
        until(() -> lease.lossReason().isPresent());
        world.store().mend(NAME);
    }

    /**
     * The next renewal is refused.
     */
    void refuseNext(LossReason reason) {
        world.store()
                .on(StoreCall.Kind.RENEW)
                .once()
                .answer(reason == LossReason.TAKEN_OVER ? RenewResult.NOT_HOLDER : RenewResult.SESSION_GONE);
    }

    @Override
    public void advance(Duration time) {
        world.store().cut(NAME);
        world.advance(time);
    }

    @Override
    public void settle() {
        world.settle();
    }

    @Override
    public void until(BooleanSupplier condition) {
        world.advanceUntil(condition, LONG);
    }

    @Override
    public void pass(Duration time) throws InterruptedException {
        world.pass(time);
    }

    @Override
    public <T> CompletableFuture<T> call(Callable<T> call) {
        CompletableFuture<T> result = new CompletableFuture<>();
        process.call(() -> {
            try {
                return result.complete(call.call());
            } catch (Exception thrown) {
                return result.completeExceptionally(thrown);
            }
        });
        return result;
    }

    @Override
    public void close() {
        try {
            world.close();
            world.checker().verify();
        } finally {
            world.store().heal();
        }
    }
}
