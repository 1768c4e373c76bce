package dev.tenure;

import dev.tenure.InvalidOptionsException.Violation;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The options of an election. Immutable; what is not set follows from the lease.
 *
 * <p>The ratio decides what an election tolerates: with the defaults a renewal is due after a third of the lease, so
 * that two may fail before the deadline. As in client-go's {@code leaderelection}, a leader gives up before the
 * store lets another in; the difference is {@link #safetyMargin()}, and covers clocks that run at different rates. With a
 * margin of zero nothing does.
 */
public final class ElectionOptions {
    /**
     * The key of a role where neither the options nor the store name another.
     */
    public static final String DEFAULT_KEY_FORMAT = "leader:{role}";

    /**
     * What an elector does on a store that does not coordinate.
     */
    public enum WhenUncoordinated {
        /**
         * Never leads.
         */
        FOLLOW,
        /**
         * Leads at once, as every other instance does: for a single instance.
         */
        LEAD
    }

    private static final Duration LONGEST_RETRY = Duration.ofSeconds(2);

    private final OptionValues set;

    private ElectionOptions(OptionValues set) {
        this.set = set;
    }

    public static Builder builder() {
        return new Builder(new OptionValues());
    }

    public static ElectionOptions defaults() {
        return builder().build();
    }

    public Builder toBuilder() {
        return new Builder(set.copy());
    }

    public Duration lease() {
        return set.lease;
    }

    public Duration renewInterval() {
        if (set.renewInterval != null) {
            return set.renewInterval;
        }
        return least(set.lease.dividedBy(3), set.lease.minus(safetyMargin()).dividedBy(2));
    }

    public Duration safetyMargin() {
        return set.safetyMargin != null ? set.safetyMargin : set.lease.dividedBy(10);
    }

    public Duration callTimeout() {
        if (set.callTimeout != null) {
            return set.callTimeout;
        }
        return least(renewInterval().multipliedBy(4).dividedBy(5), longestCallTimeout());
    }

    public Duration retryInterval() {
        return set.retryInterval != null
                ? set.retryInterval
                : least(LONGEST_RETRY, set.lease.multipliedBy(2).dividedBy(15));
    }

    public Duration retryJitter() {
        return set.retryJitter != null ? set.retryJitter : retryInterval().dividedBy(2);
    }

    public Duration drainTimeout() {
        return set.drainTimeout;
    }

    public Duration interruptAfter() {
        return set.interruptAfter != null
                ? set.interruptAfter
                : set.drainTimeout.multipliedBy(4).dividedBy(5);
    }

    public Duration startDelay() {
        return set.startDelay;
    }

    /**
     * The pause after the first failure of leader work.
     */
    public Duration firstWorkBackoff() {
        return set.firstBackoff;
    }

    /**
     * The longest pause after failures of leader work.
     */
    public Duration longestWorkBackoff() {
        return set.longestBackoff;
    }

    public Optional<BooleanSupplier> healthCheck() {
        return Optional.ofNullable(set.healthCheck);
    }

    /**
     * How long the health check may say no, or nothing.
     */
    public Duration healthGrace() {
        return set.healthGrace;
    }

    public WhenUncoordinated whenUncoordinated() {
        return set.whenUncoordinated;
    }

    /**
     * The format that was set; empty if the store's own is used.
     */
    public Optional<String> keyFormat() {
        return Optional.ofNullable(set.keyFormat);
    }

    public Optional<String> key() {
        return Optional.ofNullable(set.key);
    }

    public boolean acceptTokenRegression() {
        return set.acceptTokenRegression;
    }

    /**
     * The key of a role in the store, before the store's own prefix; starts nothing. Uses {@link #DEFAULT_KEY_FORMAT}
     * if no format is set.
     *
     * @throws InvalidOptionsException if role or key are empty, too long or have characters that are not allowed
     */
    public String resolveKey(String role, int maxKeyLength) {
        return OptionRules.resolveKey(this, role, DEFAULT_KEY_FORMAT, maxKeyLength);
    }

    /**
     * As {@link #resolveKey(String, int)}, by the key format and the longest key of a store.
     */
    public String resolveKey(String role, StoreTraits store) {
        return OptionRules.resolveKey(this, role, store.defaultKeyFormat(), store.longestKey());
    }

    /**
     * What each option decides and its value, a line each, for people; says where a value that was not set comes from.
     */
    public List<String> explain() {
        return OptionLines.of(this, set);
    }

    /**
     * The values in effect, for people.
     */
    @Override
    public String toString() {
        return OptionLines.values(this);
    }

    OptionValues set() {
        return set;
    }

    private Duration longestCallTimeout() {
        return set.lease.minus(safetyMargin()).minus(renewInterval()).dividedBy(2);
    }

    private static Duration least(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    /**
     * Sets options; a later call overrides an earlier one. Not thread-safe.
     */
    public static final class Builder {
        private final OptionValues set;

        private Builder(OptionValues set) {
            this.set = set;
        }

        /**
         * How long a grant lasts without renewal; default 15 s.
         */
        public Builder lease(Duration lease) {
            set.lease = given("lease", lease);
            return this;
        }

        /**
         * How long after the last confirmed sending the next renewal is due; default a third of the lease, at most half
         * of what the margin leaves.
         */
        public Builder renewInterval(Duration renewInterval) {
            set.renewInterval = given("renewInterval", renewInterval);
            return this;
        }

        /**
         * How long before the lease's end this side gives up; default a tenth of the lease.
         */
        public Builder safetyMargin(Duration safetyMargin) {
            set.safetyMargin = given("safetyMargin", safetyMargin);
            return this;
        }

        /**
         * The limit of one store call; default four fifths of the renewal interval, at most half of what is left of the
         * lease when a renewal is due, so that one hanging call leaves time for another.
         */
        public Builder callTimeout(Duration callTimeout) {
            set.callTimeout = given("callTimeout", callTimeout);
            return this;
        }

        /**
         * How often a candidate asks that nothing woke; default two fifteenths of the lease, at most 2 s.
         */
        public Builder retryInterval(Duration retryInterval) {
            set.retryInterval = given("retryInterval", retryInterval);
            return this;
        }

        /**
         * Up to this is added to the retry interval at random; default half of it.
         */
        public Builder retryJitter(Duration retryJitter) {
            set.retryJitter = given("retryJitter", retryJitter);
            return this;
        }

        /**
         * How long a voluntary end waits for listeners and work, renewing the lease meanwhile; default 10 s. Zero still
         * waits a moment, at most 20 ms, for what ends at once.
         */
        public Builder drainTimeout(Duration drainTimeout) {
            set.drainTimeout = given("drainTimeout", drainTimeout);
            return this;
        }

        /**
         * When a voluntary end interrupts work that has not returned; default four fifths of the drain timeout. Zero:
         * at once, for work that blocks without looking at its lease.
         */
        public Builder interruptAfter(Duration interruptAfter) {
            set.interruptAfter = given("interruptAfter", interruptAfter);
            return this;
        }

        /**
         * Delay between election and the start of the leader work; default none.
         */
        public Builder startDelay(Duration startDelay) {
            set.startDelay = given("startDelay", startDelay);
            return this;
        }

        /**
         * Bounds of the pause after leader work failed; it doubles with every failure. Default 1 s to 30 s. The pause
         * is never shorter than that after any end which the instance chose: the retry interval, and where the store
         * does not wake candidates, jitter and call timeout too.
         */
        public Builder workBackoff(Duration first, Duration most) {
            set.firstBackoff = given("workBackoff", first);
            set.longestBackoff = given("workBackoff", most);
            return this;
        }

        /**
         * Asked before every renewal, off the engine's thread; false, or no answer, for {@code grace} ends the term. A
         * leader without one leads on however little its work does.
         */
        public Builder healthCheck(BooleanSupplier healthy, Duration grace) {
            set.healthCheck = given("healthCheck", healthy);
            set.healthGrace = given("healthGrace", grace);
            return this;
        }

        /**
         * What to do on a store that does not coordinate; default {@link WhenUncoordinated#FOLLOW}.
         */
        public Builder whenUncoordinated(WhenUncoordinated whenUncoordinated) {
            set.whenUncoordinated = given("whenUncoordinated", whenUncoordinated);
            return this;
        }

        /**
         * The key of a role, every {@code {role}} replaced; default the store's, mostly {@code leader:{role}}.
         */
        public Builder keyFormat(String keyFormat) {
            set.keyFormat = given("keyFormat", keyFormat);
            return this;
        }

        /**
         * The key, exactly; overrides the format.
         */
        public Builder key(String key) {
            set.key = given("key", key);
            return this;
        }

        /**
         * Leads on a grant whose token is not above the highest seen; default false: refused and told.
         */
        public Builder acceptTokenRegression(boolean accept) {
            set.acceptTokenRegression = accept;
            return this;
        }

        /**
         * All violations of the options among themselves; empty if there is none. An option is not named if all that is
         * wrong with it follows from another one that is.
         */
        public List<Violation> validate() {
            return OptionRules.check(now());
        }

        /**
         * The same, with the limits of a store.
         */
        public List<Violation> validate(StoreTraits store) {
            return OptionRules.check(now(), store);
        }

        /**
         * The same, with a role and its key.
         */
        public List<Violation> validate(String role, StoreTraits store) {
            return OptionRules.check(now(), role, store);
        }

        /**
         * The options as they are set now.
         *
         * @throws InvalidOptionsException with all violations
         */
        public ElectionOptions build() {
            ElectionOptions options = now();
            InvalidOptionsException.throwIfAny(OptionRules.check(options));
            return options;
        }

        private ElectionOptions now() {
            return new ElectionOptions(set.copy());
        }

        private static <T> T given(String option, @Nullable T value) {
            if (value == null) {
                throw new InvalidOptionsException(List.of(new Violation(option, "null", "given")));
            }
            return value;
        }
    }
}
