package dev.tenure.test.virtual;

import dev.tenure.spi.AcquireResult;
import dev.tenure.spi.Holder;
import dev.tenure.spi.RenewResult;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request to a {@link ScriptedStore}, and what becomes of it. What a rule leaves open the test does, at any time
 * and more than once: a request can arrive twice, an answer come twice, or after its process has closed.
 */
public final class StoreCall {

    /**
     * The operations of a store.
     */
    public enum Kind {
        ACQUIRE,
        RENEW,
        RELEASE,
        READ,
        REVOKE,
        FORCE_RELEASE,
        ACCEPT_TOKEN,
        LIST,
        EXAMINE
    }

    /**
     * What was asked, in one form for all kinds.
     *
     * @param batch numbers the calls of the store's interface; renewals of one {@code renewAll} share it
     * @param holder of acquisitions, renewals and releases
     * @param token the claimed one, or the floor of an acquisition
     */
    record Request(
            Kind kind,
            String process,
            String key,
            int batch,
            @Nullable Holder holder,
            long token,
            Duration lease,
            Duration timeLimit) {}

    private final ScriptedStore store;
    private final Request request;
    private final Duration sentAt;
    private final Supplier<CompletionStage<?>> operation;
    private final RepeatableStage stage = new RepeatableStage();
    private int applied;
    private int answered;
    private @Nullable Object result;
    private @Nullable Throwable error;

    StoreCall(ScriptedStore store, Request request, Supplier<CompletionStage<?>> operation) {
        this.store = store;
        this.request = request;
        this.operation = operation;
        this.sentAt = store.world().elapsed();
    }

    Request request() {
        return request;
    }

    RepeatableStage stage() {
        return stage;
    }

    public Kind kind() {
        return request.kind();
    }

    /**
     * Who asked.
     */
    public String process() {
        return request.process();
    }

    public String key() {
        return request.key();
    }

    /**
     * Empty where the operation has none.
     */
    public Optional<Holder> holder() {
        return Optional.ofNullable(request.holder());
    }

    /**
     * The claimed token, or the floor of an acquisition.
     */
    public long token() {
        return request.token();
    }

    public Duration lease() {
        return request.lease();
    }

    public Duration timeLimit() {
        return request.timeLimit();
    }

    /**
     * Renewals that were sent in one call share this number.
     */
    public int batch() {
        return request.batch();
    }

    /**
     * Since the beginning of the world.
     */
    public Duration sentAt() {
        return sentAt;
    }

    /**
     * How often it arrived at the store.
     */
    public int applied() {
        return applied;
    }

    /**
     * How often it was answered.
     */
    public int answered() {
        return answered;
    }

    /**
     * It arrives at the store, now; what comes of it is kept for the answer.
     */
    public StoreCall apply() {
        applied++;
        store.applying(
                this,
                () -> operation.get().whenComplete((value, thrown) -> {
                    result = value;
                    error = thrown;
                }));
        return this;
    }

    /**
     * What came of it at the store; empty if it has not arrived, or failed there.
     */
    public Optional<Object> result() {
        return Optional.ofNullable(result);
    }

    /**
     * The true answer arrives; the request did before, or does now.
     */
    public StoreCall answer() {
        if (applied == 0) {
            apply();
        }
        return complete(result, error);
    }

    /**
     * This answer arrives, whatever the store did.
     */
    public StoreCall answer(AcquireResult made) {
        return complete(made, null);
    }

    /**
     * This answer arrives, whatever the store did.
     */
    public StoreCall answer(RenewResult made) {
        return complete(made, null);
    }

    /**
     * This answer of a release arrives, whatever the store did.
     */
    public StoreCall answer(boolean made) {
        return complete(made, null);
    }

    /**
     * Instead of an answer: unknown.
     */
    public StoreCall fail(Throwable thrown) {
        return complete(null, thrown);
    }

    private StoreCall complete(@Nullable Object value, @Nullable Throwable thrown) {
        answered++;
        store.world().stirred();
        stage.answer(value, thrown);
        return this;
    }

    @Override
    public String toString() {
        return kind() + " " + key() + " by " + process() + " token=" + token() + " at " + sentAt + " applied=" + applied
                + " answered=" + answered;
    }
}
