package dev.tenure.schedule;

import dev.tenure.LeaderWork;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.engine.ScheduleHost;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One slot of a task that is to run, or runs.
 */
final class TaskRun implements ScheduleHost.Run {
    private final Task task;
    private final Lease lease;
    private final Instant slot;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private volatile @Nullable Thread thread;
    private @Nullable SlotOutcome skip;
    private long beganAt;

    TaskRun(Task task, Lease lease, Instant slot) {
        this.task = task;
        this.lease = lease;
        this.slot = slot;
    }

    static SlotWork withoutSlot(LeaderWork run) {
        Objects.requireNonNull(run, "run");
        return (lease, slot) -> run.lead(lease);
    }

    Lease lease() {
        return lease;
    }

    Instant slot() {
        return slot;
    }

    /**
     * To be asked when its task has ended: complete when it has, too. If the calling thread is in it, it counts as ended
     * from now on; if it has not begun yet, it never will.
     */
    CompletableFuture<Void> overUnlessHere() {
        Thread runner = thread;
        if (runner == null) {
            return CompletableFuture.completedFuture(null);
        }
        if (Thread.currentThread().equals(runner)) {
            over.complete(null);
        }
        return over;
    }

    /**
     * When its task can be told no more of it; soon if it is over.
     */
    void whenOver(Runnable told) {
        over.thenRun(told);
    }

    @Override
    public void begin() throws Exception {
        thread = Thread.currentThread(); // before it looks whether its task has ended
        skip = task.whyNot(lease);
        if (task.isEnded()) {
            skip = SlotOutcome.FOLLOWER; // not recorded
        }
        if (skip == null) {
            beganAt = now();
            task.plan().work().run(lease, slot);
        }
    }

    @Override
    public void ended(boolean begun, boolean interrupted, @Nullable Throwable thrown) {
        thread = null;
        SlotOutcome outcome = begun ? skip : SlotOutcome.FOLLOWER;
        Duration took = Duration.ZERO;
        try {
            boolean asAsked = thrown != null && isInterruption(thrown) && !lease.isHeld();
            if (outcome == null) {
                outcome = outcome(interrupted || asAsked, thrown);
                took = Duration.ofNanos(Math.max(0, now() - beganAt));
            }
            if (thrown != null && !asAsked) {
                task.threw(lease, thrown);
            }
        } finally {
            try {
                task.ended(this, outcome == null ? SlotOutcome.FAILED : outcome, took);
            } finally {
                over.complete(null);
            }
        }
    }

    private static SlotOutcome outcome(boolean interrupted, @Nullable Throwable thrown) {
        if (interrupted) {
            return SlotOutcome.INTERRUPTED;
        }
        return thrown == null ? SlotOutcome.RAN : SlotOutcome.FAILED;
    }

    private static boolean isInterruption(Throwable thrown) {
        return thrown instanceof InterruptedException || thrown instanceof LeadershipLostException;
    }

    private long now() {
        return task.host().time().now();
    }
}
