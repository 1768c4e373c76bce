package dev.tenure.verification.simulation;

import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What happened, line by line. The lines are only made if somebody wants them, their hash always.
 */
public final class Trace {
    private static final long PRIME = 0x100000001B3L;

    private final @Nullable Consumer<String> lines;
    private long hash = 0xCBF29CE484222325L;

    private Trace(@Nullable Consumer<String> lines) {
        this.lines = lines;
    }

    /**
     * Only the hash.
     */
    public static Trace hashed() {
        return new Trace(null);
    }

    public static Trace to(Consumer<String> lines) {
        return new Trace(lines);
    }

    /**
     * @param at virtual nanoseconds
     * @param who an instance or {@code store}
     * @param what a verb
     * @param of a role, an incarnation or the like
     * @param number a token or a span
     */
    void line(long at, String who, String what, String of, long number) {
        fold(at);
        fold(who.hashCode());
        fold(what.hashCode());
        fold(of.hashCode());
        fold(number);
        if (lines != null) {
            lines.accept(String.format(
                    Locale.ROOT,
                    "%6d.%09d %-6s %-22s %s %d",
                    at / 1_000_000_000,
                    at % 1_000_000_000,
                    who,
                    what,
                    of,
                    number));
        }
    }

    private void fold(long value) {
        hash = (hash ^ value) * PRIME;
        hash ^= hash >>> 29;
    }

    public long hash() {
        return hash;
    }
}
