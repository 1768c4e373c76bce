package dev.tenure.test;

import dev.tenure.ElectionOptions;
import dev.tenure.ElectorHealth;
import dev.tenure.Leader;
import dev.tenure.LeaderWatch;
import dev.tenure.LeaderWork;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What the test decides.
 */
final class FakeElector extends FakeFace implements FakeLeadership {

    FakeElector(String role, ElectionOptions options) {
        super(role, options);
    }

    @Override
    public FakeLeadership runs(LeaderWork work) {
        terms().runs(work);
        return this;
    }

    @Override
    public Lease elect() {
        return candidate().elect(0, looks -> {});
    }

    @Override
    public Lease electWithToken(long token) {
        if (token <= 0) {
            throw new IllegalArgumentException("token must be positive: token=" + token);
        }
        return candidate().elect(token, looks -> {});
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
        return candidate().elect(0, looks -> looks.limit(checks, end));
    }

    @Override
    public void lose(LossReason reason) {
        candidate().present().ifPresent(lease -> terms().end(lease, reason));
    }

    @Override
    public void beginEnd(LossReason reason) {
        if (!reason.isVoluntary()) {
            throw new IllegalArgumentException("reason must be one that the application decides: reason=" + reason);
        }
        candidate().held().ifPresent(lease -> terms().endHeld(lease, reason));
    }

    @Override
    public void finishEnd() {
        candidate().present().ifPresent(lease -> lease.ending().letGo());
    }

    @Override
    public void advance(Duration time) {
        clock().advance(time);
    }

    @Override
    public void advanceRenewing(Duration time) {
        Duration left = time;
        renew();
        while (left.compareTo(options().renewInterval()) >= 0) {
            clock().advance(options().renewInterval());
            renew();
            left = left.minus(options().renewInterval());
        }
        clock().advance(left);
    }

    @Override
    public Instant now() {
        return FakeClock.wall(clock().now());
    }

    @Override
    public void renew() {
        candidate().present().ifPresent(terms()::renew);
    }

    @Override
    public void follow(Leader leader) {
        candidate().follow(leader);
        lose(LossReason.TAKEN_OVER);
        watches().changed();
    }

    @Override
    public void followNobody() {
        candidate().followNobody();
        watches().changed();
    }

    @Override
    public FakeLeadership announce(Map<String, String> metadata) {
        candidate().announce(metadata);
        return this;
    }

    @Override
    public FakeLeadership setCoordinated(boolean coordinated) {
        candidate().setCoordinated(coordinated);
        return this;
    }

    @Override
    public FakeLeadership setHealth(ElectorHealth health) {
        candidate().setHealth(health);
        return this;
    }

    @Override
    public LeaderWatch watch() {
        return watches().open();
    }

    @Override
    public boolean isStanding() {
        return candidate().isStanding();
    }

    @Override
    public List<String> history() {
        return terms().listeners().history();
    }

    @Override
    public int listeners() {
        return registrations().size();
    }

    @Override
    public List<Throwable> failures() {
        return thrown().see();
    }

    @Override
    public FakeLeadership start() {
        candidate().start();
        return this;
    }
}
