package dev.tenure.cli;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;

/**
 * How long a demonstration takes.
 *
 * @param rounds how often each fault happens
 */
record DemoPlan(int rounds, Duration lease) {
    static final DemoPlan QUICK = new DemoPlan(1, Duration.ofSeconds(2));
    static final DemoPlan FULL = new DemoPlan(3, Duration.ofSeconds(3));

    /**
     * How long anything that must happen is waited for, on a machine that has other things to do.
     */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * With a lease that the store grants; once around where it notices late that a lease has ended.
     */
    DemoPlan on(StoreTraits traits) {
        boolean slow = isSlow(traits);
        return new DemoPlan(slow ? 1 : rounds, longer(lease, traits.shortestLease()));
    }

    /**
     * Whether a record outlives its lease.
     */
    static boolean isSlow(StoreTraits traits) {
        Duration late = traits.expiryLag(traits.shortestLease()).plus(traits.lockDelay());
        return !late.isZero();
    }

    /**
     * How long a take-over is waited for.
     */
    Duration patience(StoreTraits traits) {
        return longer(PATIENCE, traits.worstCaseTakeover(options()).plus(PATIENCE.dividedBy(2)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? other : one;
    }

    /**
     * A wide margin: callbacks of a busy machine are late, and are what is compared.
     */
    static void apply(ElectionOptions.Builder options, Duration lease) {
        options.lease(lease).safetyMargin(lease.dividedBy(5)).drainTimeout(Duration.ofSeconds(2));
    }

    ElectionOptions options() {
        ElectionOptions.Builder options = ElectionOptions.builder();
        apply(options, lease);
        return options.build();
    }

    /**
     * Longer than the lease.
     */
    Duration freeze() {
        return lease.multipliedBy(3).dividedBy(2);
    }
}
