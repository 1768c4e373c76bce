package dev.tenure.verification.documents;

import dev.tenure.ElectionOptions;
import dev.tenure.LeaderElector;
import dev.tenure.Tenure;
import java.time.Duration;

/**
 * The Java of the guide to options, so that it compiles.
 */
final class OptionsExamples {
    private OptionsExamples() {}

    static Duration longest(LeaderElector elector) {
        Duration longest = elector.describe().worstCaseTakeover();
        return longest;
    }

    static LeaderElector patient() {
        Tenure tenure = Tenure.builder("jdbc:postgresql://db/app?user=app")
                .instance("billing-2") // the name that others see; default: host name and process id
                .metadata("url", "https://billing-2.internal") // what they see beside it
                .defaults(options -> options.lease(Duration.ofSeconds(10)))
                .build();
        LeaderElector patient = tenure.with(options -> options.lease(Duration.ofMinutes(1))
                        .renewInterval(Duration.ofSeconds(10))
                        .callTimeout(Duration.ofSeconds(5)))
                .elector("nightly-report");
        return patient;
    }

    static void impossibleByThemselves() {
        ElectionOptions.builder()
                .lease(Duration.ZERO)
                .safetyMargin(Duration.ofSeconds(-1))
                .renewInterval(Duration.ZERO)
                .callTimeout(Duration.ZERO)
                .retryInterval(Duration.ZERO)
                .retryJitter(Duration.ofSeconds(-1))
                .drainTimeout(Duration.ofSeconds(-1))
                .interruptAfter(Duration.ofSeconds(-1))
                .startDelay(Duration.ofSeconds(-1))
                .workBackoff(Duration.ZERO, Duration.ofSeconds(1))
                .healthCheck(() -> true, Duration.ZERO)
                .keyFormat("leader")
                .key("two words")
                .build();
    }

    static void contradictions() {
        ElectionOptions.builder()
                .lease(Duration.ofSeconds(10))
                .safetyMargin(Duration.ofSeconds(2))
                .renewInterval(Duration.ofSeconds(5))
                .drainTimeout(Duration.ofSeconds(5))
                .interruptAfter(Duration.ofSeconds(6))
                .workBackoff(Duration.ofSeconds(5), Duration.ofSeconds(2))
                .build();
    }

    static void notOnThisStore() {
        Tenure.builder("consul://127.0.0.1:8500")
                .defaults(options -> options.lease(Duration.ofSeconds(5)))
                .build();
    }
}
