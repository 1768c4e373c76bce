package dev.tenure.test;

import dev.tenure.ElectionOptions;
import dev.tenure.FencedOutException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import dev.tenure.engine.ScheduleHost;
import dev.tenure.engine.Time;
import dev.tenure.log.CoreEvent;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What a double does for the schedules on it: their alarms ring in its time, and they run on the thread that lets it pass.
 */
final class FakeSchedules implements ScheduleHost {
    private final FakeCandidate candidate;
    private final FakeTerms terms;
    private final FakeRegistrations registrations;
    private final ElectionOptions options;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    FakeSchedules(FakeCandidate candidate, FakeTerms terms, FakeRegistrations registrations, ElectionOptions options) {
        this.candidate = candidate;
        this.terms = terms;
        this.registrations = registrations;
        this.options = options;
    }

    /**
     * A term has begun.
     */
    void begun() {
        listeners.forEach(Runnable::run);
    }

    @Override
    public String role() {
        return candidate.role();
    }

    @Override
    public Time time() {
        return terms.clock();
    }

    @Override
    public @Nullable Lease held() {
        return candidate.held().orElse(null);
    }

    @Override
    public Duration longestRemaining() {
        return options.lease().minus(options.safetyMargin());
    }

    @Override
    public Duration drainTimeout() {
        return options.drainTimeout();
    }

    @Override
    public Registration terms(Runnable begun) {
        Registration registered = registrations.add("LeaderScheduler", () -> listeners.remove(begun));
        listeners.add(begun);
        candidate.held().ifPresent(lease -> begun.run());
        return registered;
    }

    @Override
    public Alarm alarm(Runnable due) {
        return new Ring(due);
    }

    @Override
    public void call(String what, Runnable task) {
        terms.failures().guard(what, task);
    }

    @Override
    public void run(Lease lease, Run run) {
        if (candidate.held().filter(lease::equals).isEmpty()) {
            run.ended(false, false, null);
            return;
        }
        FakeLease own = (FakeLease) lease;
        own.code().begin();
        try {
            carry(own.runs(), run);
        } finally {
            own.code().done();
        }
    }

    private static void carry(FakeRuns runs, Run run) {
        if (!runs.enter()) {
            run.ended(false, false, null);
            return;
        }
        Throwable thrown = null;
        try {
            run.begin();
        } catch (Throwable any) {
            thrown = any;
        }
        run.ended(true, runs.leave(), thrown);
    }

    @Override
    public void fencedOut(Lease lease, FencedOutException thrown) {
        candidate.held().filter(lease::equals).ifPresent(own -> terms.end(own, LossReason.TAKEN_OVER));
    }

    @Override
    public void added(String task) {}

    @Override
    public void fault(CoreEvent event, String where, Throwable error, boolean log) {
        terms.failures().add(where, error);
    }

    /**
     * An alarm in the double's time.
     */
    private final class Ring implements Alarm {
        private final Runnable due;
        private Registration timer = () -> {};
        private boolean cancelled;

        Ring(Runnable due) {
            this.due = due;
        }

        @Override
        public void set(long at) {
            if (arm(at)) {
                due.run();
            }
        }

        /**
         * True if it is to ring now.
         */
        private synchronized boolean arm(long at) {
            timer.remove();
            if (cancelled || at == Time.NEVER) {
                return false;
            }
            boolean now = at <= terms.clock().now();
            if (!now) {
                timer = terms.clock().at(at, this::ring);
            }
            return now;
        }

        private void ring() {
            if (!isCancelled()) {
                due.run();
            }
        }

        private synchronized boolean isCancelled() {
            return cancelled;
        }

        @Override
        public synchronized void cancel() {
            cancelled = true;
            timer.remove();
        }
    }
}
