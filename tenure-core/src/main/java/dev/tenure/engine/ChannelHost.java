package dev.tenure.engine;

import dev.tenure.Lease;
import org.jspecify.annotations.Nullable;

/**
 * What a channel takes from the leadership that it is gated on, beyond the API.
 */
public interface ChannelHost {
    String role();

    /**
     * The lease while it is held, judged by the clock now. Allocates nothing and takes no lock.
     */
    @Nullable
    Lease held();

    /**
     * Runs what leads to user code on a callback thread; what it throws is logged.
     */
    void call(String what, Runnable task);

    /**
     * Tells the monitors.
     */
    void channelOpened(String channel);

    /**
     * Tells the monitors.
     */
    void itemsDropped(String channel, String reason, long count);
}
