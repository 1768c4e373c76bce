package dev.tenure.test;

import dev.tenure.Lease;
import dev.tenure.LossReason;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A pair of callbacks, told in order: both halves of a term, or none.
 */
final class FakeListener {
    private final Consumer<? super Lease> elected;
    private final BiConsumer<? super Lease, ? super LossReason> lost;
    private final FakeMailbox mailbox = new FakeMailbox();
    private volatile boolean removed;
    private long told; // the term whose first half was called; touched in the mailbox only

    FakeListener(Consumer<? super Lease> elected, BiConsumer<? super Lease, ? super LossReason> lost) {
        this.elected = elected;
        this.lost = lost;
    }

    void remove() {
        removed = true;
    }

    /**
     * Tells what is to be told; the other calls only note it.
     */
    void run() {
        mailbox.run();
    }

    void elected(FakeLease lease, Consumer<Throwable> onThrown) {
        add(lease, onThrown, () -> {
            if (!removed && told != lease.term() && lease.isHeldNow()) {
                told = lease.term();
                elected.accept(lease);
            }
        });
    }

    void lost(FakeLease lease, LossReason reason, Consumer<Throwable> onThrown) {
        add(lease, onThrown, () -> {
            if (!removed && told == lease.term()) {
                lost.accept(lease, reason);
            }
        });
    }

    private void add(FakeLease lease, Consumer<Throwable> onThrown, Runnable body) {
        lease.code().begin();
        mailbox.add(() -> {
            try {
                body.run();
            } catch (Throwable thrown) {
                onThrown.accept(thrown);
            } finally {
                lease.code().done();
            }
        });
    }
}
