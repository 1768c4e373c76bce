package dev.tenure.engine;

/**
 * The clocks of this process. Time enters the engine here and nowhere else.
 */
public interface Time {
    /**
     * Never, or no limit: later than any time.
     */
    long NEVER = Long.MAX_VALUE;

    /**
     * Nanoseconds on the monotonic clock since some instant of this process; never negative.
     */
    long now();

    /**
     * Milliseconds of the wall clock, to notice its jumps only.
     */
    long wallMillis();

    /**
     * Nanoseconds on a clock that also counts while the machine is suspended; -1 if there is none.
     */
    long uptimeNanos();

    /**
     * A time plus a span, at most {@link #NEVER}.
     */
    static long plus(long time, long span) {
        return time > NEVER - span ? NEVER : time + span;
    }
}
