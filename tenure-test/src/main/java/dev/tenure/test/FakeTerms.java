package dev.tenure.test;

import dev.tenure.ElectionOptions;
import dev.tenure.FencedOutException;
import dev.tenure.Leader;
import dev.tenure.LeadershipLostException;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Begins and ends the terms of a double, and tells of it in the order of a real one. Holds no lock.
 */
final class FakeTerms {
    private final ElectionOptions options;
    private final FakeClock clock;
    private final FakeFailures failures;
    private final Runnable changed;
    private final List<FakeListener> listeners = new CopyOnWriteArrayList<>();
    private final List<String> history = new CopyOnWriteArrayList<>();

    /**
     * @param changed is told when somebody else, or nobody, leads
     */
    FakeTerms(ElectionOptions options, FakeClock clock, FakeFailures failures, Runnable changed) {
        this.options = options;
        this.clock = clock;
        this.failures = failures;
        this.changed = changed;
    }

    FakeClock clock() {
        return clock;
    }

    FakeFailures failures() {
        return failures;
    }

    List<FakeListener> listeners() {
        return listeners;
    }

    List<String> history() {
        return List.copyOf(history);
    }

    /**
     * A lease that nobody knows of yet.
     */
    FakeLease make(Leader self, long term, FakeWork work) {
        FakeLease lease = new FakeLease(self, term, deadline(self), this, work);
        history.add("elected " + lease);
        return lease;
    }

    private long deadline(Leader self) {
        return self.fencingToken().isPresent()
                ? clock.in(options.lease().minus(options.safetyMargin()))
                : FakeClock.NEVER;
    }

    void renew(FakeLease lease) {
        if (lease.left() > 0) {
            lease.extend(deadline(lease.self()));
        }
    }

    /**
     * Tells, and runs the work.
     */
    void begin(FakeLease lease) {
        watchDeadline(lease);
        listeners.forEach(listener -> tell(listener, lease));
        changed.run();
        lead(lease);
    }

    void tell(FakeListener listener, FakeLease lease) {
        listener.elected(lease, thrown -> threw("elected listener", lease, thrown));
    }

    private void lead(FakeLease lease) {
        if (!lease.isHeldNow() || !lease.work().isGiven()) {
            return;
        }
        lease.code().begin();
        try {
            lease.work().lead(lease);
            end(lease, LossReason.RELEASED);
        } catch (Throwable thrown) {
            threw("work", lease, thrown);
        } finally {
            lease.code().done();
        }
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
        LossReason first = lease.lose(detected);
        if (lease.ending().begin(clock.now())) {
            history.add("lost " + lease);
            if (first.isVoluntary()) {
                drain(lease, first);
            } else {
                drop(lease, first);
            }
            lease.code().done(); // the term itself
        } else if (detected.decidedBy() == LossReason.Decision.STORE || detected == LossReason.DEADLINE_EXCEEDED) {
            cut(lease, detected);
        }
    }

    private void drop(FakeLease lease, LossReason reason) {
        lease.seal();
        boolean own = lease.work().isOn(Thread.currentThread());
        if (!own) {
            lease.work().interrupt();
        }
        tellLost(lease, reason);
        if (own) {
            lease.work().interrupt(); // who is told on this thread was not to be interrupted
        }
        lease.signals().lapsed();
        lease.ending().settle(ReleaseOutcome.NOT_HOLDER);
    }

    private void drain(FakeLease lease, LossReason reason) {
        clock.at(clock.in(options.interruptAfter()), lease.work()::interrupt);
        clock.at(clock.in(options.drainTimeout()), () -> leaveToExpire(lease));
        tellLost(lease, reason);
    }

    private void tellLost(FakeLease lease, LossReason reason) {
        lease.signals().lost(reason);
        listeners.forEach(listener -> listener.lost(lease, reason, thrown -> failures.add("lost listener", thrown)));
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
        if (reason.isVoluntary() && !lease.work().isRunning()) {
            endHeld(lease, reason);
        } else {
            end(lease, reason);
        }
    }

    /**
     * All user code of the term has returned.
     */
    void codeEnded(FakeLease lease) {
        if (lease.ending().isOpen()) {
            release(lease);
        }
    }

    void release(FakeLease lease) {
        lease.seal();
        lease.signals().lapsed();
        lease.ending().settle(ReleaseOutcome.RELEASED);
    }

    private void leaveToExpire(FakeLease lease) {
        if (!lease.ending().isOpen()) {
            return;
        }
        lease.work().interrupt();
        if (lease.self().fencingToken().isEmpty()) { // nothing expires later
            lease.seal();
            lease.signals().lapsed();
        }
        lease.ending().settle(ReleaseOutcome.LEFT_TO_EXPIRE);
    }

    private void cut(FakeLease lease, LossReason detected) {
        lease.seal();
        lease.work().interrupt();
        lease.signals().lapsed();
        lease.ending()
                .settle(
                        detected == LossReason.DEADLINE_EXCEEDED
                                ? ReleaseOutcome.LEFT_TO_EXPIRE
                                : ReleaseOutcome.NOT_HOLDER);
    }

    private void watchDeadline(FakeLease lease) {
        long deadline = lease.deadline();
        if (deadline > 0 && deadline != FakeClock.NEVER) {
            clock.at(deadline, () -> {
                if (lease.left() > 0) {
                    watchDeadline(lease); // it was renewed
                } else {
                    end(lease, LossReason.DEADLINE_EXCEEDED);
                }
            });
        }
    }
}
