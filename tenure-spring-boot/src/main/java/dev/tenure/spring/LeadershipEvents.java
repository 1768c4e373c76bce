package dev.tenure.spring;

import dev.tenure.LeaderElector;
import dev.tenure.LeaderWatch;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens in elections as application events.
 */
final class LeadershipEvents {
    private final ApplicationEventPublisher publisher;
    private final List<LeaderWatch> watches = new ArrayList<>();

    LeadershipEvents(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    void follow(LeaderElector elector) {
        elector.onChange(
                lease -> publisher.publishEvent(new LeadershipGained(lease)),
                (lease, reason) -> publisher.publishEvent(new LeadershipLost(lease, reason)));
    }

    /**
     * Also follows who leads, until {@link #stopWatching}.
     */
    synchronized void follow(LeaderWatch watch) {
        watches.add(watch);
        watch.onChange(leader -> publisher.publishEvent(new LeaderChanged(watch.role(), leader)));
    }

    synchronized void stopWatching() {
        watches.forEach(LeaderWatch::close);
        watches.clear();
    }
}
