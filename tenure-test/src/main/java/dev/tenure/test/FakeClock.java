package dev.tenure.test;

import dev.tenure.Registration;
import dev.tenure.engine.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that passes when it is told to. Whatever is due runs without its lock.
 */
final class FakeClock implements Time {
    private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");

    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private volatile long now;
    private long count;

    private record Timer(long at, long order, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /**
     * Nanoseconds since it was made.
     */
    @Override
    public long now() {
        return now;
    }

    @Override
    public long wallMillis() {
        return wall(now).toEpochMilli();
    }

    @Override
    public long uptimeNanos() {
        return -1;
    }

    /**
     * What a clock on the wall shows at a time: it began with 2026.
     */
    static Instant wall(long time) {
        return WALL.plusNanos(time);
    }

    /**
     * A time from now, at most {@link #NEVER}.
     */
    long in(Duration span) {
        return plus(now, span);
    }

    private static long plus(long time, Duration span) {
        Duration sum = Duration.ofNanos(time).plus(span);
        return sum.compareTo(Duration.ofNanos(NEVER)) > 0 ? NEVER : sum.toNanos();
    }

    /**
     * Runs a task in {@link #advance} when it is so late, at the next one if it is that already.
     */
    synchronized Registration at(long time, Runnable task) {
        Timer timer = new Timer(time, ++count, task);
        timers.add(timer);
        return () -> remove(timer);
    }

    private synchronized void remove(Timer timer) {
        timers.remove(timer);
    }

    void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("time must not be negative: time=" + by);
        }
        long target = plus(now, by);
        for (Timer due = next(target); due != null; due = next(target)) {
            due.task().run();
        }
    }

    private synchronized @Nullable Timer next(long target) {
        Timer first = timers.peek();
        if (first == null || first.at() > target) {
            now = Math.max(now, target);
            return null;
        }
        now = Math.max(now, first.at());
        return timers.poll();
    }
}
