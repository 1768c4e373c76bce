package dev.tenure.schedule;

import dev.tenure.schedule.TaskStatus.Passed;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * What became of the slots of a task.
 */
final class Tally {
    private final Map<SlotOutcome, LongAdder> counts = new EnumMap<>(SlotOutcome.class); // of all, from the beginning
    private volatile @Nullable Passed last;
    private volatile @Nullable Passed lastRun;

    Tally() {
        for (SlotOutcome outcome : SlotOutcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    void add(Instant slot, SlotOutcome outcome, long count, Duration took) {
        Passed passed = new Passed(slot, outcome, took);
        Optional.ofNullable(counts.get(outcome)).ifPresent(counter -> counter.add(count));
        last = passed;
        if (outcome.isRun()) {
            lastRun = passed;
        }
    }

    Optional<Passed> last() {
        return Optional.ofNullable(last);
    }

    Optional<Passed> lastRun() {
        return Optional.ofNullable(lastRun);
    }

    Map<SlotOutcome, Long> counts() {
        Map<SlotOutcome, Long> all = new EnumMap<>(SlotOutcome.class);
        counts.forEach((outcome, counter) -> all.put(outcome, counter.sum()));
        return all;
    }
}
