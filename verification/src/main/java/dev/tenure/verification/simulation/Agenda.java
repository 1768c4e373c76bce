package dev.tenure.verification.simulation;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time in nanoseconds, and what is to happen in it: one thing after another, in order of time, then of entry.
 */
final class Agenda {
    private final PriorityQueue<Entry> entries = new PriorityQueue<>(4096);
    private long now;
    private long entered;
    private long happened;
    private boolean stopped;
    private Runnable afterEach = () -> {};

    /**
     * Something to happen once.
     */
    static final class Entry implements Comparable<Entry> {
        private final long at;
        private final long order;
        private @Nullable Runnable action;

        private Entry(long at, long order, Runnable action) {
            this.at = at;
            this.order = order;
            this.action = action;
        }

        long at() {
            return at;
        }

        void cancel() {
            action = null;
        }

        @Override
        public int compareTo(Entry other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    long now() {
        return now;
    }

    /**
     * How many things have happened.
     */
    long happened() {
        return happened;
    }

    void afterEach(Runnable look) {
        afterEach = look;
    }

    Entry at(long time, Runnable action) {
        Entry entry = new Entry(Math.max(now, time), entered++, action);
        entries.add(entry);
        return entry;
    }

    Entry in(long span, Runnable action) {
        return at(now + span, action);
    }

    /**
     * Nothing happens any more.
     */
    void stop() {
        stopped = true;
    }

    /**
     * Lets everything happen up to a time; may be called from within, for as long as somebody stands still there.
     */
    void runUntil(long end) {
        Entry next;
        while (!stopped && (next = entries.peek()) != null && next.at <= end) {
            entries.poll();
            Runnable action = next.action;
            if (action != null) {
                now = next.at;
                happened++;
                action.run();
                afterEach.run();
            }
        }
        now = Math.max(now, end);
    }
}
