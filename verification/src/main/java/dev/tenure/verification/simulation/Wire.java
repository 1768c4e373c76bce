package dev.tenure.verification.simulation;

import dev.tenure.StoreUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The network between one machine and the store. In fair weather it delivers everything once and soon; in a storm it
 * delays, loses, repeats and reorders; it can be cut in either direction.
 */
final class Wire {
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LATE = TimeUnit.SECONDS.toNanos(1);

    private final World world;
    private final Agenda agenda;
    private final Dice dice;
    private boolean requestsCut;
    private boolean repliesCut;
    private boolean slow;

    /**
     * What the store does about a request; called again for a request that comes twice.
     */
    interface Service<T> {
        /**
         * Does it.
         *
         * @param stray whether it comes late or for the second time
         */
        T serve(boolean stray);
    }

    Wire(World world) {
        this.world = world;
        agenda = world.agenda();
        dice = world.dice().split();
    }

    void cut(boolean requests, boolean replies) {
        requestsCut = requests;
        repliesCut = replies;
    }

    void slow(boolean now) {
        slow = now;
    }

    boolean isFine() {
        return !requestsCut && !repliesCut && !slow;
    }

    private boolean bad(double chance) {
        return world.weather().isStormy() && dice.chance(chance);
    }

    private void fault(String kind) {
        world.tally().count("fault: " + kind);
    }

    private long delay() {
        if (bad(0.004)) {
            fault("late by seconds or minutes");
            return dice.spread(LATE, 240 * LATE);
        }
        if (slow) {
            return dice.spread(50 * MS, 6_000 * MS);
        }
        return world.weather().isStormy() ? dice.spread(MS / 5, 400 * MS) : dice.spread(MS / 5, 15 * MS);
    }

    /**
     * Asks the store.
     *
     * @param answer completed when the reply comes, exceptionally if the connection breaks; perhaps never
     * @param asker takes what is to happen on the asker's side
     */
    <T> void ask(Service<T> service, CompletableFuture<T> answer, Consumer<Runnable> asker) {
        if (requestsCut || bad(0.02)) {
            fault("request lost");
            maybeBreak(answer, asker);
            return;
        }
        long delay = delay();
        agenda.in(delay, () -> arrive(service, answer, asker, delay >= LATE));
        if (bad(0.02)) {
            fault("request repeated");
            agenda.in(delay + dice.spread(MS, 60 * LATE), () -> arrive(service, answer, asker, true));
        }
    }

    private <T> void maybeBreak(CompletableFuture<T> answer, Consumer<Runnable> asker) {
        if (dice.chance(0.4)) {
            long after = dice.spread(5 * MS, 40 * LATE);
            agenda.in(
                    after,
                    () -> asker.accept(() ->
                            answer.completeExceptionally(new StoreUnavailableException("connection broken", null))));
        }
    }

    private <T> void arrive(Service<T> service, CompletableFuture<T> answer, Consumer<Runnable> asker, boolean stray) {
        Runnable reply;
        try {
            T result = service.serve(stray);
            reply = () -> answer.complete(result);
        } catch (RuntimeException failed) {
            reply = () -> answer.completeExceptionally(failed);
        }
        if (repliesCut || bad(0.02)) {
            fault("reply lost");
            maybeBreak(answer, asker);
            return;
        }
        Runnable there = reply;
        agenda.in(delay(), () -> asker.accept(there));
    }

    /**
     * A hint from the store, which may get lost.
     */
    void hint(Runnable wakeUp, Consumer<Runnable> asker) {
        if (repliesCut || bad(0.1)) {
            fault("wake-up lost");
        } else {
            agenda.in(delay(), () -> asker.accept(wakeUp));
        }
    }
}
