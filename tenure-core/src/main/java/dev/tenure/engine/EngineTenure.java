package dev.tenure.engine;

import dev.tenure.ElectionOptions;
import dev.tenure.Elections;
import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import dev.tenure.LeaderWork;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import dev.tenure.TenureDescription;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A Tenure on its engine.
 */
public final class EngineTenure implements Tenure {
    private final Hub hub;
    private final Registry registry;
    private final EngineElections elections;
    private final Shutdown shutdown;

    private EngineTenure(Settings settings, Surroundings around, @Nullable CallbackThreads threads) {
        Executor users = settings.executor() != null ? settings.executor() : around.callbacks();
        hub = new Hub(settings, around, users);
        registry = new Registry(hub);
        elections = new EngineElections(registry, settings.defaults());
        LoopThread driver = around.threaded() ? LoopThread.start(hub.loop()) : null;
        shutdown = new Shutdown(hub, registry, driver, threads);
        hub.loop().post(hub.clocks()::start);
    }

    /**
     * In production.
     */
    public static Tenure open(Settings settings) {
        CallbackThreads threads = new CallbackThreads();
        return new EngineTenure(settings, Surroundings.machine(threads), threads);
    }

    /**
     * In other surroundings, as tests and simulations make them.
     */
    public static EngineTenure open(Settings settings, Surroundings around) {
        return new EngineTenure(settings, around, null);
    }

    /**
     * The loop, for whoever drives it.
     */
    public ElectionLoop loop() {
        return hub.loop();
    }

    @Override
    public Collection<LeaderElector> electors() {
        return registry.electors();
    }

    @Override
    public TenureDescription describe() {
        return Probe.describe(registry, elections.options());
    }

    @Override
    public OwnedLease acquire(String role) throws InterruptedException {
        return elections.acquire(role);
    }

    @Override
    public Optional<OwnedLease> tryAcquire(String role) throws InterruptedException {
        return elections.tryAcquire(role);
    }

    @Override
    public Optional<OwnedLease> tryAcquire(String role, Duration wait) throws InterruptedException {
        return elections.tryAcquire(role, wait);
    }

    @Override
    public CompletableFuture<OwnedLease> acquireAsync(String role) {
        return elections.acquireAsync(role);
    }

    @Override
    public CompletableFuture<Optional<OwnedLease>> tryAcquireAsync(String role) {
        return elections.tryAcquireAsync(role);
    }

    @Override
    public LeaderElector elector(String role) {
        return elections.elector(role);
    }

    @Override
    public LeaderElector elector(String role, LeaderWork work) {
        return elections.elector(role, work);
    }

    @Override
    public LeaderWatch watch(String role) {
        return elections.watch(role);
    }

    @Override
    public Elections with(Consumer<ElectionOptions.Builder> change) {
        return elections.with(change);
    }

    /**
     * Begins to close, for whoever drives the loop and so cannot wait; complete when nothing is left to wait for.
     */
    public CompletableFuture<Void> closeAsync() {
        return shutdown.begin();
    }

    @Override
    public void close() {
        shutdown.close();
    }

    /**
     * The states of all elections, for those who check them.
     */
    public List<Election> states() {
        return hub.participants().stream().map(Participant::election).toList();
    }
}
