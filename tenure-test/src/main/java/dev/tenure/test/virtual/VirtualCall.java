package dev.tenure.test.virtual;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A blocking call that a process makes on a thread of its own, while the test goes on.
 */
public final class VirtualCall<T> {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(200);

    private final VirtualWorld world;
    private volatile boolean done;
    private volatile @Nullable T value;
    private volatile @Nullable Throwable thrown;
    private volatile boolean keptInterrupt;
    private volatile @Nullable Thread thread;

    VirtualCall(VirtualWorld world) {
        this.world = world;
    }

    void run(Callable<? extends T> call) {
        thread = Thread.currentThread();
        try {
            value = call.call();
        } catch (Carrier.WorldEnded over) {
            throw over;
        } catch (Throwable failure) {
            thrown = failure;
        } finally {
            keptInterrupt = Thread.interrupted();
            done = true;
        }
    }

    /**
     * Whether it has returned or thrown.
     */
    public boolean isDone() {
        return done;
    }

    /**
     * Interrupts its thread.
     */
    public void interrupt() {
        Thread running = thread;
        if (running != null && !done) {
            running.interrupt();
        }
        world.settle();
    }

    /**
     * Whether its thread was left interrupted.
     */
    public boolean keptInterrupt() {
        end();
        return keptInterrupt;
    }

    /**
     * What it returned; time does not pass.
     *
     * @throws AssertionError if it does not return, or throws
     */
    public @Nullable T result() {
        end();
        Throwable failure = thrown;
        if (failure != null) {
            throw new AssertionError("the call threw", failure);
        }
        return value;
    }

    /**
     * What it threw; time does not pass.
     *
     * @throws AssertionError if it does not end, or returns
     */
    public Throwable failure() {
        end();
        Throwable failure = thrown;
        if (failure == null) {
            throw new AssertionError("the call returned " + value);
        }
        return failure;
    }

    private void end() {
        long from = System.nanoTime();
        while (!done) {
            world.settle();
            if (System.nanoTime() - from > PATIENCE) {
                throw new AssertionError("the call does not come back");
            }
            LockSupport.parkNanos(PAUSE);
        }
        world.settle();
    }
}
