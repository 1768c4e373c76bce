package dev.tenure.cli;

import dev.tenure.FencingToken;
import dev.tenure.LeadershipLostException;
import dev.tenure.Lease;
import dev.tenure.LossReason;
import dev.tenure.Registration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A term that a test ends.
 */
final class TestLease implements Lease {
    private final long term;
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> lapsed = new CompletableFuture<>();

    TestLease(long term) {
        this.term = term;
    }

    void end(LossReason reason) {
        lost.complete(reason);
    }

    void lapse() {
        lapsed.complete(null);
    }

    @Override
    public String role() {
        return "role";
    }

    @Override
    public FencingToken fencingToken() {
        return new FencingToken(role(), 1_000 + term);
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public boolean isHeld() {
        return !lost.isDone();
    }

    @Override
    public Duration remaining() {
        return isHeld() ? Duration.ofSeconds(10) : Duration.ZERO;
    }

    @Override
    public void ensureHeld() {
        if (!isHeld()) {
            throw new LeadershipLostException(fencingToken(), "ended");
        }
    }

    @Override
    public void ensureHeld(Duration needed) {
        ensureHeld();
    }

    @Override
    public boolean awaitLost(Duration timeout) throws InterruptedException {
        try {
            lost.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException held) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Override
    public CompletionStage<LossReason> lost() {
        return lost;
    }

    @Override
    public CompletionStage<Void> lapsed() {
        return lapsed;
    }

    @Override
    public Registration onLost(Consumer<? super LossReason> callback) {
        lost.thenAccept(callback);
        return () -> {};
    }

    @Override
    public Optional<LossReason> lossReason() {
        return Optional.ofNullable(lost.getNow(null));
    }
}
