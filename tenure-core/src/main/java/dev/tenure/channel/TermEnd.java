package dev.tenure.channel;

import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.engine.SameTerm;
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
        while (before == null || !SameTerm.is(before, lease)) {
            if (followed.compareAndSet(before, lease)) {
                register(lease);
                return;
            }
            before = followed.get();
        }
    }

    private void register(Lease lease) {
        try {
            registration = orNone(lease.onLost(onEnd));
        } catch (RuntimeException | Error refused) {
            followed.compareAndSet(lease, null); // to be tried again
            throw refused;
        }
        if (closed) {
            registration.remove();
        }
    }

    /**
     * A mock may have given none.
     */
    static Registration orNone(@Nullable Registration given) {
        return given == null ? () -> {} : given;
    }

    void close() {
        closed = true;
        registration.remove();
    }
}
