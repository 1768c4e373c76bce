package dev.tenure.engine;

import dev.tenure.FencingToken;
import dev.tenure.spi.ElectionMonitor;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells monitors of one role, in order, on callback threads.
 */
final class MonitorBox {
    private static final Logger LOG = LoggerFactory.getLogger(MonitorBox.class);

    private final List<ElectionMonitor> monitors;
    private final @Nullable Mailbox mailbox;

    private static final MonitorBox NONE = new MonitorBox(List.of(), null);

    static MonitorBox of(List<ElectionMonitor> monitors, Users users) {
        return monitors.isEmpty() ? NONE : new MonitorBox(monitors, new Mailbox(users));
    }

    private MonitorBox(List<ElectionMonitor> monitors, @Nullable Mailbox mailbox) {
        this.monitors = monitors;
        this.mailbox = mailbox;
    }

    void tell(Consumer<ElectionMonitor> event) {
        if (mailbox == null) {
            return;
        }
        for (ElectionMonitor monitor : monitors) {
            mailbox.add(new UserTask(null, () -> event.accept(monitor), thrown -> LOG.warn("a monitor threw", thrown)));
        }
    }

    void regressed(String role, long granted, long highest) {
        tell(to -> to.tokenRegressed(
                new FencingToken(role, Math.max(1, granted)), new FencingToken(role, Math.max(1, highest))));
    }
}
