package dev.tenure.test;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the user code of a term that has not returned, and the term itself while it runs.
 */
final class FakeCode {
    private final AtomicInteger count = new AtomicInteger(1);
    private final Runnable ended;

    FakeCode(Runnable ended) {
        this.ended = ended;
    }

    void begin() {
        count.incrementAndGet();
    }

    /**
     * The last one tells that all has ended.
     */
    void done() {
        if (count.decrementAndGet() == 0) {
            ended.run();
        }
    }
}
