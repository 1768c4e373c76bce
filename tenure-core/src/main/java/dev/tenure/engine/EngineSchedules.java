package dev.tenure.engine;

import dev.tenure.FencedOutException;
import dev.tenure.Lease;
import dev.tenure.Registration;
import dev.tenure.log.CoreEvent;
import dev.tenure.schedule.SlotOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * What an elector does for the schedules on it: their alarms are the loop's, their runs user code of the term.
 */
final class EngineSchedules implements ScheduleHost {
    private final Registry registry;
    private final Hub hub;
    private final Participant participant;
    private final List<Runnable> listeners = new ArrayList<>(0); // the loop's
    private final Set<Ring> rings = new LinkedHashSet<>(); // the loop's
    private final Set<TermRun> runs = new LinkedHashSet<>(); // the loop's

    EngineSchedules(Registry registry, Participant participant) {
        this.registry = registry;
        this.hub = registry.hub();
        this.participant = participant;
    }

    @Override
    public String role() {
        return participant.role();
    }

    @Override
    public void ensureOpen() {
        registry.ensureOpen();
    }

    @Override
    public Time time() {
        return hub.time();
    }

    @Override
    public @Nullable Lease held() {
        return participant.held().orElse(null);
    }

    @Override
    public Duration longestRemaining() {
        return Duration.ofNanos(participant.timing().deadline(0));
    }

    @Override
    public Duration drainTimeout() {
        return Duration.ofNanos(participant.timing().drain());
    }

    @Override
    public Registration terms(Runnable begun) {
        hub.loop().post(() -> {
            listeners.add(begun);
            if (participant.held().isPresent()) {
                tell(begun);
            }
        });
        return () -> hub.loop().post(() -> listeners.remove(begun));
    }

    @Override
    public Alarm alarm(Runnable due) {
        return new Ring(hub.nextOrder(), due);
    }

    @Override
    public void call(String what, Runnable task) {
        hub.users().run(what, role(), null, task);
    }

    @Override
    public void run(Lease lease, Run run) {
        TermRun asked = new TermRun(lease, run);
        hub.loop().post(() -> start(asked));
        if (hub.loop().isEnded()) {
            asked.refuse();
        }
    }

    @Override
    public void fencedOut(Lease lease, FencedOutException thrown) {
        participant.post(new Event.UserCodeFailed(lease.term(), thrown));
    }

    @Override
    public void added(String task) {
        participant.reports().scheduleAdded(task);
    }

    @Override
    public void fault(CoreEvent event, String where, Throwable error, boolean log) {
        participant.fault(event, where, error, log);
    }

    @Override
    public void scheduleRun(String task, Instant slot, SlotOutcome outcome, Duration took) {
        participant.reports().scheduleRun(task, slot, outcome, took);
    }

    @Override
    public void scheduleSkipped(String task, Instant slot, SlotOutcome outcome, long count) {
        participant.reports().scheduleSkipped(task, slot, outcome, count);
    }

    // on the loop

    void begun() {
        List.copyOf(listeners).forEach(this::tell);
    }

    void interrupt() {
        runs.forEach(each -> each.thread.interrupt());
    }

    /**
     * What waits for a time of the wall clock looks at it again.
     */
    void wallClockJumped() {
        List.copyOf(rings).forEach(Ring::tick);
    }

    private void tell(Runnable listener) {
        try {
            listener.run();
        } catch (RuntimeException | Error survived) {
            participant.fault(CoreEvent.ELECTION_FAULTED, "schedules", survived);
        }
    }

    /**
     * On the loop a lease that is held is one whose user code is still counted.
     */
    private void start(TermRun run) {
        TermHandle handle = participant.handle();
        if (handle == null || !handle.equals(run.lease) || !handle.isHeld()) {
            run.refuse();
        } else if (run.taken.compareAndSet(false, true)) {
            runs.add(run);
            hub.users().run("scheduled task", role(), handle.code(), run::go);
        }
    }

    /**
     * A piece of user code of a term, and the thread that it is on.
     */
    private final class TermRun {
        private final Lease lease;
        private final Run run;
        private final WorkThread thread = new WorkThread();
        private final AtomicBoolean taken = new AtomicBoolean();

        TermRun(Lease lease, Run run) {
            this.lease = lease;
            this.run = run;
        }

        void go() {
            try {
                thread.carry(run);
            } finally {
                hub.loop().post(() -> runs.remove(this));
            }
        }

        void refuse() {
            if (taken.compareAndSet(false, true)) {
                run.ended(false, false, null);
            }
        }
    }

    /**
     * An alarm on the loop.
     */
    private final class Ring extends Timed implements Alarm {
        private final Runnable due;
        private volatile long wanted = Time.NEVER;
        private volatile boolean cancelled;

        Ring(long order, Runnable due) {
            super(order);
            this.due = due;
        }

        @Override
        public void set(long at) {
            wanted = at;
            hub.loop().post(this::apply);
        }

        @Override
        public void cancel() {
            cancelled = true;
            hub.loop().post(this::apply);
        }

        private void apply() {
            if (cancelled) {
                rings.remove(this);
                hub.loop().schedule(this, Time.NEVER);
            } else {
                rings.add(this);
                hub.loop().schedule(this, wanted);
            }
        }

        @Override
        void tick() {
            if (!cancelled) {
                tell(due);
            }
        }
    }
}
