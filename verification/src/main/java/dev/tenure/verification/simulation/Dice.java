package dev.tenure.verification.simulation;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * Chance, made of a seed. Spans are in nanoseconds.
 */
final class Dice {
    private final SplittableRandom random;

    private Dice(SplittableRandom random) {
        this.random = random;
    }

    Dice(long seed) {
        this(new SplittableRandom(seed));
    }

    /**
     * Others, that later throws of these do not change.
     */
    Dice split() {
        return new Dice(random.split());
    }

    RandomGenerator generator() {
        return random;
    }

    boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /**
     * From {@code least} to below {@code most}.
     */
    int pick(int least, int most) {
        return random.nextInt(least, most);
    }

    long between(long least, long most) {
        return most <= least ? least : random.nextLong(least, most);
    }

    long millis(long least, long most) {
        return between(TimeUnit.MILLISECONDS.toNanos(least), TimeUnit.MILLISECONDS.toNanos(most));
    }

    /**
     * Evenly over orders of magnitude: mostly short, sometimes long.
     */
    long spread(long least, long most) {
        return (long) (least * StrictMath.pow((double) most / least, random.nextDouble()));
    }

    /**
     * The time to the next of events that are {@code mean} apart.
     */
    long until(long mean) {
        return Math.max(1, (long) (-StrictMath.log(1 - random.nextDouble()) * mean));
    }

    @SafeVarargs
    final <T> T oneOf(T... all) {
        return all[random.nextInt(all.length)];
    }
}
