package dev.tenure.spring;

import dev.tenure.Lease;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The lease under which a {@link LeaderOnly} method or a {@link LeaderService} runs. It belongs to the thread: code that
 * is handed to another thread takes the lease along by hand.
 */
public final class CurrentLease {
    private static final ThreadLocal<@Nullable Lease> CURRENT = new ThreadLocal<>();

    private CurrentLease() {}

    /**
     * The lease that let this call in; it may have ended since.
     *
     * @throws IllegalStateException outside, as after a call that did not go through the bean's proxy
     */
    public static Lease get() {
        return find().orElseThrow(() -> new IllegalStateException(
                "not in a @LeaderOnly method or a @LeaderService: called past the bean's proxy, or on another thread"));
    }

    /**
     * The same, empty outside.
     */
    public static Optional<Lease> find() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Sets it, and says what it was, for {@link #restore}.
     */
    static @Nullable Lease enter(Lease lease) {
        Lease outer = CURRENT.get();
        CURRENT.set(lease);
        return outer;
    }

    static void restore(@Nullable Lease outer) {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
