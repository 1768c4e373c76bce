package dev.tenure.test;

import dev.tenure.ElectionOptions;
import dev.tenure.FencedOutException;
import dev.tenure.Leader;
import dev.tenure.LeaderWork;
import dev.tenure.LeadershipLostException;
import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Begins and ends the terms of a double, and tells of it in the order of a real one; under no lock, but what is to be
 * told is noted under one.
 */
final class FakeTerms {
    private final ElectionOptions options;
    private final FakeClock clock;
    private final FakeFailures failures;
    private final Runnable changed;
    private final Runnable begun;
    private final Object order = new Object();
    private final List<FakeListener> listeners = new CopyOnWriteArrayList<>();
    private volatile @Nullable LeaderWork work;
    private final List<String> history = new CopyOnWriteArrayList<>();

    /**
     * @param begun is told of each term, after the listeners
     * @param changed is told when somebody else, or nobody, leads
     */
    FakeTerms(ElectionOptions options, FakeClock clock, FakeFailures failures, Runnable begun, Runnable changed) {
        this.options = options;
        this.clock = clock;
        this.failures = failures;
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

    List<FakeListener> listeners() {
        return listeners;
    }

    List<String> history() {
        return List.copyOf(history);
    }

    /**
     * A lease that nobody knows of yet.
     */
    FakeLease make(Leader self, long term) {
        FakeLease lease = new FakeLease(self, term, deadline(self), this);
        synchronized (order) {
            history.add("elected " + lease);
            listeners.forEach(listener -> note(listener, lease));
        }
        return lease;
    }

    private void note(FakeListener listener, FakeLease lease) {
        listener.elected(lease, thrown -> threw("elected listener", lease, thrown));
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
        listeners.forEach(FakeListener::run);
        changed.run();
        begun.run();
        lead(lease);
    }

    void tell(FakeListener listener, FakeLease lease) {
        note(listener, lease);
        listener.run();
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
        LossReason first;
        boolean begins;
        List<FakeListener> toTell;
        synchronized (order) {
            first = lease.lose(detected);
            begins = lease.ending().begin(clock.now());
            toTell = begins ? List.copyOf(listeners) : List.of();
            toTell.forEach(listener -> noteEnd(listener, lease, first));
            if (begins) {
                history.add("lost " + lease);
            }
        }
        if (begins) {
            if (first.isVoluntary()) {
                drain(lease, first, toTell);
            } else {
                drop(lease, first, toTell);
            }
            lease.code().done(); // the term itself
        } else if (detected.decidedBy() == LossReason.Decision.STORE || detected == LossReason.DEADLINE_EXCEEDED) {
            cut(lease, detected);
        }
    }

    private void noteEnd(FakeListener listener, FakeLease lease, LossReason reason) {
        listener.lost(lease, reason, thrown -> failures.add("lost listener", thrown));
    }

    private void drop(FakeLease lease, LossReason reason, List<FakeListener> toTell) {
        over(lease, ReleaseOutcome.NOT_HOLDER, () -> {
            lease.runs().interruptOthers();
            tellLost(lease, reason, toTell);
            lease.runs().interrupt(); // this thread last: those who are told on it are not to be interrupted
        });
    }

    /**
     * The grant is over.
     *
     * @param first what comes before others may learn of it
     */
    private static void over(FakeLease lease, ReleaseOutcome outcome, Runnable first) {
        boolean decided = lease.ending().claim(outcome);
        lease.seal();
        first.run();
        lease.signals().lapsed();
        if (decided) {
            lease.ending().tell(outcome);
        }
    }

    private void drain(FakeLease lease, LossReason reason, List<FakeListener> toTell) {
        clock.at(clock.in(options.interruptAfter()), lease.runs()::interrupt);
        clock.at(clock.in(options.drainTimeout()), () -> leaveToExpire(lease));
        tellLost(lease, reason, toTell);
    }

    private void tellLost(FakeLease lease, LossReason reason, List<FakeListener> toTell) {
        lease.signals().lost(reason);
        toTell.forEach(FakeListener::run);
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

    /**
     * All user code of the term has returned.
     */
    void codeEnded(FakeLease lease) {
        if (lease.ending().isOpen()) {
            release(lease);
        }
    }

    void release(FakeLease lease) {
        over(lease, ReleaseOutcome.RELEASED, () -> {});
    }

    private void leaveToExpire(FakeLease lease) {
        if (lease.self().fencingToken().isEmpty()) { // nothing expires later
            over(lease, ReleaseOutcome.LEFT_TO_EXPIRE, lease.runs()::interrupt);
        } else if (lease.ending().claim(ReleaseOutcome.LEFT_TO_EXPIRE)) {
            lease.runs().interrupt();
            lease.ending().tell(ReleaseOutcome.LEFT_TO_EXPIRE);
        }
    }

    private void cut(FakeLease lease, LossReason detected) {
        boolean late = detected == LossReason.DEADLINE_EXCEEDED;
        ReleaseOutcome outcome = late ? ReleaseOutcome.LEFT_TO_EXPIRE : ReleaseOutcome.NOT_HOLDER;
        over(lease, outcome, lease.runs()::interrupt);
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
