package dev.tenure.engine;

import java.util.concurrent.TimeUnit;

/**
 * What one piece of user code throws, time after time: all of it is told, and of a row the log gets the first, then one a
 * minute at most. Thread-safe.
 */
public final class FaultRow {
    private static final long REMINDER = TimeUnit.MINUTES.toNanos(1);

    /**
     * Whom it is told, on the thread that adds it.
     */
    @FunctionalInterface
    public interface Teller {
        /**
         * It was thrown.
         *
         * @param log whether it belongs in the log too
         */
        void fault(String where, Throwable error, boolean log);
    }

    private final String what;
    private final Time time;
    private final Teller to;
    private long inARow;
    private long loggedAt;

    /**
     * An empty row.
     *
     * @param what throws, in plain words
     */
    public FaultRow(String what, Time time, Teller to) {
        this.what = what;
        this.time = time;
        this.to = to;
    }

    public void add(Throwable thrown) {
        long now = time.now();
        long count;
        boolean log;
        synchronized (this) {
            log = inARow == 0 || now - loggedAt >= REMINDER;
            inARow++;
            count = inARow;
            loggedAt = log ? now : loggedAt;
        }
        to.fault(count == 1 ? what : what + ", failure " + count + " in a row", thrown, log);
    }

    /**
     * It went well: what is added next begins a row.
     */
    public synchronized void over() {
        inARow = 0;
    }
}
