package dev.tenure.channel;

import dev.tenure.Leadership;
import dev.tenure.Lease;
import dev.tenure.engine.ChannelHost;
import org.jspecify.annotations.Nullable;

/**
 * A leadership that is not the engine's: a test double, or one that wraps another. It has neither callback threads nor
 * monitors, and its lease is asked at each write.
 */
final class PlainHost implements ChannelHost {
    private final Leadership leadership;
    private final String role;

    PlainHost(Leadership leadership) {
        this.leadership = leadership;
        this.role = leadership.role();
    }

    @Override
    public String role() {
        return role;
    }

    @Override
    public @Nullable Lease held() {
        return leadership.lease().filter(Lease::isHeld).orElse(null);
    }

    @Override
    public void call(String what, Runnable task) {
        task.run();
    }

    @Override
    public void channelOpened(String channel) {}

    @Override
    public void itemsDropped(String channel, String reason, long count) {}
}
