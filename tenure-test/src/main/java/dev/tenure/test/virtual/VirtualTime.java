package dev.tenure.test.virtual;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The clocks of one machine: a monotonic and a wall clock that move apart, and one that counts suspend. All follow the
 * time of the {@linkplain VirtualWorld world}, which passes only when the test says so, until they are moved.
 */
public final class VirtualTime {
    static final long ORIGIN = TimeUnit.SECONDS.toNanos(1_000);
    private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");

    private final LongSupplier world;
    private volatile long monotonicShift;
    private volatile long wallShift;
    private volatile boolean uptime = true;

    VirtualTime(LongSupplier world) {
        this.world = world;
    }

    /**
     * The monotonic clock in nanoseconds; never negative.
     */
    public long nanos() {
        return world.getAsLong() + monotonicShift;
    }

    public Instant wall() {
        return WALL.plusNanos(world.getAsLong() - ORIGIN + wallShift);
    }

    /**
     * Nanoseconds since the start, suspend included; -1 if this machine has no such clock.
     */
    public long uptimeNanos() {
        return uptime ? world.getAsLong() : -1;
    }

    /**
     * Sets the wall clock forward, or back if negative; the others go on.
     */
    public synchronized void stepWall(Duration by) {
        wallShift += by.toNanos();
    }

    /**
     * Moves the monotonic clock alone: a store whose expiry clock was set, for instance.
     */
    public synchronized void stepMonotonic(Duration by) {
        monotonicShift += by.toNanos();
    }

    /**
     * This machine has no clock that counts suspend, from now on.
     */
    public void withoutUptime() {
        uptime = false;
    }

    /**
     * When the monotonic clock shows {@code nanos}, on the world's.
     */
    long toWorld(long nanos) {
        return nanos == Long.MAX_VALUE ? nanos : nanos - monotonicShift;
    }
}
