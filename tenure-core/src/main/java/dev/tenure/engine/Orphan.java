package dev.tenure.engine;

import dev.tenure.spi.Claim;
import org.jspecify.annotations.Nullable;

/**
 * A claim that nobody here wants and that the store may have: released until that is confirmed or it has expired.
 *
 * @param token unknown if the acquisition was never answered; then one answer that nothing was there says little, since
 *     the request may still be on its way
 * @param awaited the one acquisition whose answer is outstanding: if it is a denial, nothing is to be released; 0 if
 *     there are more, or none
 * @param until when it has expired by itself
 * @param dueAt when to ask next
 * @param pause before the ask after the next
 * @param asked the release that is under way
 */
public record Orphan(
        String incarnation,
        long token,
        long awaited,
        long until,
        long dueAt,
        long pause,
        @Nullable Call asked,
        long limitAt) {

    static Orphan unanswered(String incarnation, long awaited, long until, long now, long pause) {
        return new Orphan(incarnation, Claim.UNKNOWN_TOKEN, awaited, until, now, pause, null, Time.NEVER);
    }

    static Orphan granted(String incarnation, long token, long until, long now, long pause) {
        return new Orphan(incarnation, token, 0, until, now, pause, null, Time.NEVER);
    }

    boolean isKnown() {
        return token != Claim.UNKNOWN_TOKEN;
    }

    /**
     * With a release under way.
     */
    Orphan asking(Call call, long limitAt) {
        return new Orphan(incarnation, token, awaited, until, Time.NEVER, pause, call, limitAt);
    }

    /**
     * To be asked again, less and less often.
     */
    Orphan again(long now) {
        return new Orphan(incarnation, token, awaited, until, now + pause, pause * 2, null, Time.NEVER);
    }

    long wakeAt() {
        return Math.min(until, Math.min(dueAt, limitAt));
    }
}
