package dev.tenure.schedule;

import dev.tenure.Lease;
import dev.tenure.Registration;
import dev.tenure.engine.SameTerm;
import dev.tenure.engine.ScheduleHost;
import dev.tenure.engine.WorkThread;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The runs under way of one term, which its loss interrupts. However many there are, they register once with the lease.
 */
final class PlainRuns {
    private final Lease lease;
    private final Set<WorkThread> threads = ConcurrentHashMap.newKeySet();
    private volatile boolean lost;

    private PlainRuns(Lease lease) {
        this.lease = lease;
    }

    /**
     * Throws what the lease throws; then nothing is left registered that could be removed.
     */
    static PlainRuns of(Lease lease) {
        PlainRuns runs = new PlainRuns(lease);
        Registration registration = lease.onLost(reason -> {
            if (!reason.isVoluntary()) {
                runs.interrupt();
            }
        });
        try {
            Optional.ofNullable(lease.lapsed()).ifPresent(lapsed -> lapsed.thenRun(runs::interrupt));
        } catch (RuntimeException | Error refused) {
            Optional.ofNullable(registration).ifPresent(Registration::remove);
            throw refused;
        }
        return runs;
    }

    boolean areOf(@Nullable Lease other) {
        return other != null && SameTerm.is(lease, other);
    }

    private void interrupt() {
        lost = true;
        threads.forEach(WorkThread::interrupt);
    }

    /**
     * Runs it on the calling thread, unless the term is lost.
     */
    void carry(ScheduleHost.Run run) {
        WorkThread thread = new WorkThread();
        threads.add(thread);
        try {
            if (lost) { // looked at after adding: whoever sets it later sees the thread
                thread.interrupt();
            }
            thread.carry(run);
        } finally {
            threads.remove(thread);
        }
    }
}
