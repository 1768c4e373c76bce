package dev.tenure.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One piece of user code, counted until it returns.
 */
final class UserTask implements Runnable {
    /**
     * Takes what user code threw.
     */
    @FunctionalInterface
    interface OnThrown {
        void take(Throwable thrown);
    }

    private static final ThreadLocal<@Nullable UserTask> CURRENT = new ThreadLocal<>();

    private final @Nullable TermCode code;
    private final Runnable body;
    private final OnThrown onThrown;
    private final AtomicBoolean counted = new AtomicBoolean();
    private @Nullable Mailbox mailbox;

    UserTask(@Nullable TermCode code, Runnable body, OnThrown onThrown) {
        this.code = code;
        this.body = body;
        this.onThrown = onThrown;
        if (code != null) {
            code.begin();
        }
    }

    /**
     * The one that the calling thread is in counts as returned: it waits for an end that would wait for it.
     */
    static void detachCurrent() {
        UserTask current = CURRENT.get();
        if (current != null) {
            current.finish();
            if (current.mailbox != null) {
                current.mailbox.detach();
            }
        }
    }

    /**
     * The same, if the calling thread is in user code of this term.
     */
    static void detachCurrent(TermCode of) {
        UserTask current = CURRENT.get();
        if (current != null && of.equals(current.code)) {
            current.finish();
        }
    }

    /**
     * Before it is queued.
     */
    void queuedIn(Mailbox queue) {
        mailbox = queue;
    }

    @Override
    public void run() {
        UserTask outer = CURRENT.get();
        CURRENT.set(this);
        try {
            body.run();
        } catch (Throwable thrown) {
            report(thrown);
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
            finish();
        }
    }

    private void report(Throwable thrown) {
        try {
            onThrown.take(thrown);
        } catch (Throwable alsoThrown) {
            thrown.addSuppressed(alsoThrown);
        }
    }

    void finish() {
        if (counted.compareAndSet(false, true) && code != null) {
            code.done();
        }
    }
}
