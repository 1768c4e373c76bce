package dev.tenure.verification.simulation;

import dev.tenure.ElectionOptions;
import dev.tenure.spi.StoreTraits;
import java.time.Duration;

/**
 * What a seed fixes about store and options. Spans are in nanoseconds.
 *
 * @param push whether the store wakes candidates
 * @param wallJudged whether the store's wall clock, which is stepped, ends leases
 * @param forgetful whether the store does not remember which incarnations were released before they were granted
 * @param counter whether tokens are counted
 * @param storePpm by how many millionths the store's clock is fast
 */
record Scenario(
        long lease,
        long margin,
        long drain,
        long call,
        boolean push,
        boolean wallJudged,
        boolean forgetful,
        boolean counter,
        long storePpm,
        ElectionOptions options,
        StoreTraits traits) {

    /**
     * Clock rates are within this of true time: one in a hundred.
     */
    static final long MOST_PPM = 10_000;

    /**
     * The least part of a lease that a margin is; two clocks can differ by a little over two hundredths.
     */
    private static final int LEAST_MARGIN_PERCENT = 3;

    static Scenario of(Dice dice) {
        Duration lease = Duration.ofSeconds(dice.oneOf(6, 9, 12, 15, 15, 20, 30));
        int margin = dice.oneOf(LEAST_MARGIN_PERCENT, 5, 10, 10, 20);
        Duration drain = Duration.ofSeconds(dice.oneOf(2, 5, 10, 20));
        ElectionOptions options = ElectionOptions.builder()
                .keyFormat("{role}")
                .lease(lease)
                .safetyMargin(lease.multipliedBy(margin).dividedBy(100))
                .drainTimeout(drain)
                .interruptAfter(dice.oneOf(
                        Duration.ZERO, drain.dividedBy(2), drain.multipliedBy(4).dividedBy(5)))
                .build();
        boolean push = dice.chance(0.5);
        boolean wallJudged = dice.chance(0.5);
        return new Scenario(
                lease.toNanos(),
                options.safetyMargin().toNanos(),
                drain.toNanos(),
                options.callTimeout().toNanos(),
                push,
                wallJudged,
                dice.chance(0.5),
                dice.chance(0.3),
                dice.between(-MOST_PPM, MOST_PPM + 1),
                options,
                traits(push, wallJudged));
    }

    private static StoreTraits traits(boolean push, boolean wallJudged) {
        StoreTraits.Builder builder = StoreTraits.builder("simulated", StoreTraits.Scope.CLUSTER)
                .lease(Duration.ofSeconds(1), Duration.ofDays(1))
                .expiryClock(wallJudged ? StoreTraits.ExpiryClock.WALL : StoreTraits.ExpiryClock.MONOTONIC)
                .tokenSource("simulated");
        return push ? builder.pushesWakeUps().build() : builder.build();
    }

    /**
     * How much of a store's clock step forward, and how much of a suspend, the margin covers between two renewals
     * besides the rates of the clocks: half of what is left for each.
     */
    long covered() {
        return (margin - lease * 21 / 1000) / 2;
    }
}
