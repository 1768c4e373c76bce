package dev.tenure.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A task as it was at one moment, on this instance.
 *
 * @param schedule in words
 * @param next when it is due next; empty if that is not known: its function failed, or a fixed delay runs or does not
 *     lead
 * @param running whether a run goes on
 * @param last the last slot that passed here
 * @param lastRun the last slot that was begun here
 * @param counts how many slots came out how, since it was scheduled; each outcome is there. Those that were missed are
 *     counted up to 1,000 at a time for a calendar
 */
public record TaskStatus(
        String task,
        String schedule,
        Optional<Instant> next,
        boolean running,
        Optional<Passed> last,
        Optional<Passed> lastRun,
        Map<SlotOutcome, Long> counts) {

    /**
     * A slot that has passed.
     *
     * @param took how long it ran; zero for a skip
     */
    public record Passed(Instant slot, SlotOutcome outcome, Duration took) {}

    public TaskStatus {
        counts = Map.copyOf(counts);
    }

    public long count(SlotOutcome outcome) {
        return counts.getOrDefault(outcome, 0L);
    }
}
