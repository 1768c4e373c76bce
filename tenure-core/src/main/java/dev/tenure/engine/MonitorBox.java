package dev.tenure.engine;

import dev.tenure.FencingToken;
import dev.tenure.spi.ElectionMonitor;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells monitors of one role, each in order and without waiting for the others, on callback threads.
 */
final class MonitorBox {
    private static final Logger LOG = LoggerFactory.getLogger(MonitorBox.class);

    private final List<ElectionMonitor> monitors;
    private final List<Mailbox> mailboxes;

    private static final MonitorBox NONE = new MonitorBox(List.of(), List.of());

    static MonitorBox of(List<ElectionMonitor> monitors, Users users) {
        return monitors.isEmpty()
                ? NONE
                : new MonitorBox(
                        monitors,
                        monitors.stream().map(monitor -> new Mailbox(users)).toList());
    }

    private MonitorBox(List<ElectionMonitor> monitors, List<Mailbox> mailboxes) {
        this.monitors = monitors;
        this.mailboxes = mailboxes;
    }

    void tell(Consumer<ElectionMonitor> event) {
        for (int i = 0; i < mailboxes.size(); i++) {
            ElectionMonitor monitor = monitors.get(i);
            mailboxes
                    .get(i)
                    .add(new UserTask(
                            null, () -> event.accept(monitor), thrown -> LOG.warn("a monitor threw", thrown)));
        }
    }

    void regressed(String role, long granted, long highest) {
        tell(to -> to.tokenRegressed(
                new FencingToken(role, Math.max(1, granted)), new FencingToken(role, Math.max(1, highest))));
    }
}
