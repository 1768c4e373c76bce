package dev.tenure.engine;

import java.util.concurrent.CompletableFuture;

/**
 * An acquisition's future in the hands of user code: cancelling it, or a stage derived from it, withdraws the
 * candidate, as does any other exceptional end from outside. Nobody outside can complete it with a value.
 */
final class WithdrawingFuture<T> extends CompletableFuture<T> {
    private final Runnable withdraw;

    WithdrawingFuture(Runnable withdraw) {
        this.withdraw = withdraw;
    }

    boolean succeed(T value) {
        return super.complete(value);
    }

    void fail(Throwable error) {
        super.completeExceptionally(error);
    }

    @Override
    public boolean complete(T value) {
        return false;
    }

    @Override
    public boolean completeExceptionally(Throwable error) {
        boolean ended = super.completeExceptionally(error);
        if (ended) {
            withdraw.run();
        }
        return ended;
    }

    @Override
    public boolean cancel(boolean mayInterrupt) {
        boolean cancelled = super.cancel(mayInterrupt);
        if (cancelled) {
            withdraw.run();
        }
        return cancelled;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new Derived<>(this);
    }

    /**
     * A stage after it.
     */
    private static final class Derived<U> extends CompletableFuture<U> {
        private final WithdrawingFuture<?> root;

        Derived(WithdrawingFuture<?> root) {
            this.root = root;
        }

        @Override
        public boolean cancel(boolean mayInterrupt) {
            boolean cancelled = super.cancel(mayInterrupt);
            if (cancelled) {
                root.cancel(mayInterrupt);
            }
            return cancelled;
        }

        @Override
        public <V> CompletableFuture<V> newIncompleteFuture() {
            return new Derived<>(root);
        }
    }
}
