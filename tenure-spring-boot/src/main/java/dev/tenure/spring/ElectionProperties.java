package dev.tenure.spring;

import dev.tenure.ElectionOptions;
import dev.tenure.ElectionOptions.WhenUncoordinated;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Options of one role, or of all.
 *
 * @param lease How long a grant lasts without renewal; 15s if not set.
 * @param renewInterval How long after the last confirmed renewal the next one is due; a third of the lease if not set.
 * @param safetyMargin How long before the lease's end this side gives up; a tenth of the lease if not set.
 * @param callTimeout Limit of one store call; follows from the renewal interval if not set.
 * @param retryInterval How often a candidate asks that nothing woke; 2/15 of the lease, at most 2s, if not set.
 * @param retryJitter Up to this is added to the retry interval at random; half of it if not set.
 * @param drainTimeout How long a voluntary end waits for listeners and work; 10s if not set.
 * @param interruptAfter When a voluntary end interrupts work; four fifths of the drain timeout if not set.
 * @param start When the elector begins to stand; for a role only, tenure.start is for all.
 * @param startDelay Delay between election and the start of the leader work; none if not set.
 * @param workBackoff Pause after leader work failed.
 * @param healthCheck Name of a BooleanSupplier bean that is asked before every renewal whether the leader works.
 * @param healthGrace How long the health check may say no before the term ends.
 * @param whenUncoordinated What to do on a store that does not coordinate; follow if not set.
 * @param key Key in the store, exactly; for a role only.
 * @param keyFormat Key of a role in the store, with {role} in it; the store's own format if not set.
 * @param acceptTokenRegression Whether to lead on a token that is not above the highest seen.
 */
record ElectionProperties(
        @Nullable Duration lease,
        @Nullable Duration renewInterval,
        @Nullable Duration safetyMargin,
        @Nullable Duration callTimeout,
        @Nullable Duration retryInterval,
        @Nullable Duration retryJitter,
        @Nullable Duration drainTimeout,
        @Nullable Duration interruptAfter,
        @Nullable Duration startDelay,
        @Nullable WorkBackoff workBackoff,
        @Nullable String healthCheck,
        @Nullable Duration healthGrace,
        @Nullable WhenUncoordinated whenUncoordinated,
        @Nullable String keyFormat,
        @Nullable String key,
        @Nullable Boolean acceptTokenRegression,
        @Nullable StartMode start) {

    /**
     * Pause after leader work failed.
     *
     * @param first After the first failure; 1s if not set.
     * @param longest At most, however often it fails; 30s if not set.
     */
    record WorkBackoff(@Nullable Duration first, @Nullable Duration longest) {}

    static ElectionProperties none() {
        return new ElectionProperties(
                null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
    }

    /**
     * Sets what is set here, and says which options that were, by their names in {@link ElectionOptions}.
     *
     * @param checks the health check of a name
     */
    Set<String> applyTo(ElectionOptions.Builder options, Function<String, BooleanSupplier> checks) {
        Set<String> set = new LinkedHashSet<>();
        apply(set, "lease", lease, options::lease);
        apply(set, "renewInterval", renewInterval, options::renewInterval);
        apply(set, "safetyMargin", safetyMargin, options::safetyMargin);
        apply(set, "callTimeout", callTimeout, options::callTimeout);
        apply(set, "retryInterval", retryInterval, options::retryInterval);
        apply(set, "retryJitter", retryJitter, options::retryJitter);
        apply(set, "drainTimeout", drainTimeout, options::drainTimeout);
        apply(set, "interruptAfter", interruptAfter, options::interruptAfter);
        apply(set, "startDelay", startDelay, options::startDelay);
        apply(set, "workBackoff", workBackoff, backoff -> applyBackoff(options, backoff));
        apply(
                set,
                "healthGrace",
                healthCheck == null ? null : grace(),
                grace -> options.healthCheck(checks.apply(String.valueOf(healthCheck)), grace));
        apply(set, "whenUncoordinated", whenUncoordinated, options::whenUncoordinated);
        apply(set, "keyFormat", keyFormat, options::keyFormat);
        apply(set, "key", key, options::key);
        apply(set, "acceptTokenRegression", acceptTokenRegression, options::acceptTokenRegression);
        return set;
    }

    /**
     * Which options are set here.
     */
    Set<String> setNames() {
        return applyTo(ElectionOptions.builder(), bean -> () -> true);
    }

    private static <T> void apply(Set<String> set, String option, @Nullable T value, Consumer<T> setter) {
        if (value != null) {
            setter.accept(value);
            set.add(option);
        }
    }

    private static void applyBackoff(ElectionOptions.Builder options, WorkBackoff backoff) {
        ElectionOptions usual = ElectionOptions.defaults();
        options.workBackoff(
                backoff.first() != null ? backoff.first() : usual.firstWorkBackoff(),
                backoff.longest() != null ? backoff.longest() : usual.longestWorkBackoff());
    }

    /**
     * Zero is refused by the options, which name it.
     */
    private Duration grace() {
        return healthGrace != null ? healthGrace : Duration.ZERO;
    }
}
