package dev.tenure.test;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.Leader;
import dev.tenure.LeaderElector;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.ScheduleHost;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the code under test asks a double, and what channels and schedules take from it.
 */
abstract class FakeFace implements LeaderElector, ChannelHost, ScheduleHost.Owner {
    private final ElectionOptions options;
    private final String key;
    private final FakeClock clock = new FakeClock();
    private final FakeFailures failures;
    private final FakeRegistrations registrations = new FakeRegistrations();
    private final FakeWatches watches;
    private final FakeTerms terms;
    private final FakeCandidate candidate;
    private final FakeSchedules schedules;

    FakeFace(String role, ElectionOptions options) {
        this.options = options;
        this.key = options.resolveKey(role, FakeDiagnosis.TRAITS);
        this.failures = new FakeFailures(role);
        this.watches = new FakeWatches(this, registrations, failures);
        this.terms = new FakeTerms(options, clock, failures, this::termBegan, watches::changed);
        this.candidate = new FakeCandidate(role, terms);
        this.schedules = new FakeSchedules(candidate, terms, registrations, options);
    }

    private void termBegan() {
        schedules.begun();
    }

    FakeCandidate candidate() {
        return candidate;
    }

    FakeTerms terms() {
        return terms;
    }

    FakeClock clock() {
        return clock;
    }

    FakeWatches watches() {
        return watches;
    }

    ElectionOptions options() {
        return options;
    }

    FakeRegistrations registrations() {
        return registrations;
    }

    FakeFailures thrown() {
        return failures;
    }

    @Override
    public String role() {
        return candidate.role();
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public boolean isLeader() {
        return candidate.held().isPresent();
    }

    @Override
    public Optional<Lease> lease() {
        return candidate.held().map(lease -> lease);
    }

    @Override
    public Lease awaitLeadership() throws InterruptedException {
        return candidate.await();
    }

    @Override
    public Optional<Lease> awaitLeadership(Duration timeout) throws InterruptedException {
        Optional<Lease> held = lease();
        if (held.isEmpty() && Thread.interrupted()) {
            throw new InterruptedException();
        }
        return held;
    }

    @Override
    public Registration onChange(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost) {
        FakeListener listener = new FakeListener(elected, lost);
        Registration registered = registrations.add("onChange", () -> {
            terms.listeners().remove(listener);
        });
        terms.listeners().add(listener);
        candidate.held().ifPresent(lease -> terms.listeners().tell(listener, lease));
        return registered;
    }

    @Override
    public Optional<Leader> leader() {
        return candidate.leader();
    }

    @Override
    public long term() {
        return candidate.terms();
    }

    @Override
    public boolean isCoordinated() {
        return candidate.isCoordinated();
    }

    @Override
    public CompletableFuture<ReleaseOutcome> resign() {
        return end(LossReason.RESIGNED);
    }

    @Override
    public CompletableFuture<ReleaseOutcome> stop() {
        candidate.stop();
        CompletableFuture<ReleaseOutcome> outcome = end(LossReason.STOPPED);
        watches.changed();
        return outcome;
    }

    private CompletableFuture<ReleaseOutcome> end(LossReason reason) {
        Optional<FakeLease> present = candidate.present();
        if (present.isEmpty()) {
            return CompletableFuture.completedFuture(ReleaseOutcome.NOT_HOLDER);
        }
        CompletableFuture<ReleaseOutcome> outcome = present.get().ending().outcome();
        terms.end(present.get(), reason);
        return outcome;
    }

    @Override
    public ElectorHealth health() {
        return FakeDiagnosis.health(candidate, options, clock.now());
    }

    @Override
    public ElectionDescription describe() {
        return FakeDiagnosis.describe(this, options);
    }

    // what channels and schedules take

    @Override
    public @Nullable Lease held() {
        return candidate.held().orElse(null);
    }

    @Override
    public void call(String what, Runnable task) {
        failures.guard(what, task);
    }

    @Override
    public void channelOpened(String channel) {}

    @Override
    public void itemsDropped(String channel, String reason, long count) {
        // the channel's own counters are exact, and there are no monitors
    }

    @Override
    public ScheduleHost scheduleHost() {
        return schedules;
    }

    @Override
    public String toString() {
        return "FakeLeadership[" + role() + "]";
    }
}
