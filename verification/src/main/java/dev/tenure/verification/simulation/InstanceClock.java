package dev.tenure.verification.simulation;

import dev.tenure.engine.Time;
import java.util.concurrent.TimeUnit;

/**
 * The clocks that one process sees: they run at a rate of their own, and the monotonic one stands still while the
 * machine is suspended.
 */
final class InstanceClock implements Time {
    private static final long MILLION = 1_000_000;

    private final Agenda agenda;
    private final long ppm;
    private final long began;
    private final boolean countsSuspend;
    private long wallOffset;
    private long suspendedFor;
    private long suspendedSince = -1;

    /**
     * @param ppm by how many millionths it is fast
     */
    InstanceClock(Agenda agenda, long ppm, long wallOffset, boolean countsSuspend) {
        this.agenda = agenda;
        this.ppm = ppm;
        this.began = agenda.now();
        this.wallOffset = wallOffset;
        this.countsSuspend = countsSuspend;
    }

    private long local(long span) {
        return span + span / MILLION * ppm + span % MILLION * ppm / MILLION;
    }

    @Override
    public long now() {
        long until = suspendedSince >= 0 ? suspendedSince : agenda.now();
        return local(until - began - suspendedFor);
    }

    /**
     * When this clock shows {@code local}, if the machine runs on.
     */
    long global(long local) {
        if (local == NEVER) {
            return NEVER;
        }
        long span = (long) (local / (1 + ppm / 1e6)) - 2;
        while (local(span) < local) {
            span++;
        }
        return began + suspendedFor + span;
    }

    @Override
    public long wallMillis() {
        return TimeUnit.NANOSECONDS.toMillis(local(agenda.now() - began) + wallOffset);
    }

    @Override
    public long uptimeNanos() {
        return countsSuspend ? local(agenda.now() - began) / 10_000_000 * 10_000_000 : -1;
    }

    boolean countsSuspend() {
        return countsSuspend;
    }

    void stepWall(long by) {
        wallOffset += by;
    }

    void suspend() {
        suspendedSince = agenda.now();
    }

    void resume() {
        suspendedFor += agenda.now() - suspendedSince;
        suspendedSince = -1;
    }
}
