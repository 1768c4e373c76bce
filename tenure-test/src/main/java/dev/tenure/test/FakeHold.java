package dev.tenure.test;

import dev.tenure.LossReason;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Until when a lease is held, and why it is not any more. What was once seen as not held stays so.
 */
final class FakeHold {
    private static final long SEALED = Long.MIN_VALUE;

    private final FakeClock clock;
    private final AtomicLong deadline;
    private final AtomicReference<@Nullable LossReason> reason = new AtomicReference<>();

    FakeHold(FakeClock clock, long deadline) {
        this.clock = clock;
        this.deadline = new AtomicLong(deadline);
    }

    boolean isHeld() {
        return reason.get() == null && left() > 0;
    }

    /**
     * Reads the deadline, then the clock; seals what has passed.
     */
    long left() {
        while (true) {
            long end = deadline.get();
            if (end == SEALED) {
                return 0;
            }
            long left = end - clock.now();
            if (left > 0) {
                return left;
            }
            if (deadline.compareAndSet(end, SEALED)) {
                lose(LossReason.DEADLINE_EXCEEDED);
            }
        }
    }

    /**
     * Why it is not held, by what the clock shows now.
     */
    Optional<LossReason> reason() {
        isHeld();
        return knownReason();
    }

    Optional<LossReason> knownReason() {
        return Optional.ofNullable(reason.get());
    }

    /**
     * The first reason stays; gives that.
     */
    LossReason lose(LossReason detected) {
        LossReason first = reason.compareAndExchange(null, detected);
        return first == null ? detected : first;
    }

    void seal() {
        deadline.set(SEALED);
    }

    /**
     * Moves the deadline, never back, unless it has passed.
     */
    void extend(long to) {
        long from = deadline.get();
        while (left() > 0 && from < to && !deadline.compareAndSet(from, to)) {
            from = deadline.get();
        }
    }

    /**
     * Negative if nothing is left.
     */
    long deadline() {
        return deadline.get();
    }
}
