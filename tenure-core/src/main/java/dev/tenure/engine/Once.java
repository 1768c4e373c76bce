package dev.tenure.engine;

/**
 * A candidate for one term only, as {@code acquire} makes it.
 *
 * @param single asks once
 * @param until when to give up; {@link Time#NEVER} if not by time
 */
public record Once(boolean single, long until) {
    static final Once FOR_EVER = new Once(false, Time.NEVER);
    static final Once SINGLE = new Once(true, Time.NEVER);

    static Once until(long time) {
        return new Once(false, time);
    }

    /**
     * Whether failures are waited through: by time only, or once the store has answered.
     */
    boolean waitsThrough(boolean everAnswered, boolean rejected) {
        return until != Time.NEVER || (everAnswered && !rejected);
    }
}
