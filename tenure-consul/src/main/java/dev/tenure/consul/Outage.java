package dev.tenure.consul;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells once that changes are not heard of, and once that they are again.
 */
final class Outage {
    private static final Logger LOG = LoggerFactory.getLogger(Outage.class);

    private final String where;
    private boolean present;
    private boolean closed;

    Outage(String where) {
        this.where = where;
    }

    synchronized void seen(Throwable why) {
        if (!closed && !present) {
            present = true;
            LOG.warn("changes are not heard of, each may cost seconds: {}", why.getMessage());
        }
    }

    synchronized void over() {
        if (present) {
            present = false;
            LOG.info("changes are heard of again: {}", where);
        }
    }

    /**
     * What fails from now on is no trouble.
     */
    synchronized void close() {
        closed = true;
    }
}
