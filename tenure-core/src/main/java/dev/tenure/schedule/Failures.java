package dev.tenure.schedule;

import dev.tenure.engine.ScheduleHost;
import dev.tenure.log.CoreEvent;
import java.util.concurrent.TimeUnit;

/**
 * Tells what a task throws: all to the monitors; to the log the first in a row, and then one a minute at most.
 */
final class Failures {
    private static final long REMINDER = TimeUnit.MINUTES.toNanos(1);

    private final String what;
    private final ScheduleHost host;
    private long inARow;
    private long loggedAt;

    Failures(String what, ScheduleHost host) {
        this.what = what;
        this.host = host;
    }

    void add(Throwable thrown) {
        long now = host.time().now();
        long count;
        boolean log;
        synchronized (this) {
            log = inARow == 0 || now - loggedAt >= REMINDER;
            inARow++;
            count = inARow;
            loggedAt = log ? now : loggedAt;
        }
        host.fault(CoreEvent.TASK_FAILED, count == 1 ? what : what + ", failure " + count + " in a row", thrown, log);
    }

    synchronized void over() {
        inARow = 0;
    }
}
