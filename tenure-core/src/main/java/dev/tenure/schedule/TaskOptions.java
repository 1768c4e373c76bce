package dev.tenure.schedule;

import java.time.Duration;
import java.util.Objects;

/**
 * Options of a task, read once when it is scheduled. Not thread-safe.
 */
public final class TaskOptions {
    private Duration needs = Duration.ZERO;
    private AfterHandOver afterHandOver = AfterHandOver.AT_MOST_ONCE;

    TaskOptions() {}

    /**
     * A run starts only with this much of the lease left, and is skipped otherwise; default none. A leader always finds
     * lease − safetyMargin − renewInterval, and never more than lease − safetyMargin, above which it is refused.
     */
    public TaskOptions needs(Duration remaining) {
        needs = Objects.requireNonNull(remaining);
        return this;
    }

    /**
     * Default {@link AfterHandOver#AT_MOST_ONCE}.
     */
    public TaskOptions afterHandOver(AfterHandOver choice) {
        afterHandOver = Objects.requireNonNull(choice);
        return this;
    }

    Duration needs() {
        return needs;
    }

    AfterHandOver afterHandOver() {
        return afterHandOver;
    }
}
