package dev.tenure.example.guide;

import dev.tenure.FencingToken;
import dev.tenure.LeaderWork;
import dev.tenure.Leadership;
import dev.tenure.Lease;
import dev.tenure.spring.CurrentLease;
import dev.tenure.spring.FencingTokenInterceptor;
import dev.tenure.spring.LeaderChanged;
import dev.tenure.spring.LeaderOnly;
import dev.tenure.spring.LeaderOnly.WhenNotLeader;
import dev.tenure.spring.LeaderService;
import dev.tenure.spring.LeadershipGained;
import dev.tenure.spring.LeadershipLost;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/**
 * What documents show beside the example's own code; compiled only.
 */
final class GuideExamples {
    private static final Logger LOG = LoggerFactory.getLogger(GuideExamples.class);

    private GuideExamples() {}

    @Configuration
    @EnableScheduling
    static class Scheduling {}

    @Component
    static class NightlyReport {
        @Scheduled(fixedDelay = 1000)
        @LeaderOnly("report")
        public void run() {
            System.out.println("this instance writes the report");
        }
    }

    @Component
    static class Billing {
        private final Batches batches;

        Billing(Batches batches) {
            this.batches = batches;
        }

        @Scheduled(fixedRate = 60_000)
        @LeaderOnly("billing")
        void closeBatches() {
            batches.close(CurrentLease.get().fencingToken());
        }
    }

    interface Batches {
        void close(FencingToken token);
    }

    @Component
    static class Prices {
        private final Leadership leadership;

        Prices(@Qualifier("prices") Leadership leadership) { // with one role only, no qualifier is needed
            this.leadership = leadership;
        }

        @LeaderOnly(value = "prices", whenNotLeader = WhenNotLeader.THROW)
        public int recompute() { // LeadershipLostException on a follower
            return (int) leadership.term();
        }
    }

    @Service
    @LeaderService("feed")
    static class Feed implements LeaderWork {
        @Override
        public void lead(Lease lease) throws InterruptedException {
            do {
                publish(lease);
            } while (!lease.awaitLost(Duration.ofSeconds(5))); // true as soon as the term is over
        }

        private void publish(Lease lease) {
            LOG.info("publishes with {}", lease.fencingToken());
        }
    }

    @Component
    static class Announcer {
        @EventListener
        void gained(LeadershipGained event) {
            LOG.info("leads {}", event.role());
        }

        @EventListener
        void lost(LeadershipLost event) { // before the lease is given back, if it is
            LOG.info("leads {} no more: {}", event.role(), event.reason());
        }

        @EventListener
        void changed(LeaderChanged event) {
            LOG.info(
                    "{} is led by {}",
                    event.role(),
                    event.leader().map(leader -> leader.name()).orElse("nobody"));
        }
    }

    @Configuration
    static class Clients {
        @Bean
        RestClient ledgerClient(RestClient.Builder builder, FencingTokenInterceptor fencing) {
            return builder.baseUrl("https://ledger.internal")
                    .requestInterceptor(fencing)
                    .build();
        }
    }

    @Configuration
    static class Checks {
        @Bean
        BooleanSupplier reportMoves(Progress progress) {
            return progress::isRecent;
        }
    }

    interface Progress {
        boolean isRecent();
    }
}
