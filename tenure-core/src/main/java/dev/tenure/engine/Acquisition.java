package dev.tenure.engine;

import dev.tenure.ElectionDescription;
import dev.tenure.LossReason;
import dev.tenure.OwnedLease;
import dev.tenure.StoreException;
import dev.tenure.StoreUnavailableException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One acquisition and the lease that comes of it: an election for a single term, whose work is the owner.
 */
final class Acquisition implements Role {
    private final EngineElections elections;
    private final Registry registry;
    private final Participant participant;
    private final Checkup checkup;
    private final Throwable origin = new Throwable("acquired here");

    /**
     * Completed on the loop; only Tenure's own stages hang on it.
     */
    private final CompletableFuture<Optional<Grant>> outcome = new CompletableFuture<>();

    private @Nullable Grant granted; // the loop's

    private Acquisition(EngineElections elections, String role, String key, Once once) {
        this.elections = elections;
        registry = elections.registry();
        participant = registry.hub().participant(role, key, elections.timing(), once, this);
        checkup = new Checkup(elections.options(), participant);
    }

    static Acquisition start(EngineElections elections, String role, Once once) {
        String key = elections.key(role);
        elections.registry().ensureNobodyStands(key);
        Acquisition acquisition = new Acquisition(elections, role, key, once);
        elections.registry().acquisitions().add(acquisition);
        elections.registry().hub().join(acquisition.participant);
        acquisition.participant.stand();
        if (elections.registry().isClosed()) {
            acquisition.cancel().thenRun(acquisition::closed); // told by the loop, or because it has ended
        }
        return acquisition;
    }

    /**
     * After the end of the loop nobody else tells.
     */
    private void closed() {
        if (registry.hub().loop().isEnded()) {
            outcome.completeExceptionally(new CancellationException("this Tenure is closed"));
        }
    }

    /**
     * Waits on the calling thread; an interrupt withdraws.
     */
    Optional<OwnedLease> await() throws InterruptedException {
        try {
            return outcome.get().map(EngineOwnedLease::new);
        } catch (InterruptedException interrupt) {
            withdraw();
            throw interrupt;
        } catch (ExecutionException failed) {
            throw rethrown(failed.getCause());
        }
    }

    /**
     * A fresh exception of the same kind, with the caller's stack.
     */
    private static RuntimeException rethrown(@Nullable Throwable cause) {
        if (cause instanceof CancellationException closed) {
            CancellationException fresh = new CancellationException(closed.getMessage());
            fresh.initCause(closed);
            return fresh;
        }
        if (cause instanceof StoreException store) {
            store.addSuppressed(new Throwable("awaited here"));
            return store;
        }
        return new StoreUnavailableException("the store failed: " + cause, cause);
    }

    /**
     * The outcome for user code, on callback threads.
     */
    <T> CompletableFuture<T> future(Function<Optional<OwnedLease>, T> view) {
        WithdrawingFuture<T> future = new WithdrawingFuture<>(this::withdraw);
        outcome.whenComplete((grant, error) -> registry.hub()
                .users()
                .run("stage of an acquisition", participant.role(), null, () -> {
                    if (error != null) {
                        future.fail(StoreCalls.cause(error));
                    } else if (!future.succeed(view.apply(grant.map(EngineOwnedLease::new)))) {
                        grant.ifPresent(Grant::giveBack);
                    }
                }));
        return future;
    }

    /**
     * The asker does not want it any more: a grant is given back.
     */
    private void withdraw() {
        outcome.whenComplete((grant, error) -> {
            if (grant != null) {
                grant.ifPresent(Grant::giveBack);
            }
        });
        participant.end(LossReason.STOPPED, 0);
    }

    /**
     * The Tenure closes.
     */
    CompletableFuture<?> cancel() {
        return participant.end(LossReason.STOPPED, 0);
    }

    Participant participant() {
        return participant;
    }

    ElectionDescription describe() {
        return Probe.describe(registry.hub(), participant, elections.options());
    }

    // on the loop

    @Override
    public void elected(TermHandle handle) {
        Grant grant = new Grant(handle, participant, origin);
        granted = grant;
        outcome.complete(Optional.of(grant));
    }

    @Override
    public void askHealth(HealthAnswer answer) {
        checkup.ask(answer);
    }

    @Override
    public void lost(TermHandle handle, LossReason reason) {
        if (granted != null) {
            granted.ended();
        }
    }

    @Override
    public void gaveUp(Optional<Throwable> error) {
        error.ifPresentOrElse(
                why -> outcome.completeExceptionally(
                        why instanceof StoreException
                                ? why
                                : new StoreUnavailableException("the store failed: " + why, why)),
                () -> outcome.complete(Optional.empty()));
    }

    @Override
    public void stopped() {
        if (granted == null) {
            String why = registry.isClosed() ? "this Tenure is closed" : "withdrawn";
            outcome.completeExceptionally(new CancellationException(why));
        }
        registry.acquisitions().remove(this);
    }

    @Override
    public void quiet() {
        registry.hub().leave(participant);
    }
}
