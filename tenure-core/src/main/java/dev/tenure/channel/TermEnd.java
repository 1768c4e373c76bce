package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of the end of the terms that matter to a channel. It asks each lease, since a listener of the election is not
 * told of a term that ended before its turn came.
 */
final class TermEnd {
    private final Consumer<LossReason> onEnd;
    private final AtomicReference<@Nullable Lease> followed = new AtomicReference<>();
    private volatile Registration registration = () -> {};
    private volatile boolean closed;

    TermEnd(Consumer<LossReason> onEnd) {
        this.onEnd = onEnd;
    }

    /**
     * {@code onEnd} is called after the end of this term, soon if that is past; perhaps more than once. To be called
     * without a lock.
     */
    void follow(Lease lease) {
        Lease before = followed.get();
        while (!lease.equals(before)) {
            if (followed.compareAndSet(before, lease)) {
                registration = lease.onLost(onEnd);
                if (closed) {
                    registration.remove();
                }
                return;
            }
            before = followed.get();
        }
    }

    void close() {
        closed = true;
        registration.remove();
    }
}
