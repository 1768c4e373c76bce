package dev.tenure.engine;

import dev.tenure.ElectionOptions;
import dev.tenure.Elections;
import dev.tenure.InvalidOptionsException;
import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.LeaderWork;
import dev.tenure.OwnedLease;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The ways to take part, with one set of options.
 */
final class EngineElections implements Elections {
    private final Registry registry;
    private final ElectionOptions options;
    private final StoreTraits traits;
    private final Timing timing;

    EngineElections(Registry registry, ElectionOptions options) {
        this.registry = registry;
        this.options = options;
        this.traits = registry.hub().store().traits();
        this.timing = Timing.of(options, traits);
    }

    Registry registry() {
        return registry;
    }

    ElectionOptions options() {
        return options;
    }

    Timing timing() {
        return timing;
    }

    /**
     * The key of a role, which is this role's from now on.
     */
    String key(String role) {
        registry.ensureOpen();
        InvalidOptionsException.throwIfAny(options.toBuilder().validate(role, traits));
        String key = options.resolveKey(role, traits);
        registry.take(key, role);
        return key;
    }

    @Override
    public OwnedLease acquire(String role) throws InterruptedException {
        return await(role, Once.FOR_EVER)
                .orElseThrow(() -> new IllegalStateException("an acquisition without limit was denied"));
    }

    @Override
    public Optional<OwnedLease> tryAcquire(String role) throws InterruptedException {
        return await(role, Once.SINGLE);
    }

    @Override
    public Optional<OwnedLease> tryAcquire(String role, Duration wait) throws InterruptedException {
        return await(role, limit(wait));
    }

    /**
     * An interrupted thread asks the store for nothing.
     */
    private Optional<OwnedLease> await(String role, Once once) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return Acquisition.start(this, role, once).await();
    }

    private Once limit(@Nullable Duration wait) {
        if (wait == null || wait.isNegative() || wait.compareTo(Duration.ofDays(365)) > 0) {
            throw new InvalidOptionsException(
                    List.of(new Violation("wait", String.valueOf(wait), "from zero to 365 days")));
        }
        return wait.isZero() ? Once.SINGLE : Once.until(registry.hub().time().now() + wait.toNanos());
    }

    @Override
    public CompletableFuture<OwnedLease> acquireAsync(String role) {
        Acquisition acquisition = Acquisition.start(this, role, Once.FOR_EVER);
        return acquisition.future(
                lease -> lease.orElseThrow(() -> new IllegalStateException("an acquisition without limit was denied")));
    }

    @Override
    public CompletableFuture<Optional<OwnedLease>> tryAcquireAsync(String role) {
        return Acquisition.start(this, role, Once.SINGLE).future(lease -> lease);
    }

    @Override
    public LeaderElector elector(String role) {
        return new EngineElector(this, role, key(role), null);
    }

    @Override
    public LeaderElector elector(String role, LeaderWork work) {
        return new EngineElector(this, role, key(role), work);
    }

    @Override
    public LeaderWatch watch(String role) {
        return EngineWatch.start(this, role, key(role));
    }

    @Override
    public Elections with(Consumer<ElectionOptions.Builder> change) {
        ElectionOptions.Builder builder = options.toBuilder();
        change.accept(builder);
        InvalidOptionsException.throwIfAny(builder.validate(traits));
        return new EngineElections(registry, builder.build());
    }
}
