package dev.tenure.cli;

import dev.tenure.FencedOutException;
import dev.tenure.FencingToken;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Writes to both registers again and again, while it leads. Told to, it stops between looking at its lease and writing,
 * where every program can be frozen, and goes on from there as if nothing had happened.
 */
final class DemoWork implements LeaderWork {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /**
     * A process that is frozen in the middle of a renewal keeps SQLite's file lock, and with it everybody else out:
     * so the freeze comes soon after one, when the next is not due.
     */
    private static final Duration SOON = Duration.ofMillis(20);

    private final Registers registers;
    private final String name;
    private final EventLog log;
    private final Semaphore goOn = new Semaphore(0);
    private volatile boolean hold;

    DemoWork(Registers registers, String name, EventLog log) {
        this.registers = registers;
        this.name = name;
        this.log = log;
    }

    void holdNextWrite() {
        hold = true;
    }

    void goOn() {
        goOn.release();
    }

    @Override
    public void lead(Lease lease) throws SQLException, InterruptedException {
        boolean first = true;
        while (lease.isHeld()) {
            if (hold) {
                hold = false;
                writeLate(lease);
                return;
            }
            registers.writeFenced(lease.fencingToken(), name);
            registers.writeUnfenced(lease.fencingToken(), name);
            if (first) {
                tell(lease, "writes", null);
                first = false;
            }
            lease.awaitLost(PAUSE);
        }
    }

    private void writeLate(Lease lease) throws SQLException, InterruptedException {
        awaitRenewal(lease);
        lease.ensureHeld();
        tell(lease, "about_to_write", null);
        goOn.acquireUninterruptibly(); // here it is frozen
        boolean held = lease.isHeld();
        boolean fenced = isAccepted(lease.fencingToken());
        registers.writeUnfenced(lease.fencingToken(), name);
        tell(lease, "wrote_late", "fenced=" + (fenced ? "accepted" : "refused") + " unfenced=accepted held=" + held);
    }

    private static void awaitRenewal(Lease lease) throws InterruptedException {
        Duration before = lease.remaining();
        while (lease.isHeld() && lease.remaining().compareTo(before) <= 0) {
            before = lease.remaining();
            if (lease.awaitLost(SOON)) {
                return;
            }
        }
    }

    private boolean isAccepted(FencingToken token) throws SQLException {
        try {
            registers.writeFenced(token, name);
            return true;
        } catch (FencedOutException stale) {
            return false;
        }
    }

    private void tell(Lease lease, String event, @Nullable String reason) {
        log.write(new EventLog.Event(event, lease.fencingToken().value(), lease.term(), reason));
    }
}
