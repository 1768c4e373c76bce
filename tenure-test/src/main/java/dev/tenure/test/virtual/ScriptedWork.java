package dev.tenure.test.virtual;

import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Leader work that does nothing until the test says how it ends. An interrupt ends it, unless it
 * {@linkplain #ignoreInterrupts() ignores} them.
 */
public final class ScriptedWork implements LeaderWork {
    private final List<Lease> leases = new ArrayList<>();
    private boolean ignoring;
    private int running;
    private int interrupts;
    private boolean finish;
    private @Nullable Throwable failure;
    private @Nullable Carrier carrier;

    /**
     * Work that runs until it is ended.
     */
    public ScriptedWork() {}

    /**
     * Goes on when interrupted, as work does that swallows interrupts.
     */
    public synchronized ScriptedWork ignoreInterrupts() {
        ignoring = true;
        return this;
    }

    @Override
    public void lead(Lease lease) throws Exception {
        enter(lease);
        try {
            while (!isOver()) {
                pause();
            }
        } finally {
            exit();
        }
        Throwable thrown = takeEnd();
        if (thrown instanceof Exception exception) {
            throw exception;
        } else if (thrown instanceof Error error) {
            throw error;
        }
    }

    private void pause() throws InterruptedException {
        Carrier own = Carrier.current();
        if (own == null) {
            throw new IllegalStateException("scripted work runs in a virtual world only");
        }
        try {
            own.park(Long.MAX_VALUE);
        } catch (InterruptedException interrupt) {
            if (interrupted()) {
                throw interrupt;
            }
        }
    }

    private synchronized void enter(Lease lease) {
        leases.add(lease);
        running++;
        carrier = Carrier.current();
    }

    private synchronized void exit() {
        running--;
    }

    private synchronized boolean interrupted() {
        interrupts++;
        return !ignoring;
    }

    private synchronized boolean isOver() {
        return finish || failure != null;
    }

    private synchronized @Nullable Throwable takeEnd() {
        Throwable thrown = failure;
        failure = null;
        finish = false;
        return thrown;
    }

    /**
     * The work of the present term returns as soon as the world goes on; that of the next one if none runs.
     */
    public synchronized void finish() {
        finish = true;
        wake();
    }

    /**
     * The same, throwing.
     */
    public synchronized void fail(Throwable thrown) {
        failure = thrown;
        wake();
    }

    private void wake() {
        if (carrier != null) {
            carrier.wake();
        }
    }

    public synchronized boolean isRunning() {
        return running > 0;
    }

    /**
     * How often it was called.
     */
    public synchronized int runs() {
        return leases.size();
    }

    /**
     * How many calls run at once now.
     */
    public synchronized int concurrent() {
        return running;
    }

    /**
     * How often it was interrupted.
     */
    public synchronized int interrupts() {
        return interrupts;
    }

    /**
     * What it was called with last.
     */
    public synchronized Optional<Lease> lease() {
        return leases.isEmpty() ? Optional.empty() : Optional.of(leases.get(leases.size() - 1));
    }
}
