package dev.tenure.test;

import dev.tenure.LossReason;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * Counts how often the code under test looks at a lease, and ends the term when that was often enough.
 */
final class FakeLooks {
    private static final long UNLIMITED = Long.MAX_VALUE;
    private static final int FOR_EVER = 100_000;

    private final Consumer<LossReason> onEnd;
    private final Thread elector = Thread.currentThread();
    private final AtomicLong left = new AtomicLong(UNLIMITED);
    private final AtomicLong inVain = new AtomicLong();
    private final AtomicReference<LossReason> end = new AtomicReference<>(LossReason.DEADLINE_EXCEEDED);

    FakeLooks(Consumer<LossReason> onEnd) {
        this.onEnd = onEnd;
    }

    void limit(int checks, LossReason reason) {
        end.set(reason);
        left.set(checks);
    }

    void look() {
        if (left.get() != UNLIMITED && left.getAndDecrement() <= 0) {
            onEnd.accept(end.get());
        }
    }

    /**
     * Nobody but the thread that elected is likely to end the term, and a loop on it would not.
     */
    void ensureNotForEver() {
        if (elector.equals(Thread.currentThread()) && inVain.incrementAndGet() > FOR_EVER) {
            throw new IllegalStateException("awaitLost was called " + FOR_EVER
                    + " times on the thread that elected and nothing ends the term: elect it with electForChecks");
        }
    }
}
