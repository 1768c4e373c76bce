package dev.tenure.spring;

import dev.tenure.FencedOutException;
import dev.tenure.LeaderElector;
import dev.tenure.Leadership;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.Registration;
import dev.tenure.schedule.SlotOutcome;
import dev.tenure.spring.LeaderOnly.WhenNotLeader;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A method that only the leader runs.
 */
final class LeaderMethod {
    private static final int DEEPEST = 20; // of causes, which may go in a circle

    private final String name;
    private final Leadership leadership;
    private final WhenNotLeader whenNotLeader;
    private final MethodRecords records;
    private final Duration interruptAfter;

    LeaderMethod(String name, Leadership leadership, WhenNotLeader whenNotLeader, MethodRecords records) {
        this.name = name;
        this.leadership = leadership;
        this.whenNotLeader = whenNotLeader;
        this.records = records;
        this.interruptAfter = leadership instanceof LeaderElector elector
                ? elector.describe().options().interruptAfter()
                : Duration.ZERO;
    }

    @Nullable
    Object call(MethodInvocation invocation) throws Throwable {
        Lease outer = CurrentLease.find().orElse(null);
        if (outer != null
                && outer.role().equals(leadership.role())
                && !outer.remaining().isZero()) {
            return invocation.proceed(); // part of a run in progress
        }
        Lease lease = leadership.lease().orElse(null);
        if (lease == null) {
            return notLeading();
        }
        LeaderRun run = new LeaderRun(interruptAfter);
        Registration end = lease.onLost(run::end);
        boolean begun = false;
        Instant at = Instant.now();
        long from = System.nanoTime();
        Throwable thrown = null;
        Lease before = CurrentLease.enter(lease);
        try {
            begun = lease.isHeld();
            if (begun) {
                Object result = invocation.proceed();
                thrown = failure(result); // whoever has the promise is told of it
                return result;
            }
        } catch (Throwable failed) {
            thrown = failed;
        } finally {
            FencedOutException stale = fencedOut(thrown);
            if (stale != null) {
                endTerm(lease, stale);
            }
            CurrentLease.restore(before);
            boolean interrupted = run.ended();
            end.remove();
            if (begun) {
                boolean asAsked = (interrupted || (isInterruption(thrown) && !lease.isHeld())) && stale == null;
                Duration took = Duration.ofNanos(System.nanoTime() - from);
                records.ran(leadership.role(), name, at, outcome(asAsked, thrown), took);
            }
        }
        if (!begun) {
            return notLeading();
        }
        if (whenNotLeader == WhenNotLeader.SKIP && isInterruption(thrown) && !lease.isHeld()) {
            return null; // as asked
        }
        throw thrown;
    }

    /**
     * Why a promise was not kept; waits for it, for a run is over when its result is there.
     */
    private static @Nullable Throwable failure(@Nullable Object result) throws InterruptedException {
        if (result instanceof Future<?> promise) {
            try {
                promise.get();
            } catch (ExecutionException failed) {
                return failed.getCause() != null ? failed.getCause() : failed;
            } catch (CancellationException withdrawn) {
                return withdrawn;
            } catch (InterruptedException stop) {
                promise.cancel(true);
                throw stop;
            }
        }
        return null;
    }

    /**
     * Also as the cause of what was thrown, by a transaction manager for instance.
     */
    private static @Nullable FencedOutException fencedOut(@Nullable Throwable thrown) {
        Throwable cause = thrown;
        for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
            if (cause instanceof FencedOutException stale) {
                return stale;
            }
            cause = cause.getCause();
        }
        return null;
    }

    /**
     * The resource knows a later leader: a listener that throws this ends the term that it is told of.
     */
    private void endTerm(Lease lease, FencedOutException stale) {
        Registration listener = leadership.onChange(
                current -> {
                    if (current.equals(lease)) {
                        throw stale;
                    }
                },
                (current, reason) -> {});
        lease.onLost(reason -> listener.remove());
    }

    private @Nullable Object notLeading() {
        records.skipped(leadership.role(), name, Instant.now());
        if (whenNotLeader == WhenNotLeader.THROW) {
            throw new LeadershipLostException(leadership.role(), "this instance does not lead, called " + name);
        }
        return null;
    }

    private static SlotOutcome outcome(boolean interrupted, @Nullable Throwable thrown) {
        if (interrupted) {
            return SlotOutcome.INTERRUPTED;
        }
        return thrown == null ? SlotOutcome.RAN : SlotOutcome.FAILED;
    }

    private static boolean isInterruption(@Nullable Throwable thrown) {
        return thrown instanceof InterruptedException || thrown instanceof LeadershipLostException;
    }
}
