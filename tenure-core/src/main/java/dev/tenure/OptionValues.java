package dev.tenure;

import dev.tenure.ElectionOptions.WhenUncoordinated;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was set, unchecked; null where it follows from others. A builder changes its own; options keep a copy.
 */
final class OptionValues {
    Duration lease = Duration.ofSeconds(15);

    @Nullable
    Duration renewInterval;

    @Nullable
    Duration safetyMargin;

    @Nullable
    Duration callTimeout;

    @Nullable
    Duration retryInterval;

    @Nullable
    Duration retryJitter;

    Duration drainTimeout = Duration.ofSeconds(10);

    @Nullable
    Duration interruptAfter;

    Duration startDelay = Duration.ZERO;
    Duration firstBackoff = Duration.ofSeconds(1);
    Duration longestBackoff = Duration.ofSeconds(30);

    @Nullable
    BooleanSupplier healthCheck;

    Duration healthGrace = Duration.ZERO;
    WhenUncoordinated whenUncoordinated = WhenUncoordinated.FOLLOW;

    @Nullable
    String keyFormat;

    @Nullable
    String key;

    boolean acceptTokenRegression;

    OptionValues copy() {
        OptionValues copy = new OptionValues();
        copy.lease = lease;
        copy.renewInterval = renewInterval;
        copy.safetyMargin = safetyMargin;
        copy.callTimeout = callTimeout;
        copy.retryInterval = retryInterval;
        copy.retryJitter = retryJitter;
        copy.drainTimeout = drainTimeout;
        copy.interruptAfter = interruptAfter;
        copy.startDelay = startDelay;
        copy.firstBackoff = firstBackoff;
        copy.longestBackoff = longestBackoff;
        copy.healthCheck = healthCheck;
        copy.healthGrace = healthGrace;
        copy.whenUncoordinated = whenUncoordinated;
        copy.keyFormat = keyFormat;
        copy.key = key;
        copy.acceptTokenRegression = acceptTokenRegression;
        return copy;
    }
}
