package dev.tenure.spi;

import dev.tenure.ElectionOptions;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Constant facts about a store, instead of operations that are not supported.
 */
public final class StoreTraits {

    /**
     * How far the store coordinates.
     */
    public enum Scope {
        NONE,
        PROCESS,
        HOST,
        CLUSTER
    }

    /**
     * The clock by which a record expires.
     */
    public enum ExpiryClock {
        /**
         * Moved by nobody.
         */
        MONOTONIC,
        /**
         * A step forward by more than the safety margin can let a second leader in.
         */
        WALL
    }

    private final Builder set;

    private StoreTraits(Builder set) {
        this.set = set;
    }

    /**
     * Begins with a name for people, {@code redis 7.2 at db1:6379}, without secrets.
     */
    public static Builder builder(String name, Scope scope) {
        return new Builder(name, scope);
    }

    public String name() {
        return set.name;
    }

    public Scope scope() {
        return set.scope;
    }

    public Duration shortestLease() {
        return set.shortestLease;
    }

    public Duration longestLease() {
        return set.longestLease;
    }

    /**
     * In characters of any kind: a store that counts bytes states as many as fit in any case.
     */
    public int longestKey() {
        return set.longestKey;
    }

    /**
     * Whether {@link LeaseStore#watch} calls when a key is released. At an expiry either it calls, or the denial said
     * when to ask again.
     */
    public boolean pushesWakeUps() {
        return set.pushesWakeUps;
    }

    /**
     * How long a key stays closed after an invalidation.
     */
    public Duration lockDelay() {
        return set.lockDelay;
    }

    /**
     * How late the store may notice that a lease has run out.
     */
    public Duration expiryLag(Duration lease) {
        return set.expiryLag.apply(lease);
    }

    public ExpiryClock expiryClock() {
        return set.expiryClock;
    }

    /**
     * One sentence: what the token is made of and what breaks its order.
     */
    public String tokenSource() {
        return set.tokenSource;
    }

    /**
     * Whether the token is an index of the store's own, so that it goes back when the store is restored.
     */
    public boolean tokensAreIndexes() {
        return set.tokensAreIndexes;
    }

    /**
     * The key of a role where the options name none; {@code {role}} is replaced.
     */
    public String defaultKeyFormat() {
        return set.defaultKeyFormat;
    }

    /**
     * The longest time without a leader after a crash, the store being up and a healthy candidate waiting.
     */
    public Duration worstCaseTakeover(ElectionOptions options) {
        Duration end = options.lease().plus(expiryLag(options.lease())).plus(set.lockDelay);
        Duration ask =
                set.pushesWakeUps ? Duration.ZERO : options.retryInterval().plus(options.retryJitter());
        return end.plus(ask).plus(options.callTimeout());
    }

    @Override
    public String toString() {
        return set.name + " scope=" + set.scope + " expiry=" + set.expiryClock;
    }

    /**
     * Collects the facts; each call overrides an earlier one.
     */
    public static final class Builder {
        private final String name;
        private final Scope scope;
        private Duration shortestLease = Duration.ofMillis(100);
        private Duration longestLease = Duration.ofDays(1);
        private int longestKey = 512;
        private boolean pushesWakeUps;
        private Duration lockDelay = Duration.ZERO;
        private UnaryOperator<Duration> expiryLag = lease -> Duration.ZERO;
        private ExpiryClock expiryClock = ExpiryClock.WALL;
        private String tokenSource = "";
        private boolean tokensAreIndexes;
        private String defaultKeyFormat = ElectionOptions.DEFAULT_KEY_FORMAT;

        private Builder(String name, Scope scope) {
            this.name = name;
            this.scope = scope;
        }

        private Builder(Builder from) {
            this(from.name, from.scope);
            shortestLease = from.shortestLease;
            longestLease = from.longestLease;
            longestKey = from.longestKey;
            pushesWakeUps = from.pushesWakeUps;
            lockDelay = from.lockDelay;
            expiryLag = from.expiryLag;
            expiryClock = from.expiryClock;
            tokenSource = from.tokenSource;
            tokensAreIndexes = from.tokensAreIndexes;
            defaultKeyFormat = from.defaultKeyFormat;
        }

        /**
         * Default 100 ms to a day.
         */
        public Builder lease(Duration shortest, Duration longest) {
            shortestLease = shortest;
            longestLease = longest;
            return this;
        }

        /**
         * Default 512.
         */
        public Builder longestKey(int characters) {
            longestKey = characters;
            return this;
        }

        /**
         * {@link LeaseStore#watch} calls on release.
         */
        public Builder pushesWakeUps() {
            pushesWakeUps = true;
            return this;
        }

        /**
         * How long a key stays closed after an invalidation; default none.
         */
        public Builder lockDelay(Duration delay) {
            lockDelay = delay;
            return this;
        }

        /**
         * How late the store may notice an expiry, by the lease; default none.
         */
        public Builder expiryLag(UnaryOperator<Duration> lag) {
            expiryLag = lag;
            return this;
        }

        /**
         * Default {@link ExpiryClock#WALL}, the one that promises less.
         */
        public Builder expiryClock(ExpiryClock clock) {
            expiryClock = clock;
            return this;
        }

        /**
         * One sentence: what the token is made of and what breaks its order.
         */
        public Builder tokenSource(String sentence) {
            tokenSource = sentence;
            return this;
        }

        /**
         * Default: the store computes them.
         */
        public Builder tokensAreIndexes() {
            tokensAreIndexes = true;
            return this;
        }

        /**
         * Default {@code leader:{role}}.
         */
        public Builder defaultKeyFormat(String format) {
            defaultKeyFormat = format;
            return this;
        }

        public StoreTraits build() {
            return new StoreTraits(new Builder(this));
        }
    }
}
