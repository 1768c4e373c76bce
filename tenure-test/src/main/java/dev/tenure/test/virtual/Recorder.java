package dev.tenure.test.virtual;

import dev.tenure.FencingToken;
import dev.tenure.Leadership;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.spi.ElectionMonitor;
import dev.tenure.test.virtual.Recorded.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Writes down what all processes of a world tell their monitors and listeners, with the world's time.
 */
public final class Recorder {
    private final VirtualWorld world;
    private final List<Recorded> all = new CopyOnWriteArrayList<>();
    private final List<Lease> leases = new CopyOnWriteArrayList<>();
    private final Map<Lease, String> owners = new ConcurrentHashMap<>();
    private final AtomicInteger sources = new AtomicInteger();

    Recorder(VirtualWorld world) {
        this.world = world;
    }

    /**
     * Everything, in order.
     */
    public List<Recorded> events() {
        return List.copyOf(all);
    }

    /**
     * What one process told of one kind, in order.
     */
    public List<Recorded> events(String process, Kind kind) {
        return all.stream()
                .filter(event -> event.process().equals(process) && event.kind() == kind)
                .toList();
    }

    /**
     * When that was.
     */
    public List<Duration> times(String process, Kind kind) {
        return events(process, kind).stream().map(Recorded::at).toList();
    }

    /**
     * Every lease that any process was told about.
     */
    public List<Lease> leases() {
        return List.copyOf(leases);
    }

    /**
     * Registers a listener that writes down what it is told; its number is in {@link Recorded#source}.
     */
    public Registration listen(String process, Leadership of) {
        int source = sources.incrementAndGet();
        return of.onChange(
                lease -> add(process, Kind.ON_ELECTED, source, lease, ""),
                (lease, reason) -> add(process, Kind.ON_LOST, source, lease, reason.name()));
    }

    /**
     * Whether the process of a lease runs.
     */
    boolean ownerMoves(Lease lease) {
        String owner = owners.get(lease);
        return world.processes().stream().anyMatch(process -> process.name().equals(owner) && process.isMoving());
    }

    private void add(String process, Kind kind, int source, Lease lease, String detail) {
        all.add(new Recorded(
                world.elapsed(), process, lease.role(), kind, source, lease.term(), tokenOf(lease), detail));
    }

    private void add(String process, Kind kind, String role, String detail) {
        all.add(new Recorded(world.elapsed(), process, role, kind, 0, 0, 0, detail));
    }

    private static long tokenOf(Lease lease) {
        try {
            return lease.fencingToken().value();
        } catch (IllegalStateException uncoordinated) {
            return 0;
        }
    }

    ElectionMonitor monitor(String process) {
        return new ElectionMonitor() {
            @Override
            public void standing(String role) {
                add(process, Kind.STANDING, role, "");
            }

            @Override
            public void acquireFinished(String role, Outcome outcome, Duration took) {
                add(process, Kind.ACQUIRE_FINISHED, role, outcome.name());
            }

            @Override
            public void elected(Lease lease) {
                leases.add(lease);
                owners.put(lease, process);
                add(process, Kind.ELECTED, 0, lease, "");
            }

            @Override
            public void renewFinished(Lease lease, Outcome outcome, Duration took, Duration slack) {
                add(process, Kind.RENEW_FINISHED, 0, lease, outcome.name());
            }

            @Override
            public void lost(Lease lease, LossReason reason, Duration held) {
                add(process, Kind.LOST, 0, lease, reason.name());
            }

            @Override
            public void lapsed(Lease lease) {
                add(process, Kind.LAPSED, 0, lease, "");
            }

            @Override
            public void released(Lease lease, ReleaseOutcome outcome, Duration drained) {
                add(process, Kind.RELEASED, 0, lease, outcome.name());
            }

            @Override
            public void stopped(String role) {
                add(process, Kind.STOPPED, role, "");
            }

            @Override
            public void storeFailing(String role, Throwable error) {
                add(process, Kind.STORE_FAILING, role, String.valueOf(error));
            }

            @Override
            public void storeRecovered(String role, Duration outage) {
                add(process, Kind.STORE_RECOVERED, role, outage.toString());
            }

            @Override
            public void tokenRegressed(FencingToken granted, FencingToken highest) {
                add(process, Kind.TOKEN_REGRESSED, granted.role(), granted.value() + " < " + highest.value());
            }

            @Override
            public void wallClockJumped(String role, Duration by) {
                add(process, Kind.WALL_CLOCK_JUMPED, role, by.toString());
            }

            @Override
            public void fault(String role, String where, Throwable error) {
                add(process, Kind.FAULT, role, where + ": " + error);
            }
        };
    }
}
