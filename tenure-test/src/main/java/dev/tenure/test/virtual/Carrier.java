package dev.tenure.test.virtual;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A real thread that runs user code while the test stands still, until it is done, waits for virtual time, or blocks in
 * a call of its own. So only one of all threads runs at a time.
 */
final class Carrier extends Thread {
    private static final long PEEK_NANOS = TimeUnit.MICROSECONDS.toNanos(400);
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(60);

    private enum State {
        /**
         * Was let go, and has not noticed yet.
         */
        RELEASED,
        RUNNING,
        PARKED,
        DONE
    }

    /**
     * Thrown through user code that still waits when its world ends.
     */
    static final class WorldEnded extends Error {
        private static final long serialVersionUID = 1;

        WorldEnded() {
            super("the virtual world has ended", null, false, false);
        }
    }

    private final Semaphore go = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private volatile State state = State.DONE;
    private volatile @Nullable Runnable task;
    private volatile boolean interruptPending;
    private volatile boolean ended;
    private volatile long wakeAt = Long.MIN_VALUE;
    private volatile @Nullable SystemThread self;
    private boolean blocked; // the world's

    Carrier(String name) {
        super(name);
        setDaemon(true);
        start();
    }

    static @Nullable Carrier current() {
        return Thread.currentThread() instanceof Carrier carrier ? carrier : null;
    }

    /**
     * Kept for later while it waits in the world: it must not run beside the test.
     */
    @Override
    public void interrupt() {
        if (state == State.PARKED) {
            interruptPending = true;
        } else {
            super.interrupt();
        }
    }

    @Override
    public void run() {
        self = SystemThread.ofCaller();
        boolean last = false;
        while (!last) {
            go.acquireUninterruptibly();
            state = State.RUNNING;
            Runnable given = task;
            try {
                if (!ended && given != null) {
                    given.run();
                }
            } catch (WorldEnded over) {
                // as wanted
            } finally {
                task = null;
                Thread.interrupted(); // was meant for that task
                interruptPending = false;
                last = ended;
                state = State.DONE;
                back.release();
            }
        }
    }

    /**
     * From its own thread: waits for the world to let it run.
     *
     * @param until in the world's nanoseconds; it may be let run before
     */
    void park(long until) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        wakeAt = until;
        state = State.PARKED;
        back.release();
        go.acquireUninterruptibly();
        state = State.RUNNING;
        if (ended) {
            throw new WorldEnded();
        }
        if (interruptPending) {
            interruptPending = false;
            throw new InterruptedException("interrupted in the virtual world");
        }
    }

    // the world's side

    boolean isDone() {
        return !blocked && state == State.DONE;
    }

    boolean isBlocked() {
        return blocked;
    }

    /**
     * Was blocked when it was looked at last, and has been let go since.
     */
    boolean isOnItsWay() {
        SystemThread known = self;
        return blocked && known != null && known.isRunnable();
    }

    /**
     * When it is to run next; never while it blocks in a call.
     */
    long wakeAt() {
        if (blocked || state == State.DONE) {
            return Long.MAX_VALUE;
        }
        return interruptPending || ended ? Long.MIN_VALUE : wakeAt;
    }

    /**
     * Lets it look again.
     */
    void wake() {
        wakeAt = Long.MIN_VALUE;
    }

    /**
     * Takes something to run; it must be done with what it had.
     */
    void begin(Runnable given) {
        task = given;
        proceed();
    }

    /**
     * Lets it run; returns when it is done or waits.
     */
    void proceed() {
        state = State.RELEASED;
        go.release();
        settle();
    }

    /**
     * Looks whether one that blocked goes on, and lets it; true if it moved.
     */
    boolean poll() {
        if (back.tryAcquire()) {
            blocked = false;
            return true;
        }
        if (isWaiting()) {
            return false;
        }
        settle();
        return true;
    }

    private void settle() {
        long from = System.nanoTime();
        int seenWaiting = 0;
        while (true) {
            if (tryBack()) {
                blocked = false;
                return;
            }
            seenWaiting = isWaiting() ? seenWaiting + 1 : 0;
            if (seenWaiting == 3) {
                blocked = true;
                return;
            }
            if (System.nanoTime() - from > STUCK_NANOS) {
                throw new AssertionError("user code runs on and on: " + getName());
            }
        }
    }

    private boolean tryBack() {
        try {
            return back.tryAcquire(PEEK_NANOS, TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            throw new AssertionError("the test's own thread was interrupted", stop);
        }
    }

    private boolean isWaiting() {
        Thread.State seen = getState();
        return state == State.RUNNING && (seen == Thread.State.WAITING || seen == Thread.State.TIMED_WAITING);
    }

    /**
     * Ends it if it waits.
     */
    void end() {
        ended = true;
        if (!blocked) {
            proceed();
        } else {
            super.interrupt();
        }
    }
}
