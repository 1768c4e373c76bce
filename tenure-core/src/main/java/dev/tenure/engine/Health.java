package dev.tenure.engine;

/**
 * What the health check of the leader's work says.
 *
 * @param askedAt when it was asked; {@link Time#NEVER} if it has answered
 * @param badSince when it was first asked without saying yes since; {@link Time#NEVER} if it is fine
 */
public record Health(long askedAt, long badSince) {
    static final Health FINE = new Health(Time.NEVER, Time.NEVER);

    boolean isAsked() {
        return askedAt != Time.NEVER;
    }

    Health asking(long now) {
        return new Health(now, badSince);
    }

    Health answered(boolean healthy) {
        return healthy ? FINE : new Health(Time.NEVER, Math.min(badSince, askedAt));
    }

    /**
     * When the patience ends.
     */
    long endsAt(long grace) {
        return grace == 0 ? Time.NEVER : Time.plus(Math.min(askedAt, badSince), grace);
    }
}
