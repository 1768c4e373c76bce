package dev.tenure.schedule;

import dev.tenure.FencedOutException;
import dev.tenure.Leadership;
import dev.tenure.Lease;
import dev.tenure.Registration;
import dev.tenure.engine.ScheduleHost;
import dev.tenure.engine.SystemTime;
import dev.tenure.engine.Time;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A leadership that is not the engine's: a test double, or one that wraps another. Uses the timer and the common pool of
 * the JDK, so that it has no thread of its own either. A double that answers null where nothing is to be expected is
 * lived with.
 */
final class PlainScheduleHost implements ScheduleHost {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderScheduler.class);

    private final Leadership leadership;
    private final AtomicReference<@Nullable PlainRuns> runs = new AtomicReference<>(); // of the newest term

    PlainScheduleHost(Leadership leadership) {
        this.leadership = leadership;
    }

    @Override
    public String role() {
        return leadership.role();
    }

    @Override
    public Time time() {
        return SystemTime.INSTANCE;
    }

    @Override
    public @Nullable Lease held() {
        return leadership.lease().filter(Lease::isHeld).orElse(null);
    }

    @Override
    public Registration terms(Runnable begun) {
        Registration made = leadership.onChange(
                lease -> {
                    try {
                        begun.run();
                    } catch (RuntimeException | Error survived) { // it must not end the term
                        fault(CoreEvent.ELECTION_FAULTED, "schedules", survived, true);
                    }
                },
                (lease, reason) -> {});
        return () -> Optional.ofNullable(made).ifPresent(Registration::remove);
    }

    @Override
    public Alarm alarm(Runnable due) {
        return new Timer(due);
    }

    @Override
    public void call(String what, Runnable task) {
        CompletableFuture.runAsync(() -> blocking(task));
    }

    @Override
    public void run(Lease lease, Run run) {
        call("scheduled task", () -> {
            PlainRuns own;
            try {
                own = runsOf(lease);
            } catch (RuntimeException | Error refused) { // it could not be interrupted
                run.ended(false, false, refused);
                return;
            }
            own.carry(run);
        });
    }

    private PlainRuns runsOf(Lease lease) {
        PlainRuns known = runs.get();
        if (known != null && known.areOf(lease)) {
            return known;
        }
        PlainRuns made = PlainRuns.of(lease);
        runs.set(made);
        return made;
    }

    /**
     * The pool is shared: it gets a thread more while this one is taken.
     */
    private static void blocking(Runnable task) {
        Blocking blocking = new Blocking(task);
        try {
            ForkJoinPool.managedBlock(blocking);
        } catch (RejectedExecutionException full) { // no thread more
            if (!blocking.isReleasable()) {
                blocking.block();
            }
        } catch (InterruptedException late) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error survived) {
            LogLine.of(LOG, CoreEvent.SCHEDULE_FAULTED).cause(survived).write();
        }
    }

    /**
     * One task as something that blocks.
     */
    private static final class Blocking implements ForkJoinPool.ManagedBlocker {
        private final Runnable task;
        private boolean done;

        Blocking(Runnable task) {
            this.task = task;
        }

        @Override
        public boolean block() {
            done = true;
            task.run();
            return true;
        }

        @Override
        public boolean isReleasable() {
            return done;
        }
    }

    @Override
    public void fencedOut(Lease lease, FencedOutException thrown) {
        LogLine.of(LOG, CoreEvent.TERM_NOT_ENDED)
                .with("role", role())
                .cause(thrown)
                .write();
    }

    @Override
    public void added(String task) {}

    @Override
    public void fault(CoreEvent event, String where, Throwable error, boolean log) {
        if (log) {
            LogLine.of(LOG, event)
                    .with("role", role())
                    .with("where", where)
                    .cause(error)
                    .write();
        }
    }

    /**
     * An alarm on the timer of the JDK, which is told when it is not wanted any more.
     */
    private static final class Timer implements Alarm {
        private final Runnable due;
        private final AtomicReference<CompletableFuture<Boolean>> pending =
                new AtomicReference<>(new CompletableFuture<>());
        private volatile boolean cancelled;

        Timer(Runnable due) {
            this.due = due;
        }

        @Override
        public void set(long at) {
            CompletableFuture<Boolean> rings = new CompletableFuture<>();
            pending.getAndSet(rings).complete(false);
            if (cancelled) {
                rings.complete(false);
            }
            if (at != Time.NEVER) {
                rings.thenAcceptAsync(wanted -> {
                    if (wanted && !cancelled) {
                        due.run();
                    }
                });
                long wait = Math.max(0, at - SystemTime.INSTANCE.now());
                rings.completeOnTimeout(true, wait, TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            pending.get().complete(false);
        }
    }
}
