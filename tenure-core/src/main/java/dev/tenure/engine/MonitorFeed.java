package dev.tenure.engine;

import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import dev.tenure.spi.ElectionMonitor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one monitor of a Tenure is told, by all candidates together: counted, so that the end comes last.
 */
final class MonitorFeed {
    private static final Logger LOG = LoggerFactory.getLogger(MonitorFeed.class);
    private static final long ENDED = 1L << 62;

    private final ElectionMonitor monitor;
    private final Users users;
    private final AtomicLong untold = new AtomicLong(); // plus ENDED when nothing is added any more
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    MonitorFeed(ElectionMonitor monitor, Users users) {
        this.monitor = monitor;
        this.users = users;
    }

    /**
     * @param mailbox keeps the order of one candidate's events
     */
    void tell(Mailbox mailbox, Consumer<ElectionMonitor> event) {
        if (begin()) {
            mailbox.add(new UserTask(null, () -> tell(event), this::threw));
        }
    }

    private void threw(Throwable thrown) {
        LogLine.of(LOG, CoreEvent.MONITOR_FAILED)
                .with("monitor", monitor.getClass().getName())
                .cause(thrown)
                .write();
    }

    private boolean begin() {
        return untold.getAndUpdate(count -> count < ENDED ? count + 1 : count) < ENDED;
    }

    private void tell(Consumer<ElectionMonitor> event) {
        try {
            event.accept(monitor);
        } finally {
            if (untold.decrementAndGet() == ENDED) {
                sayClosed();
            }
        }
    }

    /**
     * To be called once: what comes later is not told.
     */
    void end() {
        if (untold.getAndAdd(ENDED) == 0) {
            sayClosed();
        }
    }

    /**
     * Waits no longer for what was not told yet. Does nothing before {@link #end}.
     */
    void giveUp() {
        if (untold.get() >= ENDED) {
            sayClosed();
        }
    }

    private void sayClosed() {
        if (closing.compareAndSet(false, true)) {
            users.execute(new UserTask(null, this::close, this::threw));
        }
    }

    private void close() {
        try {
            monitor.closed();
        } finally {
            over.complete(null);
        }
    }

    /**
     * Complete when the monitor has been told of the end.
     */
    CompletableFuture<Void> over() {
        return over;
    }
}
