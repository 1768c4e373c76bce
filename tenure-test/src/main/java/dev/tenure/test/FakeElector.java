package dev.tenure.test;

import dev.tenure.ElectionDescription;
import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.Leader;
import dev.tenure.LeaderWatch;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.engine.ChannelHost;
import dev.tenure.engine.ScheduleHost;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The double as it is seen from outside: what the test decides, what the code under test asks, and what channels and
 * schedules take from it.
 */
final class FakeElector implements FakeLeadership, ChannelHost, ScheduleHost.Owner {
    private final ElectionOptions options;
    private final String key;
    private final FakeClock clock = new FakeClock();
    private final FakeFailures failures;
    private final FakeRegistrations registrations = new FakeRegistrations();
    private final FakeWatches watches;
    private final FakeTerms terms;
    private final FakeCandidate candidate;
    private final FakeSchedules schedules;

    FakeElector(String role, ElectionOptions options) {
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

    FakeRegistrations registrations() {
        return registrations;
    }

    FakeFailures thrown() {
        return failures;
    }

    // what the test decides

    @Override
    public FakeLeadership runs(LeaderWork work) {
        terms.runs(work);
        return this;
    }

    @Override
    public Lease elect() {
        return candidate.elect(0, looks -> {});
    }

    @Override
    public Lease electWithToken(long token) {
        if (token <= 0) {
            throw new IllegalArgumentException("token must be positive: token=" + token);
        }
        return candidate.elect(token, looks -> {});
    }

    @Override
    public Lease electForChecks(int checks) {
        return electForChecks(checks, LossReason.DEADLINE_EXCEEDED);
    }

    @Override
    public Lease electForChecks(int checks, LossReason end) {
        if (checks < 0) {
            throw new IllegalArgumentException("checks must not be negative: checks=" + checks);
        }
        return candidate.elect(0, looks -> looks.limit(checks, end));
    }

    @Override
    public void lose(LossReason reason) {
        candidate.present().ifPresent(lease -> terms.end(lease, reason));
    }

    @Override
    public void beginEnd(LossReason reason) {
        if (!reason.isVoluntary()) {
            throw new IllegalArgumentException("reason must be one that the application decides: reason=" + reason);
        }
        candidate.held().ifPresent(lease -> terms.endHeld(lease, reason));
    }

    @Override
    public void finishEnd() {
        candidate.present().ifPresent(lease -> lease.ending().letGo());
    }

    @Override
    public void advance(Duration time) {
        clock.advance(time);
    }

    @Override
    public void advanceRenewing(Duration time) {
        Duration left = time;
        renew();
        while (left.compareTo(options.renewInterval()) >= 0) {
            clock.advance(options.renewInterval());
            renew();
            left = left.minus(options.renewInterval());
        }
        clock.advance(left);
    }

    @Override
    public Instant now() {
        return FakeClock.wall(clock.now());
    }

    @Override
    public void renew() {
        candidate.present().ifPresent(terms::renew);
    }

    @Override
    public void follow(Leader leader) {
        candidate.follow(leader);
        lose(LossReason.TAKEN_OVER);
        watches.changed();
    }

    @Override
    public void followNobody() {
        candidate.followNobody();
        watches.changed();
    }

    @Override
    public FakeLeadership announce(Map<String, String> metadata) {
        candidate.announce(metadata);
        return this;
    }

    @Override
    public FakeLeadership setCoordinated(boolean coordinated) {
        candidate.setCoordinated(coordinated);
        return this;
    }

    @Override
    public FakeLeadership setHealth(ElectorHealth health) {
        candidate.setHealth(health);
        return this;
    }

    @Override
    public LeaderWatch watch() {
        return watches.open();
    }

    @Override
    public boolean isStanding() {
        return candidate.isStanding();
    }

    @Override
    public List<String> history() {
        return terms.history();
    }

    @Override
    public int listeners() {
        return registrations.size();
    }

    @Override
    public List<Throwable> failures() {
        return failures.see();
    }

    // what the code under test asks

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
            listener.remove();
            terms.listeners().remove(listener);
        });
        terms.listeners().add(listener);
        candidate.held().ifPresent(lease -> terms.tell(listener, lease));
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
    public FakeLeadership start() {
        candidate.start();
        return this;
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
