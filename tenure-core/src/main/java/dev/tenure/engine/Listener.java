package dev.tenure.engine;

import dev.tenure.Lease;
import dev.tenure.LossReason;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A pair of callbacks, told in order: both halves of a term, or none.
 */
final class Listener {
    private final Consumer<? super Lease> elected;
    private final BiConsumer<? super Lease, ? super LossReason> lost;
    private final Mailbox mailbox;
    private volatile boolean removed;
    private long told; // the term whose first half was called; touched in the mailbox only

    Listener(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost, Users users) {
        this.elected = elected;
        this.lost = lost;
        this.mailbox = new Mailbox(users);
    }

    void remove() {
        removed = true;
    }

    /**
     * A term that is over when its turn comes is not told at all.
     */
    void elected(TermHandle handle, UserTask.OnThrown onThrown) {
        Runnable body = () -> {
            if (!removed && handle.isHeld()) {
                told = handle.term();
                elected.accept(handle);
            }
        };
        mailbox.add(new UserTask(handle.code(), body, onThrown));
    }

    /**
     * Also after a first half that threw, for there may be something to clean up.
     */
    void lost(TermHandle handle, LossReason reason, UserTask.OnThrown onThrown) {
        Runnable body = () -> {
            if (!removed && told == handle.term()) {
                lost.accept(handle, reason);
            }
        };
        mailbox.add(new UserTask(handle.code(), body, onThrown));
    }
}
