package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.ReleaseOutcome;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A term that somebody owns, apart from what the owner has in hand, so that a dropped lease can be noticed.
 */
final class Grant {
    private final TermHandle handle;
    private final Participant participant;
    private final Throwable origin;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean dropped;

    /**
     * On the loop. The owner counts as the term's work from here on.
     *
     * @param origin where it was acquired
     */
    Grant(TermHandle handle, Participant participant, Throwable origin) {
        this.handle = handle;
        this.participant = participant;
        this.origin = origin;
        handle.code().begin();
    }

    TermHandle handle() {
        return handle;
    }

    Participant participant() {
        return participant;
    }

    Throwable origin() {
        return origin;
    }

    boolean isClosed() {
        return closed.get();
    }

    /**
     * Nobody has it in hand any more: once it is lost, there is nothing left to wait for.
     */
    void dropped() {
        dropped = true;
        ended();
    }

    /**
     * At the end of the term, and when it is dropped.
     */
    void ended() {
        if (dropped && handle.lossReason().isPresent() && closed.compareAndSet(false, true)) {
            handle.code().done();
        }
    }

    /**
     * The owner's work is over, and so is the term; completed on the loop.
     */
    CompletableFuture<ReleaseOutcome> giveBack() {
        CompletableFuture<ReleaseOutcome> outcome = participant.end(LossReason.RELEASED, handle.term());
        if (closed.compareAndSet(false, true)) {
            handle.code().done();
        }
        return outcome;
    }
}
