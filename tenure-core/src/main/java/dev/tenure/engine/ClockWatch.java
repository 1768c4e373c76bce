package dev.tenure.engine;

import dev.tenure.spi.AcquireResult;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * Compares the clocks of this machine with each other, twice a second: one that counts suspend, and the
 * wall clock, against the monotonic one. Reads {@code /proc/uptime} on the loop, which is kept in memory.
 */
final class ClockWatch extends Timed {
    private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long WALL_JUMP = TimeUnit.SECONDS.toNanos(1);
    private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int MOST_GAPS = 1_000;

    private final Hub hub;
    private final Deque<Gap> gaps = new ArrayDeque<>();
    private long uptimeBase = Time.NEVER;
    private long wallBase = Time.NEVER;

    ClockWatch(Hub hub) {
        super(-1);
        this.hub = hub;
    }

    /**
     * A suspend, and when it was noticed.
     */
    private record Gap(long seenAt, long length) {}

    void start() {
        look();
    }

    /**
     * Something stands from now on: what comes is compared with now.
     */
    void standing() {
        if (wallBase == Time.NEVER) {
            look();
        }
    }

    /**
     * An answer counts from its sending, also if the machine was suspended in between.
     */
    Event counted(Event event) {
        if (event instanceof Event.Acquired answer && answer.result() instanceof AcquireResult.Granted) {
            lookForSuspend(); // before a term begins
            long slept = suspendedSince(answer.call().sentAt());
            return slept == 0 ? event : new Event.Acquired(answer.call().sentEarlier(slept), answer.result());
        }
        if (event instanceof Event.Renewed answer) {
            long slept = suspendedSince(answer.call().sentAt());
            return slept == 0 ? event : new Event.Renewed(answer.call().sentEarlier(slept), answer.result());
        }
        return event;
    }

    private void lookForSuspend() {
        if (uptimeBase != Time.NEVER) {
            compareUptime();
        }
    }

    /**
     * How long the machine was suspended since a time, all in all.
     */
    long suspendedSince(long time) {
        return gaps.stream()
                .filter(gap -> gap.seenAt() > time)
                .mapToLong(Gap::length)
                .sum();
    }

    @Override
    void tick() {
        hub.log().remind();
        hub.users().retry();
        look();
    }

    private void look() {
        Time time = hub.time();
        if (hub.isAnythingStanding()) {
            compareUptime();
            compareWall(TimeUnit.MILLISECONDS.toNanos(time.wallMillis()), time.now());
        } else {
            uptimeBase = Time.NEVER;
            wallBase = Time.NEVER;
        }
        hub.loop().schedule(this, time.now() + PERIOD);
    }

    private void compareUptime() {
        Time time = hub.time();
        long before = time.now();
        long uptime = time.uptimeNanos();
        long now = time.now();
        if (uptime < 0 || now - before > RESOLUTION) {
            return; // no such clock, or stopped between the readings
        }
        long offset = uptime - now;
        if (uptimeBase != Time.NEVER && offset - uptimeBase > 2 * RESOLUTION) {
            if (gaps.size() == MOST_GAPS) {
                gaps.removeFirst();
            }
            gaps.addLast(new Gap(now, offset - uptimeBase));
            hub.suspended(offset - uptimeBase);
        }
        uptimeBase = offset;
    }

    private void compareWall(long wall, long now) {
        long offset = wall - now;
        if (wallBase != Time.NEVER && Math.abs(offset - wallBase) > WALL_JUMP) {
            Duration by = Duration.ofNanos(offset - wallBase);
            hub.log().wallClockJumped(by);
            hub.wallClockJumped(by);
        }
        wallBase = offset;
    }
}
