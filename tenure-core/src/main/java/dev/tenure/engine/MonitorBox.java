package dev.tenure.engine;

import dev.tenure.FencingToken;
import dev.tenure.spi.ElectionMonitor;
import java.util.List;
import java.util.function.Consumer;

/**
 * Tells monitors of one candidate, each in order and without waiting for the others, on callback threads.
 */
final class MonitorBox {
    private static final MonitorBox NONE = new MonitorBox(List.of(), List.of());

    private final List<MonitorFeed> monitors;
    private final List<Mailbox> mailboxes;

    static MonitorBox of(List<MonitorFeed> monitors, Users users) {
        return monitors.isEmpty()
                ? NONE
                : new MonitorBox(
                        monitors,
                        monitors.stream().map(monitor -> new Mailbox(users)).toList());
    }

    private MonitorBox(List<MonitorFeed> monitors, List<Mailbox> mailboxes) {
        this.monitors = monitors;
        this.mailboxes = mailboxes;
    }

    void tell(Consumer<ElectionMonitor> event) {
        for (int i = 0; i < mailboxes.size(); i++) {
            monitors.get(i).tell(mailboxes.get(i), event);
        }
    }

    void regressed(String role, long granted, long highest) {
        tell(to -> to.tokenRegressed(
                new FencingToken(role, Math.max(1, granted)), new FencingToken(role, Math.max(1, highest))));
    }
}
