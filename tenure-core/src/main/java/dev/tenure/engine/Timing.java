package dev.tenure.engine;

import static dev.tenure.ElectionOptions.WhenUncoordinated.LEAD;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.StoreTraits;
import java.util.concurrent.TimeUnit;

/**
 * What the rules need to know of options and store; spans in nanoseconds. One for all elections with the same options.
 *
 * @param call the limit of a store call
 * @param spread the most that a wake-up is spread by
 * @param healthGrace 0 without a health check
 * @param pushed whether the store wakes waiting candidates on a release
 * @param coordinated false if leading says nothing about other instances
 * @param leadUncoordinated whether to lead then
 */
public record Timing(
        long lease,
        long renew,
        long margin,
        long call,
        long retry,
        long jitter,
        long spread,
        long drain,
        long interruptAfter,
        long startDelay,
        long firstBackoff,
        long longestBackoff,
        long healthGrace,
        boolean pushed,
        boolean coordinated,
        boolean leadUncoordinated,
        boolean acceptRegression) {

    /**
     * The longest that a denied candidate waits before it asks again.
     */
    public static final long LONGEST_DENIAL = TimeUnit.SECONDS.toNanos(10);

    /**
     * How often a candidate asks that was refused for its tokens.
     */
    public static final long REGRESSED_RETRY = TimeUnit.SECONDS.toNanos(30);

    /**
     * The longest pause of a candidate that the store refuses.
     */
    public static final long LONGEST_REJECTION = TimeUnit.SECONDS.toNanos(30);

    /**
     * Renewals due within this, or a twentieth of their interval, go out together.
     */
    public static final long BATCH_WINDOW = TimeUnit.MILLISECONDS.toNanos(50);

    private static final long LONGEST_SPREAD = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SHORTEST_DENIAL = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_HINT = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long SHORTEST_DRAIN = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ROUNDING = TimeUnit.MILLISECONDS.toNanos(2);

    public static Timing of(ElectionOptions o, StoreTraits store) {
        return new Timing(
                o.lease().toNanos(),
                o.renewInterval().toNanos(),
                o.safetyMargin().toNanos(),
                o.callTimeout().toNanos(),
                o.retryInterval().toNanos(),
                o.retryJitter().toNanos(),
                spread(o, store),
                o.drainTimeout().toNanos(),
                o.interruptAfter().toNanos(),
                o.startDelay().toNanos(),
                o.firstWorkBackoff().toNanos(),
                o.longestWorkBackoff().toNanos(),
                o.healthCheck().isPresent() ? o.healthGrace().toNanos() : 0,
                store.pushesWakeUps(),
                store.scope() != StoreTraits.Scope.NONE,
                o.whenUncoordinated() == LEAD,
                o.acceptTokenRegression());
    }

    /**
     * Candidates of one process do not crowd a store.
     */
    private static long spread(ElectionOptions o, StoreTraits store) {
        boolean shared = store.scope() != StoreTraits.Scope.PROCESS;
        return shared ? Math.min(LONGEST_SPREAD, o.retryInterval().toNanos() / 8) : 0;
    }

    /**
     * The deadline that a confirmed request gives: counted from its sending.
     */
    long deadline(long sentAt) {
        return sentAt + lease - margin;
    }

    /**
     * When the confirmed request was sent that gave a deadline.
     */
    long sentAtOf(long deadline) {
        return deadline - lease + margin;
    }

    /**
     * Until when a request that was sent may still have an effect that nobody told: twice the lease, as it may arrive
     * late and then lasts for a lease.
     */
    long doubtUntil(long sentAt) {
        return sentAt + 2 * lease;
    }

    /**
     * Until when a claim lasts that the store has just confirmed: its request arrived by now. With the margin, for
     * clocks of different rates.
     */
    long confirmedUntil(long now) {
        return now + lease + margin;
    }

    /**
     * When a renewal is due after one that was confirmed.
     */
    long nextRenewal(long sentAt, long deadline, long now) {
        return Math.max(now, Math.min(sentAt + renew, now + (deadline - now) / 2));
    }

    /**
     * How long to wait after a renewal without an answer.
     */
    long renewalRetry(long remaining) {
        return Math.max(Math.min(Math.min(retry, renew), remaining / 2), shortestRetry());
    }

    /**
     * Not sooner than this after a renewal.
     */
    long shortestRetry() {
        return Math.max(1, lease / 20);
    }

    /**
     * Not sooner than this after a renewal that a wake-up asks for, however long the lease is.
     */
    long shortestHint() {
        return Math.min(LONGEST_HINT, shortestRetry());
    }

    long batchWindow() {
        return Math.min(BATCH_WINDOW, renew / 20);
    }

    /**
     * How long after a denial a wake-up makes a candidate ask again at the soonest, so that a store that wakes all the
     * time is not asked all the time.
     */
    long shortestDenial() {
        return Math.min(SHORTEST_DENIAL, lease / 100);
    }

    /**
     * How long a denied candidate waits that the store told to come back after a time; a little longer, for stores
     * that round.
     */
    long afterDenial(long retryAfter) {
        long floor = Math.min(retry, Math.max(TimeUnit.MILLISECONDS.toNanos(1), lease / 100));
        return Math.max(floor, Math.min(LONGEST_DENIAL, Time.plus(retryAfter, ROUNDING)));
    }

    /**
     * How long an instance stays away after it gave leadership up, so that another goes first.
     */
    long afterYielding(long jitterDrawn) {
        return pushed ? retry : retry + jitterDrawn + call;
    }

    /**
     * How long a voluntary end waits; what ends of its own accord at once is never too late.
     */
    long longestDrain() {
        return Math.max(drain, Math.min(SHORTEST_DRAIN, lease / 20));
    }

    /**
     * How long an instance stays away after its work failed: as after any end that it chose, or longer.
     *
     * @param failures in a row, before this one
     */
    long afterFailure(int failures, long jitterDrawn) {
        return Math.max(afterYielding(jitterDrawn), workBackoff(failures));
    }

    /**
     * The options that decide how long that is at least.
     */
    String decidesAfterFailure(int failures) {
        if (workBackoff(failures) >= afterYielding(0)) {
            return "workBackoff";
        }
        return pushed ? "retryInterval" : "retryInterval, callTimeout";
    }

    private long workBackoff(int failures) {
        long doubled = failures > 30 ? longestBackoff : firstBackoff << Math.min(failures, 30);
        return doubled <= 0 || doubled > longestBackoff ? longestBackoff : doubled;
    }

    long rejectionBackoff(int failures) {
        long doubled = retry << Math.min(failures, 20);
        return Math.max(retry, doubled <= 0 || doubled > LONGEST_REJECTION ? LONGEST_REJECTION : doubled);
    }
}
