package dev.tenure.engine;

import java.util.List;

/**
 * One election as this side knows it: all that the rules decide by. Immutable.
 *
 * @param standing whether it stands again after a term
 * @param terms how many began
 * @param names how many incarnations were made
 * @param calls how many requests were sent
 * @param highest the highest token seen
 * @param acceptedMark the operator's mark that was heeded last
 * @param answered whether the store has ever answered
 * @param denied whether its last answer was a denial
 * @param orphans claims to be released beside
 * @param dice where the next random number comes from
 * @param workFailures in a row
 */
public record Election(
        Candidate candidate,
        Phase phase,
        boolean standing,
        long terms,
        long names,
        long calls,
        long highest,
        long acceptedMark,
        boolean answered,
        boolean denied,
        boolean regressed,
        Contact contact,
        List<Orphan> orphans,
        long dice,
        int workFailures) {

    /**
     * An election that has not begun.
     *
     * @param seed of jitter and spread
     */
    public static Election of(Candidate candidate, long seed) {
        return new Election(
                candidate, Idle.INSTANCE, false, 0, 0, 0, 0, 0, false, false, false, Contact.FINE, List.of(), seed, 0);
    }

    /**
     * When {@link Event.Tick} has something to do next.
     */
    public long wakeAt() {
        long at = phase.wakeAt();
        if (phase instanceof Leading leading) {
            at = Math.min(at, leading.health().endsAt(candidate.timing().healthGrace()));
        }
        Once once = candidate.once();
        if (once != null && (phase instanceof Waiting || phase instanceof Asking)) {
            at = Math.min(at, once.until());
        }
        for (Orphan orphan : orphans) {
            at = Math.min(at, orphan.wakeAt());
        }
        return at;
    }
}
