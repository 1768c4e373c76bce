package dev.tenure.engine;

import org.jspecify.annotations.Nullable;

/**
 * When the lease is renewed next.
 *
 * @param dueAt {@link Time#NEVER} while one is under way
 * @param sentAt when the last one was sent
 * @param asked the one under way
 * @param limitAt when it counts as unanswered
 * @param hinted whether to renew soon after it, since something changed meanwhile
 */
public record Renewal(long dueAt, long sentAt, @Nullable Call asked, long limitAt, boolean hinted) {

    static Renewal due(long at, long lastSentAt) {
        return new Renewal(at, lastSentAt, null, Time.NEVER, false);
    }

    Renewal asking(Call call, long limit) {
        return new Renewal(Time.NEVER, call.sentAt(), call, limit, false);
    }

    boolean isAsked(Call call) {
        return asked != null && asked.id() == call.id();
    }

    /**
     * Something may have changed: renew now, or soon if that was just done.
     */
    Renewal hinted(long now, long shortestPause) {
        if (asked != null) {
            return new Renewal(dueAt, sentAt, asked, limitAt, true);
        }
        if (dueAt == Time.NEVER) {
            return this; // a lease that is never renewed
        }
        long soon = Math.max(now, sentAt + shortestPause);
        return soon < dueAt ? new Renewal(soon, sentAt, null, limitAt, false) : this;
    }

    long wakeAt() {
        return Math.min(dueAt, limitAt);
    }
}
