package dev.tenure.engine;

import dev.tenure.FencingToken;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.Registration;
import dev.tenure.ReleaseOutcome;
import dev.tenure.log.CoreEvent;
import dev.tenure.log.LogLine;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an owner has in hand. If it is dropped unclosed, the lease stays held, since its work may still run, and a
 * warning says where it was acquired.
 */
final class EngineOwnedLease implements OwnedLease {
    private static final Logger LOG = LoggerFactory.getLogger(EngineOwnedLease.class);
    private static final Cleaner CLEANER = Cleaner.create();

    private final Grant grant;
    private final TermHandle handle;
    private final Participant participant;

    EngineOwnedLease(Grant grant) {
        this.grant = grant;
        this.handle = grant.handle();
        this.participant = grant.participant();
        CLEANER.register(this, () -> warnIfHeld(grant));
    }

    private static void warnIfHeld(Grant dropped) {
        if (!dropped.isClosed() && dropped.handle().lossReason().isEmpty()) {
            dropped.handle()
                    .addTo(LogLine.of(LOG, CoreEvent.LEASE_DROPPED))
                    .cause(dropped.origin())
                    .write();
        }
        dropped.dropped();
    }

    @Override
    public CompletableFuture<ReleaseOutcome> release() {
        CompletableFuture<ReleaseOutcome> outcome = grant.giveBack();
        return Handed.out(outcome, participant.users());
    }

    @Override
    public <T> CompletableFuture<T> releaseAfter(Function<? super Lease, ? extends CompletionStage<T>> work) {
        CompletionStage<T> stage;
        try {
            stage = Objects.requireNonNull(work.apply(this), "the work gave no stage");
        } catch (RuntimeException | Error thrown) {
            release();
            throw thrown;
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        stage.whenComplete((value, error) -> release().whenComplete((outcome, never) -> {
            if (error != null) {
                result.completeExceptionally(error);
            } else {
                result.complete(value);
            }
        }));
        return result;
    }

    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        UserTask.detachCurrent(handle.code()); // a callback of this very lease would wait for itself
        CompletableFuture<ReleaseOutcome> outcome = grant.giveBack();
        long limit = participant.timing().call();
        try {
            outcome.get(limit, TimeUnit.NANOSECONDS);
        } catch (InterruptedException later) {
            interrupted = true;
        } catch (ExecutionException | TimeoutException leftToExpire) {
            handle.addTo(LogLine.of(LOG, CoreEvent.RELEASE_UNCONFIRMED))
                    .cause(leftToExpire)
                    .write();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String role() {
        return handle.role();
    }

    @Override
    public FencingToken fencingToken() {
        return handle.fencingToken();
    }

    @Override
    public long term() {
        return handle.term();
    }

    @Override
    public boolean isHeld() {
        return handle.isHeld();
    }

    @Override
    public Duration remaining() {
        return handle.remaining();
    }

    @Override
    public void ensureHeld() {
        handle.ensureHeld();
    }

    @Override
    public void ensureHeld(Duration needed) {
        handle.ensureHeld(needed);
    }

    @Override
    public boolean awaitLost(Duration timeout) throws InterruptedException {
        return handle.awaitLost(timeout);
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return handle.lost();
    }

    @Override
    public CompletionStage<Void> lapsed() {
        return handle.lapsed();
    }

    @Override
    public Registration onLost(Consumer<? super LossReason> callback) {
        return handle.onLost(callback);
    }

    @Override
    public Optional<LossReason> lossReason() {
        return handle.lossReason();
    }

    @Override
    public String toString() {
        return handle.toString();
    }
}
