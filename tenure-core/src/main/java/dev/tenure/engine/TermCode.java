package dev.tenure.engine;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the user code of a term that has not returned, and the term itself while it runs.
 */
final class TermCode extends AtomicInteger {
    private static final long serialVersionUID = 1;
    private final transient Runnable ended;

    TermCode(Runnable ended) {
        super(1);
        this.ended = ended;
    }

    void begin() {
        incrementAndGet();
    }

    /**
     * The last one tells that all has ended.
     */
    void done() {
        if (decrementAndGet() == 0) {
            ended.run();
        }
    }
}
