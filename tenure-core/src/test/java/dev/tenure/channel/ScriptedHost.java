package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.Time;
import org.jspecify.annotations.Nullable;

/**
 * A scripted leadership that has what the engine's has: its lease is judged by a clock, and may be past its deadline
 * without anybody having looked.
 */
final class ScriptedHost extends ScriptedLeadership implements ChannelHost {
    private final Time time;

    ScriptedHost(Time time) {
        this.time = time;
    }

    @Override
    public @Nullable Lease held() {
        return lease().orElse(null);
    }

    @Override
    public @Nullable Lease notKnownEnded() {
        return super.notKnownEnded();
    }

    @Override
    public Time time() {
        return time;
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
