package dev.tenure.cli;

import dev.tenure.ElectionOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * How long and how often, as options; what is not given follows from the lease.
 */
final class ElectionTiming {
    @Option(
            names = "--lease",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = Durations.Positive.class,
            description = "How long a grant lasts without renewal. Default: ${DEFAULT-VALUE}.")
    Duration lease = Duration.ofSeconds(15);

    @Option(
            names = "--renew",
            paramLabel = "TIME",
            converter = Durations.Positive.class,
            description =
                    "How often it is renewed, at most half of what the margin leaves. Default: a third of the lease.")
    @Nullable
    Duration renew;

    @Option(
            names = "--retry",
            paramLabel = "TIME",
            converter = Durations.Positive.class,
            description =
                    "How often a candidate asks that nothing woke. Default: two fifteenths of the lease, at most 2s.")
    @Nullable
    Duration retry;

    @Option(
            names = "--margin",
            paramLabel = "TIME",
            converter = Durations.NotNegative.class,
            description = "How long before the lease's end this side gives up. Default: a tenth of the lease.")
    @Nullable
    Duration margin;

    void applyTo(ElectionOptions.Builder options) {
        options.lease(lease);
        if (renew != null) {
            options.renewInterval(renew);
        }
        if (retry != null) {
            options.retryInterval(retry);
        }
        if (margin != null) {
            options.safetyMargin(margin);
        }
    }
}
