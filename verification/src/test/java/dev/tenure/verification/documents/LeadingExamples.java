package dev.tenure.verification.documents;

import dev.tenure.Elections;
import dev.tenure.ElectorHealth;
import dev.tenure.FencingToken;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.OwnedLease;
import dev.tenure.Tenure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * The Java of the guide to leading, so that it compiles.
 */
final class LeadingExamples {
    private LeadingExamples() {}

    interface Step {
        void run(FencingToken token);
    }

    interface Migration {
        List<Step> steps();
    }

    interface Chunk {}

    interface Report {
        void write(FencingToken token);

        List<Chunk> chunks();

        void write(Chunk chunk, FencingToken token);
    }

    interface Cache {
        void start(FencingToken token);

        void stop();
    }

    interface Progress {
        boolean isRecent();
    }

    static void waiting(Tenure tenure, Migration migration) throws InterruptedException {
        try (OwnedLease lease = tenure.acquire("migration")) { // as long as it takes
            for (Step step : migration.steps()) {
                lease.ensureHeld(); // LeadershipLostException if the lease is over
                step.run(lease.fencingToken());
            }
        }
    }

    static void asking(Tenure tenure, Report report) throws InterruptedException {
        Optional<OwnedLease> asked = tenure.tryAcquire("nightly-report");
        if (asked.isEmpty()) {
            return; // another instance does it
        }
        try (OwnedLease lease = asked.get()) {
            report.write(lease.fencingToken());
        }
    }

    static LeaderElector listeners(Tenure tenure, Cache cache) {
        LeaderElector elector = tenure.elector("prices");
        elector.onChange(
                lease -> cache.start(lease.fencingToken()), // this instance was elected
                (lease, reason) -> cache.stop()); // the term is over, whatever the reason
        elector.start();
        return elector;
    }

    static void work(Tenure tenure) {
        LeaderElector elector = tenure.elector("billing", lease -> {
            do {
                closeBatches(lease.fencingToken());
            } while (!lease.awaitLost(Duration.ofSeconds(5))); // sleeps; true as soon as the term is over
        });
        elector.start();
    }

    private static void closeBatches(FencingToken token) {
        System.out.println(token);
    }

    static void longWork(Lease lease, Report report) {
        for (Chunk chunk : report.chunks()) {
            lease.ensureHeld(Duration.ofSeconds(5)); // unless this much is left before the deadline
            report.write(chunk, lease.fencingToken());
        }
    }

    static void cancelled(Lease lease, Future<?> request) {
        lease.onLost(reason -> request.cancel(true));
    }

    static Elections watched(Tenure tenure, Progress progress) {
        Elections watched = tenure.with(options -> options.healthCheck(progress::isRecent, Duration.ofSeconds(30)));
        return watched;
    }

    static void closing(Tenure tenure) {
        Runtime.getRuntime().addShutdownHook(new Thread(tenure::close, "tenure-close"));
    }

    static boolean health(LeaderElector elector) {
        ElectorHealth health = elector.health();
        boolean restart = health.status() == ElectorHealth.Status.WEDGED;
        return restart;
    }

    static void described(LeaderElector elector) {
        elector.describe().lines().forEach(System.out::println);
    }
}
