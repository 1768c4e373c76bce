package dev.tenure.spring;

import dev.tenure.LeaderElector;
import dev.tenure.log.LogLine;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * Electors start last and stop first: they stand only in an application that works, and their work is drained and their
 * leases are released while all else still runs.
 */
final class TenureLifecycle implements SmartLifecycle, ApplicationListener<AvailabilityChangeEvent<ReadinessState>> {
    private static final Logger LOG = LoggerFactory.getLogger(TenureLifecycle.class);

    private final TenureElectors electors;
    private final LeadershipEvents events;
    private final Electors all;
    private final boolean watching;
    private final Duration shutdownTimeout;
    private volatile boolean accepting;
    private volatile boolean running;

    /**
     * @param shutdownTimeout how long Spring waits for a phase of the shutdown
     */
    TenureLifecycle(
            TenureElectors electors,
            LeadershipEvents events,
            Electors all,
            boolean watching,
            Duration shutdownTimeout) {
        this.electors = electors;
        this.events = events;
        this.all = all;
        this.watching = watching;
        this.shutdownTimeout = shutdownTimeout;
    }

    @Override
    public void start() {
        running = true;
        if (watching) {
            electors.roles().names().forEach(role -> events.follow(electors.watch(role)));
        }
        for (String role : electors.roles().names()) {
            all.of(role).ifPresent(this::warnIfDrainIsCut);
            StartMode mode = electors.startOf(role);
            if (mode == StartMode.CONTEXT || (mode == StartMode.READINESS && accepting)) {
                all.of(role).ifPresent(LeaderElector::start);
            }
        }
    }

    @Override
    public void onApplicationEvent(AvailabilityChangeEvent<ReadinessState> event) {
        if (event.getState() != ReadinessState.ACCEPTING_TRAFFIC) {
            return; // an instance that refuses traffic may lead on
        }
        accepting = true;
        if (running) {
            for (String role : electors.roles().names()) {
                if (electors.startOf(role) == StartMode.READINESS) {
                    all.of(role).ifPresent(LeaderElector::start);
                }
            }
        }
    }

    private void warnIfDrainIsCut(LeaderElector elector) {
        Duration drain = elector.describe().options().drainTimeout();
        if (drain.compareTo(shutdownTimeout) >= 0) {
            LogLine.of(LOG, SpringEvent.DRAIN_CUT_SHORT)
                    .with("role", elector.role())
                    .with("drain_ms", drain)
                    .with("phase_ms", shutdownTimeout)
                    .write();
        }
    }

    /**
     * Without waiting for the ends.
     */
    @Override
    public void stop() {
        stop(() -> {});
    }

    @Override
    public void stop(Runnable callback) {
        running = false;
        events.stopWatching();
        CompletableFuture<?>[] ends =
                all.standing().stream().map(LeaderElector::stop).toArray(CompletableFuture[]::new);
        CompletableFuture.allOf(ends).whenComplete((done, thrown) -> callback.run());
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    /**
     * The last to start and the first to stop, with the executors of scheduled methods, whose runs go on meanwhile.
     */
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
