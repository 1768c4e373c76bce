package dev.tenure.consul;

import dev.tenure.log.LogLine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that changes are not heard of, and once that they are again.
 */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);
    private static final String STORE = "consul";

    private final String where;
    private boolean present;
    private boolean closed;

    Outage(String where) {
        this.where = where;
    }

    synchronized void seen(Throwable why) {
        if (!closed && !present) {
            present = true;
            LogLine.of(LOG, ConsulEvent.WAKEUPS_LOST)
                    .with("store", STORE)
                    .with("where", where)
                    .with("error", why.getMessage())
                    .write();
        }
    }

    synchronized void over() {
        if (present) {
            present = false;
            LogLine.of(LOG, ConsulEvent.WAKEUPS_REGAINED)
                    .with("store", STORE)
                    .with("where", where)
                    .write();
        }
    }

    /**
     * What fails from now on is no trouble.
     */
    synchronized void close() {
        closed = true;
    }
}
