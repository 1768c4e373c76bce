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
     * The lease unless its end is known already, by whomever: of a lease that judges by {@link #time()} without a look at
     * it, so that one which nobody has looked at since its deadline may pass; any other as {@link #held()}. Allocates
     * nothing and takes no lock.
     */
    default @Nullable Lease notKnownEnded() {
        return held();
    }

    /**
     * The clock that the lease is judged by; null if it is not known.
     */
    default @Nullable Time time() {
        return null;
    }

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
