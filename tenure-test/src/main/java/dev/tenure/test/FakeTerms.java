package dev.tenure.test;

import dev.tenure.ElectionOptions;
import dev.tenure.FencedOutException;
import dev.tenure.Leader;
import dev.tenure.LeaderWork;
import dev.tenure.LeadershipLostException;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends the terms of a double, and tells of it in the order of a real one. Holds no lock.
 */
final class FakeTerms {
    private final ElectionOptions options;
    private final FakeClock clock;
    private final FakeFailures failures;
    private final Runnable changed;
    private final Runnable begun;
    private final FakeListeners listeners;
    private volatile @Nullable LeaderWork work;

    /**
     * @param begun is told of each term, after the listeners
     * @param changed is told when somebody else, or nobody, leads
     */
    FakeTerms(ElectionOptions options, FakeClock clock, FakeFailures failures, Runnable begun, Runnable changed) {
        this.options = options;
        this.clock = clock;
        this.failures = failures;
        this.listeners = new FakeListeners(this::threw, failures);
        this.begun = begun;
        this.changed = changed;
    }

    void runs(@Nullable LeaderWork given) {
        work = given;
    }

    FakeClock clock() {
        return clock;
    }

    FakeFailures failures() {
        return failures;
    }

    FakeListeners listeners() {
        return listeners;
    }

    /**
     * A lease that nobody knows of yet.
     */
    FakeLease make(Leader self, long term) {
        FakeLease lease = new FakeLease(self, term, deadline(self), this);
        listeners.noteElected(lease);
        return lease;
    }

    private long deadline(Leader self) {
        return self.fencingToken().isPresent()
                ? clock.in(options.lease().minus(options.safetyMargin()))
                : FakeClock.NEVER;
    }

    void renew(FakeLease lease) {
        lease.hold().extend(deadline(lease.self()));
    }

    /**
     * Tells, and runs the work.
     */
    void begin(FakeLease lease) {
        watchDeadline(lease);
        listeners.tell();
        changed.run();
        begun.run();
        lead(lease);
    }

    private void lead(FakeLease lease) {
        LeaderWork given = work;
        if (given == null || !lease.isHeldNow() || !lease.runs().enter()) {
            return;
        }
        lease.code().begin();
        Throwable failure = null;
        try {
            given.lead(lease);
        } catch (Throwable thrown) {
            failure = thrown;
        } finally {
            lease.runs().leave();
        }
        if (failure == null) {
            end(lease, LossReason.RELEASED);
        } else {
            threw("work", lease, failure);
        }
        lease.code().done();
    }

    private void threw(String where, FakeLease lease, Throwable thrown) {
        if (lease.lossReason().isPresent() && isInterruption(thrown)) {
            return; // as asked
        }
        failures.add(where, thrown);
        if (lease.isHeldNow()) {
            end(lease, thrown instanceof FencedOutException ? LossReason.TAKEN_OVER : LossReason.WORK_FAILED);
        }
    }

    private static boolean isInterruption(Throwable thrown) {
        return thrown instanceof InterruptedException || thrown instanceof LeadershipLostException;
    }

    void end(FakeLease lease, LossReason detected) {
        if (listeners.noteEnd(lease, detected, clock.now())) {
            LossReason first = lease.hold().lose(detected);
            if (first.isVoluntary()) {
                drain(lease, first);
            } else {
                drop(lease, first);
            }
            lease.code().done(); // the term itself
        } else if (detected.decidedBy() == LossReason.Decision.STORE || detected == LossReason.DEADLINE_EXCEEDED) {
            FakeGrants.cut(lease, detected);
        }
    }

    private void drop(FakeLease lease, LossReason reason) {
        FakeGrants.over(lease, ReleaseOutcome.NOT_HOLDER, () -> {
            lease.runs().interruptOthers();
            tellLost(lease, reason);
            lease.runs().interrupt(); // this thread last: those who are told on it are not to be interrupted
        });
    }

    private void drain(FakeLease lease, LossReason reason) {
        clock.at(clock.in(options.interruptAfter()), lease.runs()::interrupt);
        clock.at(clock.in(options.drainTimeout()), () -> FakeGrants.leaveToExpire(lease));
        tellLost(lease, reason);
    }

    private void tellLost(FakeLease lease, LossReason reason) {
        lease.signals().lost(reason);
        listeners.tell();
        changed.run();
    }

    /**
     * Drains as if work were not done.
     */
    void endHeld(FakeLease lease, LossReason reason) {
        lease.ending().hold();
        end(lease, reason);
        if (lease.lossReason().filter(LossReason::isVoluntary).isEmpty()) {
            lease.ending().letGo();
        }
    }

    void endOfLooks(FakeLease lease, LossReason reason) {
        if (reason.isVoluntary() && !lease.runs().isRunning()) {
            endHeld(lease, reason);
        } else {
            end(lease, reason);
        }
    }

    private void watchDeadline(FakeLease lease) {
        long deadline = lease.hold().deadline();
        if (deadline > 0 && deadline != FakeClock.NEVER) {
            clock.at(deadline, () -> {
                if (lease.hold().left() > 0) {
                    watchDeadline(lease); // it was renewed
                } else {
                    end(lease, LossReason.DEADLINE_EXCEEDED);
                }
            });
        }
    }
}
