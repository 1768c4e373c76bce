package dev.tenure.spi;

import java.util.List;
import java.util.Locale;

/**
 * One thing that an examination of a store has seen, for people.
 *
 * @param subject what was looked at, a setting's own name for instance; the same in every examination
 * @param seen without secrets
 * @param mayHappen what it may lead to; empty if all is well
 * @param toDo what would change it; empty if there is nothing to do
 */
public record Finding(Severity severity, String subject, String seen, String mayHappen, String toDo) {

    /**
     * How much it matters.
     */
    public enum Severity {
        OK,
        /**
         * Could not be looked at.
         */
        UNKNOWN,
        /**
         * Works, and may be meant: somebody should have decided it.
         */
        ADVICE,
        /**
         * Elections fail, or let a second leader in, without any other fault.
         */
        PROBLEM
    }

    public static Finding ok(String subject, String seen) {
        return new Finding(Severity.OK, subject, seen, "", "");
    }

    /**
     * Could not be looked at.
     *
     * @param toDo what would let it be seen; may be empty
     */
    public static Finding unknown(String subject, String why, String toDo) {
        return new Finding(Severity.UNKNOWN, subject, why, "", toDo);
    }

    public static Finding advice(String subject, String seen, String mayHappen, String toDo) {
        return new Finding(Severity.ADVICE, subject, seen, mayHappen, toDo);
    }

    public static Finding problem(String subject, String seen, String mayHappen, String toDo) {
        return new Finding(Severity.PROBLEM, subject, seen, mayHappen, toDo);
    }

    /**
     * Nobody's, to be read.
     */
    static String keyOn(StoreTraits traits) {
        return traits.defaultKeyFormat().replace("{role}", "tenure-doctor");
    }

    /**
     * Of a store that only reads.
     *
     * @param first in ns, with connecting
     */
    static List<Finding> answered(long first, long second) {
        String seen =
                String.format(Locale.ROOT, "answered in %.1f ms, the first in %.1f ms", second / 1e6, first / 1e6);
        return List.of(ok("read", seen));
    }
}
