package dev.tenure.engine;

import dev.tenure.LossReason;
import dev.tenure.Registration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * What tells user code of the end of a term.
 */
final class Signals {
    private final String role;
    private final TermCode code;
    private final Users users;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CompletableFuture<LossReason> lost = new CompletableFuture<>();
    private final CompletableFuture<Void> lapsed = new CompletableFuture<>();
    private final LossCallbacks callbacks = new LossCallbacks();

    Signals(String role, TermCode code, Users users) {
        this.role = role;
        this.code = code;
        this.users = users;
    }

    /**
     * For those who wait; open when nothing new may begin.
     */
    CountDownLatch ended() {
        return ended;
    }

    CompletionStage<LossReason> lostStage() {
        return lost.minimalCompletionStage();
    }

    CompletionStage<Void> lapsedStage() {
        return lapsed.minimalCompletionStage();
    }

    Registration onLost(Consumer<? super LossReason> call) {
        LossCallbacks.Entry entry = new LossCallbacks.Entry(call);
        Optional<LossReason> past = callbacks.add(entry);
        past.ifPresent(reason -> users.run("onLost callback", role, null, () -> call.accept(reason)));
        return () -> callbacks.remove(entry);
    }

    void lost(LossReason why) {
        Optional<List<LossCallbacks.Entry>> all = callbacks.end(why);
        if (all.isEmpty()) {
            return;
        }
        ended.countDown();
        users.run("stage of lost()", role, code, () -> lost.complete(why));
        for (LossCallbacks.Entry entry : all.get()) {
            users.run("onLost callback", role, code, () -> {
                if (callbacks.remove(entry)) {
                    entry.call().accept(why);
                }
            });
        }
    }

    void lapsed() {
        if (callbacks.lapse()) {
            users.run("stage of lapsed()", role, null, () -> lapsed.complete(null));
        }
    }
}
